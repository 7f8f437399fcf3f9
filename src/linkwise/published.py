"""The operation counts that the papers publish, as facts to be compared with."""

from __future__ import annotations

from dataclasses import dataclass

from .counting import Polynomial


@dataclass(frozen=True, slots=True)
class Published:
    """A line of a complexity table: products and sums as polynomials in n, or for six joints alone."""

    table: str
    algorithm: str
    function: str
    M: Polynomial | int
    A: Polynomial | int
    formulation: str | None = None
    """Which of our texts is that algorithm."""
    note: str = ""
    """Why a literal count differs, and what else is to be said of the line."""
    also: tuple[str, ...] = ()
    """Later tables that quote the line."""

    @property
    def tables(self) -> tuple[str, ...]:
        """Every table that has it, its own first."""
        return (self.table, *self.also)

    def at(self, n: int) -> tuple[float, float] | None:
        """Products and sums for n joints, where the table says."""
        if isinstance(self.M, Polynomial) and isinstance(self.A, Polynomial):
            return float(self.M(n)), float(self.A(n))
        return (float(self.M), float(self.A)) if n == 6 else None  # type: ignore[arg-type]


P = Polynomial.of
OF_1999, OF_2002 = "1999, Table 1", "2002, Table 1"
TOTAL = "Printed as a total for six joints, without steps."

