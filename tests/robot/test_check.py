"""Which mass properties no body can have: of the shipped robots, and of bodies turned anyhow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.robots import robots

from linkwise.algebra import Sym
from linkwise.errors import LinkwiseError
from linkwise.robot.check import PhysicalWarning, inertialess, refuse_if_impossible, warn_if_doubtful
from linkwise.robot.joint import Joint
from linkwise.robot.library import library, load
from linkwise.robot.model import Link, Robot

NEGATIVE = "The smallest principal moment of link {} is negative"
SLACK = "The largest principal moment of link {} is above the sum of the two others"

EXPECTED = {
    "puma-saha-2001-printed": [
        ("link1", NEGATIVE, -1.612, "error"),
        ("link3", NEGATIVE, -0.3009, "error"),
        ("link4", NEGATIVE, -0.1273, "error"),
        ("link5", NEGATIVE, -0.0735, "error"),
    ],
    "industrial-6r-angeles-1988": [("link1", SLACK, -62.0, "warning")],
    "industrial-6r-angeles-1988-printed": [("link1", SLACK, -62.0, "warning")],
    "puma-560-armstrong-1986": [("link1", SLACK, -0.35, "warning"), ("link3", SLACK, -0.0075, "warning")],
}


def body(inertia: Sym, mass: float = 1.0) -> Robot:
    return Robot("body", (Link("body", -1, Joint("joint", "revolute"), mass, inertia=inertia),))


def turned(moments: tuple[float, float, float], seed: int) -> Sym:
    Q, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    return Sym(*(Q @ np.diag(moments) @ Q.T)[np.triu_indices(3)].tolist())


@pytest.mark.parametrize("name", library())
def test_the_findings_about_the_shipped_robots(name):
    found = [(f.about, f.what, pytest.approx(f.value, rel=1e-12), f.severity) for f in load(name).check()]
    expected = [(f"link {link!r}", what.format(repr(link)), *rest) for link, what, *rest in EXPECTED.get(name, [])]
    assert expected == found


@given(robots(tree=True))
def test_clouds_of_mass_are_sound(robot):
    assert robot.check() == ()


seeds = st.integers(0, 2**32 - 1)
moments = st.floats(0.01, 100.0)


@given(moments, moments, seeds)
def test_flat_bodies_and_rods_are_sound_in_any_axes(one, other, seed):
    assert body(turned((one, other, one + other), seed)).check() == ()
    assert body(turned((0.0, one, one), seed)).check() == ()


@given(moments, moments, st.floats(1e-6, 10.0), seeds)
def test_a_moment_above_the_sum_of_the_others_is_found_in_any_axes(one, other, excess, seed):
    total = one + other
    (finding,) = body(turned((one, other, total * (1.0 + excess)), seed)).check()
    assert finding.severity == "warning"
    assert finding.value == pytest.approx(-excess * total, rel=1e-6)


@given(moments, moments, st.floats(1e-6, 10.0), seeds)
def test_a_negative_moment_is_found_in_any_axes(one, other, scale, seed):
    least = -scale * max(one, other)
    (finding,) = body(turned((one, least, other), seed)).check()
    assert (finding.what, finding.severity) == (NEGATIVE.format("'body'"), "error")
    assert finding.value == pytest.approx(least, rel=1e-6)


def test_a_negative_mass_is_found():
    (finding,) = body(Sym(1, 0, 0, 1, 0, 1), mass=-2).check()
    assert (finding.what, finding.value, finding.severity) == ("The mass of link 'body' is negative", -2.0, "error")


def test_forward_dynamics_is_refused_by_link_quantity_and_value():
    with pytest.raises(LinkwiseError, match=r"moment of link 'link1' is negative: -1\.612"):
        refuse_if_impossible(load("puma-saha-2001-printed"))
    with pytest.raises(LinkwiseError, match="The mass of link 'body' is negative: -2 kg"):
        refuse_if_impossible(body(Sym(1, 0, 0, 1, 0, 1), mass=-2.0))
    refuse_if_impossible(load("industrial-6r-angeles-1988"))


def test_one_warning_names_every_doubtful_link():
    with pytest.warns(PhysicalWarning, match=r"link1.* 0\.35 .*link3.* 0\.0075 ") as caught:
        warn_if_doubtful(load("puma-560-armstrong-1986"))
    assert len(caught) == 1
    warn_if_doubtful(load("planar-3r"))


def test_nothing_is_said_of_symbols():
    assert Robot.generic("RP").check() == ()


def test_the_axis_of_an_impossible_moment_is_told():
    (finding,) = body(Sym(0.28, -0.96, 0.0, -0.28, 0.0, 1.0)).check()
    assert finding.given == "-1 kg m², about (0.6, 0.8, 0)"


def test_what_the_rest_of_a_body_makes_up_for_is_no_error():
    wheel = Link("wheel", -1, Joint("axle", "revolute"), 1.0, inertia=Sym(1.0, 0.0, 0.0, 1.0, 0.0, 1.0))
    cap = Link("cap", 0, Joint("glue", "fixed"), 0.1, inertia=Sym(-0.5, 0.0, 0.0, 0.1, 0.0, 0.1))
    (finding,) = Robot("wheel", (wheel, cap)).check()
    assert (finding.about, finding.severity) == ("link 'cap'", "warning")
    standing = replace(cap, parent=-1)
    assert [f.severity for f in Robot("standing", (standing,)).check()] == ["warning"]
    loose = replace(cap, joint=Joint("bearing", "revolute"))
    assert [f.severity for f in Robot("loose", (wheel, loose)).check()] == ["error"]


def test_rounding_of_what_weighs_nothing_is_no_error():
    assert body(Sym(-1e-20, 0.0, 0.0, 0.0, 0.0, 0.0)).check() == ()


def test_a_mass_matrix_beyond_every_float_is_not_called_singular():
    """Scaled by its diagonal, that is: nothing can be said of it, and nothing is."""
    assert inertialess(body(turned((1.0, 1.0, 1.0), 0)), np.array([[5e-324, 1e300], [1e300, 1.0]])) is None
