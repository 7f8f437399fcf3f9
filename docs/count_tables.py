"""Writes the tables of the page on operation counts: python docs/count_tables.py > docs/generated/counts.md"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import linkwise
from linkwise.cli.counts import REWRITTEN, SIZES, Line, asked, at_sizes, law_in_words, of_paper, of_text
from linkwise.counting import COUNTED, Counted, all_counted
from linkwise.expr import Count
from linkwise.published import PUBLISHED, Published

VERTICAL = "vertical"
IN_PRINT = "published"
WORDS = {function: function.replace("_", " ").replace("coriolis", "Coriolis") for function in COUNTED} | {
    "accelerations": "accelerations, the bias being known"
}
"""As they are said within a sentence."""


def page() -> Iterator[str]:
    texts = {(what, by): of_text(what, by, VERTICAL) for what, by in asked(None, None)}
    yield "## Records\n"
    yield "The least total of operations: ours, and the least that the tables below have from elsewhere.\n"
    yield from records(texts)
    yield "## The papers' tables\n"
    for name in sorted({table for published in PUBLISHED for table in published.tables}):
        yield from paper_table(name, texts)
    yield "## Every text, generic robot\n"
    for function in COUNTED:
        yield f"### {WORDS[function][0].upper()}{WORDS[function][1:]}\n"
        yield from law_table(line for (what, _), lines in texts.items() if what == function for line in lines)
    yield "## Every text, robots of the library\n"
    for name in linkwise.library():
        yield f"### {name}\n"
        yield from robot_table(all_counted(linkwise.load(name)))


Texts = dict[tuple[str, str], tuple[Line, Line]]


def records(texts: Texts) -> Iterator[str]:
    """The fewest operations at six and at ten joints, ours beside those of others."""
    rows = []
    for function in COUNTED:
        ours = [lines[1] for (what, _), lines in texts.items() if what == function]
        theirs = [of_paper(published) for published in PUBLISHED if published.function == function]
        for n in SIZES:
            rows.append((WORDS[function], n, *best(ours, n), *best(theirs, n)))
    yield from table(("function", "joints", "our fewest", "by", "fewest published", "by"), rows)


def best(lines: Sequence[Line], n: int) -> tuple[str, str]:
    """The least total at n joints, and all who have it."""
    known = [(count, line.algorithm) for line in lines if (count := line.at[n])]
    if not known:
        return "", ""
    least = min((count for count, _ in known), key=total)
    return str(least), ", ".join(name for count, name in known if count == least)


def total(count: Count) -> int:
    return count.M + count.A


def paper_table(name: str, texts: Texts) -> Iterator[str]:
    """A complexity table as published, with our texts of its algorithms below their lines."""
    lines, notes = [], []
    rows = [published for published in PUBLISHED if name in published.tables]
    for published in rows:
        lines.append(replace(of_paper(published), counted=IN_PRINT))
        if published.formulation:
            lines.extend(texts[published.function, published.formulation])
            notes.extend(excess(published, texts[published.function, published.formulation][1]))
        if published.note:
            notes.append(f"- *{published.algorithm}*, {WORDS[published.function]}: {published.note}")
    yield f"### {name}: {' and '.join(dict.fromkeys(WORDS[p.function] for p in rows))}\n"
    yield from law_table(lines)
    yield "\n".join(notes) + "\n"


LONGEST = 100


def excess(published: Published, ours: Line) -> Iterator[str]:
    """Where our law outgrows the published one."""
    if not (law := of_paper(published).law) or not ours.law:
        return
    for what in ("M", "A"):
        theirs, own = getattr(law, what), getattr(ours.law, what)
        above = [n for n in range(SIZES[0], LONGEST) if own and own(n) > theirs(n)]
        if above:
            yield f"- `{ours.algorithm}` takes more {what} than *{published.algorithm}* prints from n = {above[0]} on."


def law_table(lines: Iterable[Line]) -> Iterator[str]:
    header = ("algorithm", "counted", "M, n joints", "A, n joints", *(f"n = {n}" for n in SIZES))
    rows = []
    for line in lines:
        laws = law_in_words(line.law) or ("", "")
        name = f"`{line.algorithm}`" if line.counted != IN_PRINT else line.algorithm
        sizes = [f"**{count}**" if line.counted == REWRITTEN else count for count in at_sizes(line)]
        rows.append((name, line.counted, *(law.removesuffix(" M").removesuffix(" A") for law in laws), *sizes))
    yield from table(header, rows)


def robot_table(counts: Sequence[Counted]) -> Iterator[str]:
    rows = [(WORDS[c.function], f"`{c.formulation}`", c.printed, f"**{c.rewritten}**") for c in counts]
    yield from table(("function", "formulation", "as printed", "rewritten"), rows)


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    yield "| " + " | ".join(header) + " |"
    yield "|" + "---|" * len(header)
    for row in rows:
        yield "| " + " | ".join(map(str, row)) + " |"
    yield ""


if __name__ == "__main__":
    print("\n".join(page()))