PUBLISHED = (
    Published("1988, Table 1", "Hollerbach 1980", "inverse_dynamics", P(-277, 412), P(-201, 320), also=(OF_1999,)),
    Published(
        "1988, Table 1",
        "Luh, Walker, Paul 1980",
        "inverse_dynamics",
        P(-48, 150),
        P(-48, 131),
        "newton-euler",
        "131n + 48 sums in 1999, Table 1. The text leads the motion of the frames' origins, not of the mass centres, "
        "splits offsets where they are constant, and takes the moments from the tensor that the forces need.",
        also=(OF_1999, OF_2002),
    ),
    Published("1988, Table 1", "Walker, Orin 1982", "inverse_dynamics", P(-22, 137), P(-11, 101), also=(OF_1999,)),
    Published("1988, Table 1", "Hollerbach, Sahar 1983", "inverse_dynamics", 688, 558),
    Published("1988, Table 1", "Kane, Levinson 1983", "inverse_dynamics", 646, 394),
    Published(
        "1988, Table 1",
        "Khalil, Kleinfinger, Gautier 1986",
        "inverse_dynamics",
        P(-92, 105),
        P(-86, 94),
        also=(OF_1999,),
    ),
    Published(
        "1988, Table 1",
        "Angeles, Ma, Rojas 1988",
        "inverse_dynamics",
        P(-109, 105),
        P(-105, 90),
        "kane",
        "The slopes are those of a literal count; the constants rest on what is left out at both ends. The lines of "
        "stage 3 add up to 55n - 60 and 44n - 54, not to the totals below them; the -47 of stage 2 cannot be had. "
        "The three sums of the constant a - ρ are off-line for us, which leaves 87 a joint. With the first axis "
        "for the base's own, as here, the paper has 513 and 432 for six joints.",
        also=(OF_1999, OF_2002),
    ),
    Published(
        "1999, Table 1",
        "Saha 1999",
        "inverse_dynamics",
        P(-44, 120),
        P(-55, 97),
        "denoc",
        "The paper lists no steps; a plain coding in link frames is cheaper.",
    ),
    Published(
        "1999, Table 1",
        "Balafoutis, Patel 1988",
        "inverse_dynamics",
        P(-69, 93),
        P(-65, 81),
        note="81n - 66 sums in 2002, Table 1.",
        also=(OF_2002,),
    ),
    Published(
        "2002, Table 1",
        "Mata and others 2002",
        "inverse_dynamics",
        P(-101, 96),
        P(-100, 84),
        "gibbs-appell",
        "The slopes are those of a literal count; the printed steps add up to 96n - 8 and 84n - 7 before what is "
        "left out at both ends.",
    ),
    Published(
        "2002, Table 3",
        "Mata and others 2002",
        "bias",
        P(-108, 96),
        P(-105, 83),
        "gibbs-appell",
        "The slopes are those of a literal count; the constants as in inverse dynamics.",
    ),
    Published(
        "2002, Table 2",
        "Walker, Orin 1982",
        "mass_matrix",
        P(-27, 56, 12),
        P(-56, 67, 7),
        "composite-body",
        "The paper leads centres of mass and tensors about them from link to link, the text first moments and tensors "
        "about the origins.",
    ),
    Published(
        "2002, Table 2",
        "Angeles, Ma 1988",
        "mass_matrix",
        P(8, -21, 17, 1),
        P(5, -16, 14, 1),
        "natural-complement",
        "Its steps are in none of the five papers. The text's n³ is TᵀMT itself, six products for every two joints "
        "of a link.",
    ),
    Published(
        "2002, Table 2",
        "Mata and others 2002",
        "mass_matrix",
        P(-49, "39/2", "23/2"),
        P(-69, "63/2", "17/2"),
        "gibbs-appell",
        "The sum of the printed steps is exactly that; 14n - 15 products are saved by the cheaper similarity "
        "transformation and by vectors that are constant.",
        also=("2002, Table 3",),
    ),
    Published(
        "1999, Table 2",
        "Saha 1999",
        "accelerations",
        P(-335, 201),
        P(-361, 193),
        "denoc",
        "The paper lists no steps; those of 2001 have a table of their own.",
    ),
    Published(
        "2001, Table I",
        "Saha 2001",
        "accelerations",
        P(-284, 191),
        P(-325, 187),
        "denoc",
        "Without φ, which takes an inverse dynamics more. The braces of the paper's steps add up to 192n - 284 "
        "products, a joint's worth of step B more than the total; 4(b) counts n - 3 links where there are n - 2; "
        "[I] of 3(b) needs six sums a link that are not counted.",
    ),
    Published(
        "2001, Table I",
        "Featherstone 1983",
        "accelerations",
        P(-198, 199),
        P(-173, 174),
        "articulated-body",
        "Its steps are in none of the five papers. The text moves an articulated inertia by two turns, each about an "
        "axis of the frame, and by what of the offset is not nought.",
        also=("1999, Table 2",),
    ),
    Published("2001, Table I", "Stejskal, Valášek 1996", "accelerations", P(-343, 226), P(-345, 206)),
    Published("2001, Table I", "Brandl and others", "accelerations", P(-222, 250), P(-198, 220)),
    Published(
        "2001, Table I",
        "Walker, Orin 1982, after Featherstone",
        "accelerations",
        P(-47, "115/3", "23/2", "1/6"),
        P(-46, "233/6", 7, "1/6"),
        "composite-body",
        "480 sums are printed for six joints; the formula gives 475.",
        also=("1999, Table 2",),
    ),
    Published("2002, Table 4", "Walker, Orin 1982", "forward_dynamics", 1627, 1261, "composite-body", TOTAL),
    Published(
        "2002, Table 4",
        "Featherstone 1987",
        "forward_dynamics",
        1533,
        1415,
        "articulated-body",
        "300n - 267 and 279n - 259, with the bias; 2001, Table I seems to set counts with and without it side by side.",
    ),
    Published("2002, Table 4", "Angeles, Ma 1988", "forward_dynamics", 1353, 1165, "natural-complement", TOTAL),
    Published(
        "2002, Table 3",
        "Mata and others 2002",
        "forward_dynamics",
        P(-157, "695/6", 13, "1/6"),
        P(-174, "683/6", 10, "1/6"),
        "gibbs-appell",
        "The total is that of its rows: matrix, bias, Cholesky's decomposition with (1/6)n³ + (1/2)n² + (1/3)n of "
        "both, and n² products and n² - n sums to solve. Our decomposition has as many products, but (1/6)n³ - (1/6)n "
        "sums; to solve takes n products more, since quotients count, and n sums to take off the bias.",
        also=("2002, Table 4",),
    ),
    Published(
        "beyond the five",
        "Khalil, Kleinfinger 1987",
        "inverse_dynamics",
        P(-127, 92),
        P(-117, 81),
        note="With base parameters: the record before.",
    ),
    Published(
        "beyond the five",
        "Khalil, Kleinfinger 1987",
        "forward_dynamics",
        996,
        846,
        note="With base parameters, the bias included.",
    ),
)
