"""Operation counts, asserted exactly: they do not flake, and a change of them is news."""

from __future__ import annotations

import pytest

import linkwise
from linkwise.counting import Polynomial, all_counted, counted, generic_counted, laws
from linkwise.expr import Count
from linkwise.published import PUBLISHED, Published

OURS = [line for line in PUBLISHED if line.formulation]


@pytest.mark.parametrize("n", [6, 10])
@pytest.mark.parametrize("line", OURS, ids=lambda line: f"{line.table}, {line.algorithm}, {line.function}")
def test_no_formulation_is_above_its_published_count(line: Published, n: int) -> None:
    published = line.at(n)
    if published is None:
        pytest.skip("published for six joints only")
    ours = generic_counted("R" * n, "vertical", line.formulation, line.function).rewritten
    assert ours.M <= published[0]
    assert ours.A <= published[1]


@pytest.mark.parametrize(
    ("formulation", "function", "n", "ours", "asked"),
    [
        ("newton-euler", "inverse_dynamics", 6, Count(392, 329), Count(434, 356)),
        ("newton-euler", "inverse_dynamics", 10, Count(724, 613), Count(798, 660)),
        ("composite-body", "mass_matrix", 6, Count(326, 259), Count(407, 308)),
        ("composite-body", "mass_matrix", 10, Count(962, 703), Count(1147, 828)),
        ("composite-body", "forward_dynamics", 6, Count(793, 644), Count(921, 718)),
    ],
)
def test_the_best_counts(formulation: str, function: str, n: int, ours: Count, asked: Count) -> None:
    found = generic_counted("R" * n, "vertical", formulation, function).rewritten
    assert found == ours
    assert found.M <= asked.M
    assert found.A <= asked.A


def test_laws_hold_for_every_length() -> None:
    """Fitted from five to ten joints; twelve must follow."""
    printed, improved = laws("newton-euler", "inverse_dynamics")
    there = generic_counted("R" * 12, "vertical", "newton-euler", "inverse_dynamics")
    assert (printed.M(12), printed.A(12)) == (there.printed.M, there.printed.A)
    assert (improved.M(12), improved.A(12)) == (there.rewritten.M, there.rewritten.A)


def test_every_library_robot_can_be_counted() -> None:
    for name in linkwise.library():
        robot = linkwise.load(name)
        generic = "".join("R" if any(joint.kind.turns) else "P" for joint in robot.joints)
        for ours in all_counted(robot):
            general = generic_counted(generic, "general", ours.formulation, ours.function)
            assert ours.rewritten.M <= general.rewritten.M, (name, ours)


@pytest.mark.parametrize("joint", "RP")
@pytest.mark.parametrize("first_axis", ["vertical", "general"])
def test_a_single_joint_can_be_counted(joint: str, first_axis: str) -> None:
    found = {c.formulation: c.rewritten for c in all_counted(linkwise.Robot.generic(joint, first_axis))}
    assert found["composite-body"].M <= 5


def test_a_polynomial_reads_as_papers_print_it() -> None:
    assert str(Polynomial.of(-157, "695/6", 13, "1/6")) == "(1/6)n³ + 13n² + (695/6)n - 157"
    assert str(Polynomial.of(0)) == "0"
    assert str(Polynomial.of(-1, 1)) == "n - 1"


def test_counting_names_what_there_is() -> None:
    with pytest.raises(linkwise.LinkwiseError, match="one of newton-euler, kane"):
        counted(linkwise.load("planar-3r"), "composite-body", "inverse_dynamics")
