"""The rewriting of whole programs: fewer operations, the same meaning to rounding.

Every pass takes a program to an equivalent one, and is kept where it pays.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

from .count import count
from .flat import SUMS, Flat, Term, product, rebuilt, total
from .node import Node
from .program import Program

Factors = tuple[Node, ...]
Products = list[tuple[bool, Factors]]
Pair = tuple[Node, Node, bool]
"""Two terms of a sum, the older one first, and whether their signs differ."""


def rewritten(program: Program) -> Program:
    """The program after those passes that pay."""
    best, cost = program, _cost(program)
    for rewrite in PASSES:
        tried = rewrite(best)
        tried_cost = _cost(tried)
        if tried_cost < cost:
            best, cost = tried, tried_cost
    return best


def _cost(program: Program) -> tuple[int, int]:
    operations = count(program)
    return operations.M + operations.A, operations.M


def factor_sums(program: Program) -> Program:
    """What terms of a sum have in common is multiplied once; what is known beforehand is gathered.

    >>> from linkwise.expr import Graph
    >>> g = Graph(); x, y, z, k = g.input("x"), g.input("y"), g.input("z"), g.parameter("k")
    >>> factor_sums(Program(("x", "y", "z"), (x * y - y * z, 3 * (x * k)))).outputs
    (y*(x - z), x*k*3.0)
    """
    flat = Flat(program)
    became: dict[Node, Node] = {}

    def factored(root: Node) -> Node:
        products: Products = [
            (minus, tuple(became[f] for f in flat.factors(term)) if flat.is_inner(term) else (became[term],))
            for minus, term in flat.terms(root)
        ]
        return _factored(products)

    return rebuilt(program, flat, factored, became)


def _factored(products: Products) -> Node:
    """A sum of products, the most frequent factor taken out first."""
    frequent = Counter(f for _, factors in products if len(factors) > 1 for f in set(factors))
    best = max(frequent, key=lambda f: (frequent[f], -f.index), default=None)
    if best is None or frequent[best] < 2:
        return total((minus, product(factors)) for minus, factors in products)
    having = [(minus, _without(factors, best)) for minus, factors in products if len(factors) > 1 and best in factors]
    others = [(minus, factors) for minus, factors in products if not (len(factors) > 1 and best in factors)]
    return _factored([*others, (False, (best, _factored(having)))])


def _without(factors: Factors, one: Node) -> Factors:
    i = factors.index(one)
    return factors[:i] + factors[i + 1 :]


def share_sums(program: Program) -> Program:
    """A pair of terms that several sums have is added once.

    >>> from linkwise.expr import Graph, count
    >>> g = Graph(); a, b, c, d = (g.input(k) for k in "abcd")
    >>> p = Program(("a", "b", "c", "d"), ((a + b) + c, (a + d) + b))
    >>> print(count(p), "->", count(share_sums(p)))
    0M 4A -> 0M 3A
    """
    flat = Flat(program)
    sums = {root: flat.terms(root) for root in flat.roots() if root.op in SUMS and not root.offline}
    shared = SharedPairs(sums)
    became: dict[Node, Node] = {}

    def value(term: Node) -> Node:
        if term not in became:
            became[term] = paired(term) if term in shared.pairs else product(became[f] for f in flat.factors(term))
        return became[term]

    def paired(pair: Node) -> Node:
        a, b = map(value, shared.pairs[pair])
        return a - b if pair.op == "sub" else a + b

    def sum_of(root: Node) -> Node:
        return total((minus, value(term)) for minus, term in shared.terms(root))

    return rebuilt(program, flat, sum_of, became)


class SharedPairs:
    """Sums in which every pair of terms that occurs twice has become one term, the most frequent pair first."""

    def __init__(self, sums: dict[Node, list[Term]]) -> None:
        self._lists = sums
        self._sums = {
            root: {term: minus for minus, term in terms}
            for root, terms in sums.items()
            if len({term for _, term in terms}) == len(terms)
        }
        self._where: dict[Pair, set[Node]] = defaultdict(set)
        self._often: set[Pair] = set()
        """Pairs that were found in several sums, and may still be."""
        self.pairs: dict[Node, tuple[Node, Node]] = {}
        for root in self._sums:
            self._enter(root, self._sums[root])
        self._share()

    def terms(self, root: Node) -> list[Term]:
        return [(m, t) for t, m in self._sums[root].items()] if root in self._sums else self._lists[root]

    def _keys(self, root: Node, ones: Iterable[Node]) -> Iterable[Pair]:
        """The pairs that these terms make with the others of a sum, some of them twice."""
        terms = self._sums[root]
        for one in ones:
            for other in terms:
                if one is not other and not (one.offline and other.offline):
                    opposite = terms[one] != terms[other]
                    yield (one, other, opposite) if one.index < other.index else (other, one, opposite)

    def _enter(self, root: Node, ones: Iterable[Node]) -> None:
        for key in self._keys(root, ones):
            self._where[key].add(root)
            if len(self._where[key]) > 1:
                self._often.add(key)

    def _share(self) -> None:
        while True:
            self._often = {key for key in self._often if len(self._where.get(key, ())) > 1}
            if not self._often:
                return
            self._replace(max(self._often, key=self._rank))

    def _rank(self, key: Pair) -> tuple[int, int, int, bool]:
        """How often, and how early: no two pairs are alike in that, so that every process takes the same."""
        a, b, opposite = key
        return len(self._where[key]), -b.index, -a.index, opposite

    def _replace(self, key: Pair) -> None:
        a, b, opposite = key
        pair = a.graph.bare("sub" if opposite else "add", a, b)
        self.pairs[pair] = (a, b)
        for root in self._where.pop(key):
            terms = self._sums[root]
            if pair in terms:  # a + b + (a + b): the pair cannot be its own neighbour
                continue
            for gone in self._keys(root, (a, b)):
                self._where.get(gone, set()).discard(root)
            minus = terms.pop(a)
            del terms[b]
            terms[pair] = minus
            self._enter(root, (pair,))


PASSES: tuple[Callable[[Program], Program], ...] = (factor_sums, share_sums)
