"""A tree, link by link, and the same from the file beside this one."""

from math import radians
from pathlib import Path

import linkwise
from linkwise import Joint, Limits, Link
from linkwise.algebra import IDENTITY, Placement, Rigid, Vec
from linkwise.robot.toml import rotation_of

x, y = Vec(1.0, 0.0, 0.0), Vec(0.0, 1.0, 0.0)
on_rail = Placement((Rigid(IDENTITY, Vec(0.0, 0.0, 3.0)),))
tilted = rotation_of(Vec(0.0, radians(30.0), 0.0))
on_trolley = Placement((Rigid(tilted, Vec(0.4, 0.0, 0.0)),))
swing = radians(60.0)

rail = Joint("rail", "prismatic", on_rail, axis=x, limits=Limits(-2.0, 2.0))
bracket = Joint("bracket", "fixed", on_trolley)
hinge = Joint("hinge", "revolute", axis=y, limits=Limits(-swing, swing))

middle, rod = Vec(0.0, 0.0, -0.6), (0.18, 0.18, 0.0)
crane = linkwise.Robot(
    name="crane",
    links=(  # the parent is the index of a link before, -1 for the base
        Link("trolley", -1, rail, mass=4.0),
        Link("lamp", 0, bracket, mass=0.5, com=Vec(0.0, 0.0, -0.1)),
        Link("beam", 0, hinge, mass=1.5, com=middle, inertia=rod),
    ),
    source="an example of a file",
)
print(crane)
file = Path(__file__).with_name("crane.toml")
print("the same from the file:", crane == linkwise.load(file))
dyn = linkwise.Dynamics(crane)
print("M =", dyn.mass_matrix([0.0, 0.0]).round(4).tolist())
