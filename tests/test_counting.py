"""Operation counts, asserted exactly: they do not flake, and a change of them is news."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest
from tests.robots import any_chain, chain

import linkwise
from linkwise.cli.counts import asked
from linkwise.counting import FITTED, Polynomial, all_counted, counted, generic_counted, laws
from linkwise.expr import Count
from linkwise.formulations import FORMULATIONS
from linkwise.published import PUBLISHED, Published
from linkwise.robot.joint import Mimic
from linkwise.robot.model import Robot

OURS = [line for line in PUBLISHED if line.formulation]

LAWS = """
inverse_dynamics  newton-euler        printed    91n - 108                          79n - 99
inverse_dynamics  newton-euler        rewritten  83n - 106                          71n - 97
inverse_dynamics  kane                printed    105n - 120                         87n - 108
inverse_dynamics  kane                rewritten  105n - 131                         87n - 115
inverse_dynamics  denoc               printed    107n - 112                         83n - 93
inverse_dynamics  denoc               rewritten  105n - 110                         83n - 93
inverse_dynamics  gibbs-appell        printed    96n - 110                          84n - 106
inverse_dynamics  gibbs-appell        rewritten  96n - 122                          84n - 117
inverse_dynamics  operators           printed    121n - 152                         89n - 117
inverse_dynamics  operators           rewritten  104n - 139                         76n - 110
bias              newton-euler        printed    91n - 119                          78n - 108
bias              newton-euler        rewritten  83n - 117                          70n - 106
bias              kane                printed    105n - 134                         86n - 121
bias              kane                rewritten  105n - 145                         86n - 128
bias              denoc               printed    105n - 128                         80n - 106
bias              denoc               rewritten  103n - 126                         80n - 106
bias              gibbs-appell        printed    96n - 122                          83n - 117
bias              gibbs-appell        rewritten  96n - 139                          83n - 130
bias              operators           printed    121n - 170                         88n - 131
bias              operators           rewritten  104n - 157                         75n - 124
mass_matrix       natural-complement  printed    n³ + 16.5n² - 34.5n + 21           n³ + 13.5n² - 25.5n + 11
mass_matrix       natural-complement  rewritten  n³ + 16.5n² - 34.5n + 21           n³ + 13.5n² - 27.5n + 15
mass_matrix       denoc               printed    12n² + 27n - 60                    8n² + 42n - 77
mass_matrix       denoc               rewritten  12n² + 25n - 61                    8n² + 42n - 79
mass_matrix       gibbs-appell        printed    11.5n² + 5.5n - 34                 8n² + 22n - 59
mass_matrix       gibbs-appell        rewritten  11.5n² + 5.5n - 46                 8n² + 18n - 65
mass_matrix       operators           printed    10n² - n - 27                      6n² + 21n - 54
mass_matrix       operators           rewritten  10n² - n - 28                      6n² + 15n - 47
mass_matrix       composite-body      printed    10n² - n - 27                      6n² + 21n - 54
mass_matrix       composite-body      rewritten  10n² - n - 28                      6n² + 15n - 47
accelerations     denoc               printed    187n - 278                         169n - 271
accelerations     denoc               rewritten  187n - 280                         169n - 276
accelerations     composite-body      printed    (1/6)n³ + 11.5n² - (5/3)n - 27     (1/6)n³ + 7n² + (119/6)n - 54
accelerations     composite-body      rewritten  (1/6)n³ + 11.5n² - (5/3)n - 28     (1/6)n³ + 7n² + (83/6)n - 47
accelerations     articulated-body    printed    158n - 264                         153n - 277
accelerations     articulated-body    rewritten  158n - 268                         147n - 274
forward_dynamics  natural-complement  printed    (7/6)n³ + 18n² + (431/6)n - 113    (7/6)n³ + 14.5n² + (181/3)n - 110
forward_dynamics  natural-complement  rewritten  (7/6)n³ + 18n² + (431/6)n - 124    (7/6)n³ + 14.5n² + (175/3)n - 113
forward_dynamics  denoc               printed    288n - 402                         246n - 373
forward_dynamics  denoc               rewritten  284n - 402                         246n - 379
forward_dynamics  gibbs-appell        printed    (1/6)n³ + 13n² + (617/6)n - 156    (1/6)n³ + 9n² + (629/6)n - 176
forward_dynamics  gibbs-appell        rewritten  (1/6)n³ + 13n² + (617/6)n - 185    (1/6)n³ + 9n² + (605/6)n - 195
forward_dynamics  operators           printed    214n - 313                         194n - 307
forward_dynamics  operators           rewritten  211n - 322                         184n - 302
forward_dynamics  composite-body      printed    (1/6)n³ + 11.5n² + (268/3)n - 146  (1/6)n³ + 7n² + (593/6)n - 162
forward_dynamics  composite-body      rewritten  (1/6)n³ + 11.5n² + (244/3)n - 145  (1/6)n³ + 7n² + (509/6)n - 153
forward_dynamics  articulated-body    printed    248n - 359                         230n - 358
forward_dynamics  articulated-body    rewritten  240n - 357                         216n - 349
coriolis_matrix   newton-euler        printed    26n² + 55n - 146                   16n² + 90n - 191
coriolis_matrix   newton-euler        rewritten  26n² + 45n - 150                   16n² + 71n - 183
coriolis_matrix   denoc               printed    32.5n² + 90.5n - 208               22.5n² + 112.5n - 252
coriolis_matrix   denoc               rewritten  32.5n² + 88.5n - 212               22.5n² + 108.5n - 247
"""
"""Products and sums of every text, for the generic robot with a vertical first axis."""

LIBRARY = """
industrial-6r-angeles-1988          196M 182A  86M 87A  337M 306A
industrial-6r-angeles-1988-printed  188M 172A  86M 85A  330M 295A
planar-3r                           27M 23A    5M 11A   41M 37A
puma-560-armstrong-1986             194M 179A  88M 83A  331M 290A
puma-saha-2001                      177M 157A  86M 77A  314M 261A
puma-saha-2001-printed              180M 157A  86M 78A  317M 264A
stanford-angeles-1988               119M 102A  54M 60A  234M 198A
stanford-saha-1999                  97M 87A    40M 46A  180M 155A
stanford-saha-2001                  97M 87A    40M 46A  180M 155A
two-link-ascher-1997                15M 10A    3M 2A    20M 12A
"""
"""Inverse dynamics by Newton–Euler, mass matrix and forward dynamics by composite bodies, rewritten."""


def rows(table: str) -> list[list[str]]:
    return [re.split("  +", line) for line in table.strip().splitlines()]


@pytest.mark.parametrize(("function", "formulation"), dict.fromkeys((row[0], row[1]) for row in rows(LAWS)))
def test_the_laws_of_every_text(function: str, formulation: str) -> None:
    expected = {counted: law for what, by, counted, *law in rows(LAWS) if (what, by) == (function, formulation)}
    found = dict(zip(("printed", "rewritten"), laws(formulation, function), strict=True))
    assert {counted: [str(law.M), str(law.A)] for counted, law in found.items()} == expected


def test_there_is_a_law_for_every_text() -> None:
    assert {(row[0], row[1]) for row in rows(LAWS)} == set(asked(None, None))


@pytest.mark.parametrize("name", linkwise.library())
def test_the_counts_of_shipped_robots(name: str) -> None:
    ours = {row[0]: row[1:] for row in rows(LIBRARY)}[name]
    best = (
        ("newton-euler", "inverse_dynamics"),
        ("composite-body", "mass_matrix"),
        ("composite-body", "forward_dynamics"),
    )
    assert [str(counted(linkwise.load(name), *which).rewritten) for which in best] == ours


SHORTEST = 4
"""Below it the published laws, which leave out what both ends of a chain spare, go under nought."""


@pytest.mark.parametrize("line", OURS, ids=lambda line: f"{line.table}, {line.algorithm}, {line.function}")
def test_no_formulation_is_above_its_published_count(line: Published) -> None:
    """From the shortest chains on to a hundred joints; by our laws, which are counts as far as FITTED goes."""
    _, law = laws(line.formulation, line.function)
    short = generic_counted("R" * SHORTEST, "vertical", line.formulation, line.function).rewritten
    ours = {SHORTEST: (short.M, short.A)} | {n: (law.M(n), law.A(n)) for n in range(FITTED[0], 101)}
    assert set(ours) == set(range(SHORTEST, 101))
    for n, (M, A) in ours.items():
        published = line.at(n) or (M, A)
        assert M <= published[0], n
        assert A <= published[1], n


@pytest.mark.parametrize("n", [6, 10])
def test_nor_is_any_with_a_general_first_axis(n: int) -> None:
    for line in OURS:
        if published := line.at(n):
            ours = generic_counted("R" * n, "general", line.formulation, line.function).rewritten
            assert ours.M <= published[0], line
            assert ours.A <= published[1], line


def test_every_line_of_the_papers_complexity_tables_is_there() -> None:
    """Of 2002, Table 3, the matrix, the bias and the total; its other two lines are no function of a robot."""
    lines = Counter(table for line in PUBLISHED for table in line.tables)
    assert lines == {
        "1988, Table 1": 7,
        "1999, Table 1": 7,
        "1999, Table 2": 3,
        "2001, Table I": 5,
        "2002, Table 1": 4,
        "2002, Table 2": 3,
        "2002, Table 3": 3,
        "2002, Table 4": 4,
        "beyond the five": 2,
    }


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


@pytest.mark.parametrize("name", linkwise.library())
def test_no_shipped_robot_takes_more_than_the_generic_one(name: str) -> None:
    robot = linkwise.load(name)
    generic = "".join("R" if any(joint.kind.turns) else "P" for joint in robot.joints)
    for ours in all_counted(robot):
        general = generic_counted(generic, "general", ours.formulation, ours.function).rewritten
        assert ours.rewritten.M <= general.M, ours
        assert ours.rewritten.A <= general.A, ours


@pytest.mark.parametrize("joint", "RP")
@pytest.mark.parametrize("first_axis", ["vertical", "general"])
def test_a_single_joint_can_be_counted(joint: str, first_axis: str) -> None:
    found = {c.formulation: c.rewritten for c in all_counted(linkwise.Robot.generic(joint, first_axis))}
    assert found["composite-body"].M <= 5


def test_a_polynomial_reads_as_papers_print_it() -> None:
    assert str(Polynomial.of(-157, "695/6", 13, "1/6")) == "(1/6)n³ + 13n² + (695/6)n - 157"
    assert str(Polynomial.of(0)) == "0"
    assert str(Polynomial.of(-1, 1)) == "n - 1"


@pytest.mark.parametrize("formulation", [name for name, row in FORMULATIONS.items() if not row.trees])
def test_formulations_for_chains_are_not_counted_for_others(formulation: str) -> None:
    fork = Robot("fork", tuple(replace(link, parent=-1) for link in chain("RR").links))
    with pytest.raises(linkwise.LinkwiseError, match=f"'{formulation}' is for serial chains.*branches at the base"):
        counted(fork, formulation, next(iter(FORMULATIONS[formulation].functions)))
    for robot in (fork, any_chain("revolute", "helical")):
        assert formulation not in {ours.formulation for ours in all_counted(robot)}


def test_what_can_solve_with_mimics_is_counted_for_them() -> None:
    robot = any_chain("revolute", "revolute", "revolute")
    last = robot.links[-1]
    joint = replace(last.joint, mimic=Mimic(robot.joint_names[0], 2.0, 0.1))
    led = replace(robot, links=(*robot.links[:-1], replace(last, joint=joint)), configurations=())
    found = [ours.formulation for ours in all_counted(led) if ours.function == "forward_dynamics"]
    assert found == ["composite-body"]
    with pytest.raises(linkwise.LinkwiseError, match="for forward_dynamics, one of composite-body\n"):
        counted(led, "operators", "forward_dynamics")


def test_counting_names_what_there_is() -> None:
    with pytest.raises(linkwise.LinkwiseError, match=r"Unknown formulation(.|\n)*one of newton-euler, kane"):
        counted(linkwise.load("planar-3r"), "auto", "inverse_dynamics")
    with pytest.raises(linkwise.LinkwiseError, match="one of newton-euler, kane"):
        counted(linkwise.load("planar-3r"), "composite-body", "inverse_dynamics")
