"""Sine and cosine as expressions: within one unit in the last place of 50 digits."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwise.expr import Graph, Program, cos, evaluate, sin
from linkwise.expr.lower import lowered
from linkwise.expr.trigonometry import PRECISIONS

DTYPES = {"double": np.float64, "single": np.float32}


def program(precision: str) -> Program:
    x = Graph().input("x")
    return lowered(Program(("x",), (sin(x), cos(x))), precision)


def errors(x: np.ndarray, precision: str) -> np.ndarray:
    """In units in the last place of the exact values."""
    ours = evaluate(program(precision), {"x": x})
    with mpmath.workdps(50):
        exact = [[f(mpmath.mpf(float(v))) for v in x] for f in (mpmath.sin, mpmath.cos)]
        return np.array(
            [
                [abs(float((mpmath.mpf(float(o)) - e) / ulp(e, x.dtype))) for o, e in zip(row, there, strict=True)]
                for row, there in zip(ours, exact, strict=True)
            ]
        )


def ulp(exact: mpmath.mpf, dtype: np.dtype) -> float:
    return float(np.spacing(np.abs(np.array(float(exact), dtype=dtype))))


def sample(n: int, precision: str, seed: int = 0) -> np.ndarray:
    """Angles of all sizes up to 10⁵, and the neighbours of multiples of π/4, where bits are lost."""
    rng = np.random.default_rng(seed)
    sizes = 10.0 ** rng.uniform(-8, 5, n)
    multiples = np.rint(rng.uniform(0, 1.2e5, n)) * (np.pi / 4)
    x = np.concatenate([sizes, rng.uniform(-1e5, 1e5, n), multiples, rng.uniform(-np.pi, np.pi, n)])
    x = np.clip(x, -1e5, 1e5).astype(DTYPES[precision])
    return np.concatenate([x, np.nextafter(x[2 * n : 3 * n], np.zeros(1, x.dtype))])


@pytest.mark.parametrize("precision", DTYPES)
def test_near_angles_are_right_to_one_unit_in_the_last_place(precision: str) -> None:
    assert errors(sample(2000, precision), precision).max() < 1.0


@pytest.mark.slow
@pytest.mark.parametrize("precision", DTYPES)
def test_a_million_near_angles(precision: str) -> None:
    assert errors(sample(200_000, precision, seed=1), precision).max() < 1.0


@pytest.mark.parametrize("precision", DTYPES)
def test_every_double_next_to_a_multiple_of_a_quarter_turn(precision: str) -> None:
    """The worst of reductions: what is left of the angle lies far below its last place."""
    n = np.arange(0, 63_000, 13)
    x = (n * (np.pi / 2)).astype(DTYPES[precision])
    assert errors(x, precision).max() < 1.0


@given(st.floats(1e5, 1e308))
def test_far_angles_are_right_too(x: float) -> None:
    assert errors(np.array([x, -x]), "double").max() <= 1.0


@pytest.mark.parametrize("precision", DTYPES)
def test_infinities_and_nan_give_nan(precision: str) -> None:
    x = np.array([np.inf, -np.inf, np.nan], dtype=DTYPES[precision])
    assert np.isnan(evaluate(program(precision), {"x": x})).all()


@pytest.mark.parametrize("precision", DTYPES)
def test_the_parts_of_a_quarter_turn_add_up(precision: str) -> None:
    parts = PRECISIONS[precision].quarter
    with mpmath.workdps(60):
        left = mpmath.pi / 2 - mpmath.fsum(parts)
        assert abs(left) < abs(parts[-1]) * 2.0 ** -(23 if precision == "single" else 52)
    assert all(float(DTYPES[precision](part)) == part for part in parts)
