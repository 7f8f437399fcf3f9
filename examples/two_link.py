"""Two uniform rods on a Denavit–Hartenberg table, with gravity in their plane."""

import linkwise

length, mass = 0.5, 1.2
rod = (0.0, mass * length**2 / 12, mass * length**2 / 12)

robot = linkwise.Robot.from_dh(
    [(0.0, 0.0, 0.0, 0.0), (length, 0.0, 0.0, 0.0)],  # a, alpha, b, theta
    convention="modified",
    masses=[mass, mass],
    coms=[(length / 2, 0.0, 0.0)] * 2,
    inertias=[rod] * 2,
    name="two rods",
    gravity=(0.0, -9.81, 0.0),
)
dyn = linkwise.Dynamics(robot)
print(robot)
print("M =", dyn.mass_matrix([0.0, 1.0]).round(4).tolist())
level = rest = free = [0.0, 0.0]
print("let go:", dyn.forward_dynamics(level, rest, free).round(4).tolist())
