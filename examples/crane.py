"""A tree of one's own, link by link: in Python, and the same from the file beside this one."""

from math import radians
from pathlib import Path

import linkwise
from linkwise import Joint, Limits, Link
from linkwise.algebra import IDENTITY, Placement, Rigid, Vec
from linkwise.robot.toml import rotation_of

on_rail = Placement((Rigid(IDENTITY, Vec(0.0, 0.0, 3.0)),))
on_trolley = Placement((Rigid(rotation_of(Vec(0.0, radians(30.0), 0.0)), Vec(0.4, 0.0, 0.0)),))
swing = radians(60.0)

rail = Joint("rail", "prismatic", on_rail, axis=Vec(1.0, 0.0, 0.0), limits=Limits(-2.0, 2.0))
bracket = Joint("bracket", "fixed", on_trolley)
hinge = Joint("hinge", "revolute", axis=Vec(0.0, 1.0, 0.0), limits=Limits(-swing, swing))

crane = linkwise.Robot(
    name="crane",
    links=(  # the parent is the index of a link before, -1 for the base
        Link("trolley", -1, rail, mass=4.0),
        Link("lamp", 0, bracket, mass=0.5, com=Vec(0.0, 0.0, -0.1)),
        Link("beam", 0, hinge, mass=1.5, com=Vec(0.0, 0.0, -0.6), inertia=(0.18, 0.18, 0.0)),
    ),
    source="an example of a file",
)
print(crane)
print("the same from the file:", crane == linkwise.load(Path(__file__).with_name("crane.toml")))
print("M =", linkwise.Dynamics(crane).mass_matrix([0.0, 0.0]).round(4).tolist())
