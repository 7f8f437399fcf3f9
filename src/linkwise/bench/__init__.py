"""How fast linkwise is: beside Pinocchio and MuJoCo, beside what the machine can do, and formulation beside formulation."""
