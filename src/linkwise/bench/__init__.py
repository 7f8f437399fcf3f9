"""How fast and how exact linkwise is: beside other engines, beside what the machine can do, text beside text."""
