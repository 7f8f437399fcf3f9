"""The reference numbers of the shipped robots: columns that belong together as one array."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from pathlib import Path

import numpy as np

FILES = Path(__file__).parent.parent / "reference"

inverse_dynamics_files = (
    ("planar-3r", "id_planar3.csv"),
    ("stanford-saha-2001", "id_stanford2001.csv"),
    ("puma-saha-2001", "id_puma2001_abs.csv"),
)
state_files = (
    ("stanford-saha-2001", "states_stanford2001.csv"),
    ("puma-saha-2001", "states_puma2001_abs.csv"),
)


def table(name: str) -> dict[str, np.ndarray]:
    """For each quantity (q, qd, tau, M …) an array with a row a line of the file."""
    lines = [line for line in (FILES / name).read_text().splitlines() if not line.startswith("#")]
    columns = defaultdict(list)
    rows = list(csv.DictReader(lines))
    for column in rows[0]:
        columns[re.sub(r"\d+$", "", column)].append([float(row[column]) for row in rows])
    return {quantity: np.array(values).T for quantity, values in columns.items()}
