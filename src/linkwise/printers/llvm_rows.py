"""Moving a block of states between rows in memory and columns, one vector a scalar.

The rows of a block are read as one run of numbers, and riffled like cards until they are columns: in every riffle,
numbers of one half and of the other half of the run take turns, so that what told the halves apart tells neighbours
apart. Long rows are moved a square at a time. Where the numbers of a state do not lie side by side, every column is
gathered, or scattered, by its addresses.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from math import prod

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Format:
    """A floating-point format, and how many numbers of it a vector holds."""

    name: str
    width: int

    @property
    def bits(self) -> int:
        return 64 if self.name == "double" else 32

    @property
    def bytes(self) -> int:
        return self.bits // 8

    @property
    def span(self) -> int:
        """The bytes of a vector."""
        return self.width * self.bytes

    @property
    def suffix(self) -> str:
        """As in the names of LLVM's intrinsic functions."""
        return f"v{self.width}f{self.bits}"

    @property
    def vector(self) -> str:
        return f"<{self.width} x {self.name}>"

    @property
    def integers(self) -> str:
        return f"<{self.width} x i{self.bits}>"

    @property
    def addresses(self) -> str:
        return f"<{self.width} x i64>"

    @property
    def mask(self) -> str:
        return f"<{self.width} x i1>"

    def only(self, lanes: Container[int]) -> str:
        """A mask of some lanes."""
        return "<" + ", ".join(f"i1 {int(i in lanes)}" for i in range(self.width)) + ">"

    @property
    def riffles(self) -> int:
        """How many riffles it takes to sort the numbers of a block by columns."""
        return self.width.bit_length() - 1


MOST_AT_ONCE = 40
"""Rows of more numbers are moved square by square: riffled whole, too much would wait for registers."""

Piece = tuple[str, int, range]
"""Where numbers of a vector lie: after which pointer, how many numbers on its first lane would be, and which lanes."""


def row_functions(fmt: Format, cores: Sequence[Shape], result: Shape) -> Iterator[str]:
    """The functions that arrays call."""
    yield from _declarations(fmt)
    for way, sizes in (("columns", {prod(shape) for shape in cores}), ("rows", {prod(result)})):
        for size in sorted(sizes):
            yield from _rows_alone(fmt, way, size)
            if size <= MOST_AT_ONCE:
                yield from _rows_in_a_run(fmt, way, size)
        yield from _strided(fmt, way)
        yield from _alone(fmt, way)


def _declarations(fmt: Format) -> Iterator[str]:
    v, a, s, m, w = fmt.vector, fmt.addresses, fmt.suffix, fmt.mask, fmt.width
    ps = f"<{w} x ptr>"
    yield f"declare {v} @llvm.masked.load.{s}.p0(ptr, i32, {m}, {v})"
    yield f"declare void @llvm.masked.store.{s}.p0({v}, ptr, i32, {m})"
    yield f"declare {v} @llvm.masked.gather.{s}.v{w}p0({ps}, i32, {m}, {v})"
    yield f"declare void @llvm.masked.scatter.{s}.v{w}p0({v}, {ps}, i32, {m})"
    yield "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)"
    yield f"declare i64 @llvm.smin.i64(i64, i64)\ndeclare {a} @llvm.smin.v{w}i64({a}, {a})"


def _rows_in_a_run(fmt: Format, way: str, size: int) -> Iterator[str]:
    """A whole block of an array without gaps."""
    w = fmt.width
    yield f"define internal void @{way}{size}_run(ptr %run, ptr %columns) {{"
    yield from _deck(fmt, way, [[("%run", m * w, range(w))] for m in range(size)])
    yield "  ret void\n}"


def _rows_alone(fmt: Format, way: str, size: int) -> Iterator[str]:
    """A block of rows at any distance; those beyond the last are the last one."""
    w = fmt.width
    yield f"define internal void @{way}{size}(ptr %first, i64 %batch, i64 %last, ptr %columns) {{\nentry:"
    for i in range(w):
        yield f"  %state{i} = call i64 @llvm.smin.i64(i64 {i}, i64 %last)\n  %away{i} = mul i64 %state{i}, %batch"
        yield f"  %row{i} = getelementptr i8, ptr %first, i64 %away{i}"
    if size <= MOST_AT_ONCE:
        yield from _deck(fmt, way, [list(_pieces(m * w, size, w)) for m in range(size)])
    else:
        yield from _square_by_square(fmt, way, size)
    yield "  ret void\n}"


def _pieces(start: int, size: int, width: int) -> Iterator[Piece]:
    """The numbers of a vector that begins so far from the first row, were rows of this size side by side."""
    for i in range(start // size, (start + width - 1) // size + 1):
        begin = i * size - start
        yield f"%row{i}", -begin, range(max(0, begin), min(width, begin + size))


def _square_by_square(fmt: Format, way: str, size: int) -> Iterator[str]:
    """As many numbers of every row as there are rows, and again; the last square ends where the rows do.

    The next block's place for results is asked for meanwhile: from memory, it takes longer to come than to be filled.
    """
    w = fmt.width
    yield f"  %block = mul i64 %batch, {w}"
    yield "  br label %square\nsquare:\n  %c = phi i64 [0, %entry], [%next, %square]"
    yield f"  %at = call i64 @llvm.smin.i64(i64 %c, i64 {size - w})"
    for i in range(w):
        yield f"  %part{i} = getelementptr {fmt.name}, ptr %row{i}, i64 %at"
        if way == "rows":
            yield f"  %next{i} = getelementptr i8, ptr %part{i}, i64 %block"
            yield f"  call void @llvm.prefetch.p0(ptr %next{i}, i32 1, i32 3, i32 1)"
    yield f"  %some = getelementptr {fmt.vector}, ptr %columns, i64 %at"
    yield from _deck(fmt, way, [[(f"%part{i}", 0, range(w))] for i in range(w)], "%some")
    yield f"  %next = add i64 %c, {w}\n  %more = icmp slt i64 %next, {size}"
    yield "  br i1 %more, label %square, label %end\nend:"


def _deck(fmt: Format, way: str, rows: Sequence[Sequence[Piece]], columns: str = "%columns") -> Iterator[str]:
    """Vectors, whose numbers lie here and there in rows and side by side in columns, riffled from one to the other."""
    w = fmt.width
    of_columns = [[(columns, m * w, range(w))] for m in range(len(rows))]
    taken, put = (rows, of_columns) if way == "columns" else (of_columns, rows)
    for m, pieces in enumerate(taken):
        yield from _read(fmt, f"%t0.{m}", pieces)
    yield from _riffles(fmt, way, len(rows))
    for m, pieces in enumerate(put):
        yield from _written(fmt, f"%t{fmt.riffles}.{m}", pieces)


def _read(fmt: Format, name: str, pieces: Sequence[Piece]) -> Iterator[str]:
    v, before = fmt.vector, "zeroinitializer"
    for k, (pointer, offset, lanes) in enumerate(pieces):
        yield f"  {name}.p{k} = getelementptr {fmt.name}, ptr {pointer}, i64 {offset}"
        given = f"ptr {name}.p{k}, i32 {fmt.bytes}, {fmt.mask} {fmt.only(lanes)}, {v} {before}"
        before = f"{name}.{k}" if k + 1 < len(pieces) else name
        yield f"  {before} = call {v} @llvm.masked.load.{fmt.suffix}.p0({given})"


def _written(fmt: Format, name: str, pieces: Sequence[Piece]) -> Iterator[str]:
    for k, (pointer, offset, lanes) in enumerate(pieces):
        yield f"  {name}.p{k} = getelementptr {fmt.name}, ptr {pointer}, i64 {offset}"
        given = f"{fmt.vector} {name}, ptr {name}.p{k}, i32 {fmt.bytes}, {fmt.mask} {fmt.only(lanes)}"
        yield f"  call void @llvm.masked.store.{fmt.suffix}.p0({given})"


def _riffles(fmt: Format, way: str, vectors: int) -> Iterator[str]:
    """Riffles that bring the numbers of a state from side by side to a vector's distance; or such undone."""
    v, w, half = fmt.vector, fmt.width, fmt.width * vectors // 2
    for t in range(fmt.riffles):
        for m in range(vectors):
            places = range(m * w, (m + 1) * w)
            taken = [k % 2 * half + k // 2 if way == "columns" else k % half * 2 + k // half for k in places]
            one, other = min(taken) // w, max(taken) // w
            lanes = ", ".join(f"i32 {k % w + w * (k // w > one)}" for k in taken)
            yield f"  %t{t + 1}.{m} = shufflevector {v} %t{t}.{one}, {v} %t{t}.{other}, <{w} x i32> <{lanes}>"


def _strided(fmt: Format, way: str) -> Iterator[str]:
    """A matrix (n1, n2) a state with any strides, one column after the other."""
    v, w, a = fmt.vector, fmt.width, fmt.addresses
    yield f"define internal void @strided_{way}(ptr %first, i64 %batch, i64 %last, ptr %columns, {MATRIX}) {{\nentry:"
    for name in ("batch", "last"):
        yield from _splat(f"%{name}", "i64", a, w)
    states = ", ".join(f"i64 {i}" for i in range(w))
    yield f"  %states = call {a} @llvm.smin.v{w}i64({a} <{states}>, {a} %last.s)\n  %lanes = mul {a} %states, %batch.s"
    where = f"<{w} x ptr> %p, i32 {fmt.bytes}, {fmt.mask} {fmt.only(range(w))}"
    intrinsic = f"{fmt.suffix}.v{w}p0"
    if way == "columns":
        move = f"  %x = call {v} @llvm.masked.gather.{intrinsic}({where}, {v} zeroinitializer)\n  store {v} %x, ptr %q"
    else:
        move = f"  %x = load {v}, ptr %q\n  call void @llvm.masked.scatter.{intrinsic}({v} %x, {where})"
    yield from _for_each_column(fmt, [f"  %p = getelementptr i8, ptr %at, {a} %lanes", move])


def _alone(fmt: Format, way: str) -> Iterator[str]:
    """A single state, which all lanes have and the first one gives."""
    v, t = fmt.vector, fmt.name
    yield f"define internal void @alone_{way}(ptr %first, ptr %columns, {MATRIX}) {{\nentry:"
    if way == "columns":
        move = [f"  %x = load {t}, ptr %at", *_splat("%x", t, v, fmt.width), f"  store {v} %x.s, ptr %q"]
    else:
        move = [f"  %x = load {t}, ptr %q\n  store {t} %x, ptr %at"]
    yield from _for_each_column(fmt, move)


MATRIX = "i64 %n1, i64 %n2, i64 %s1, i64 %s2"


def _for_each_column(fmt: Format, move: Sequence[str]) -> Iterator[str]:
    """What moves a column, %q, whose first state's number is %at, for each of a matrix."""
    yield "  br label %outer"
    yield "outer:\n  %i = phi i64 [0, %entry], [%i1, %close]\n  %away1 = mul i64 %i, %s1\n  br label %inner"
    yield "inner:\n  %j = phi i64 [0, %outer], [%j1, %inner]\n  %away2 = mul i64 %j, %s2"
    yield "  %away = add i64 %away1, %away2\n  %at = getelementptr i8, ptr %first, i64 %away"
    yield "  %row = mul i64 %i, %n2\n  %k = add i64 %row, %j"
    yield f"  %q = getelementptr {fmt.vector}, ptr %columns, i64 %k"
    yield from move
    yield "  %j1 = add i64 %j, 1\n  %more2 = icmp slt i64 %j1, %n2\n  br i1 %more2, label %inner, label %close"
    yield "close:\n  %i1 = add i64 %i, 1\n  %more1 = icmp slt i64 %i1, %n1\n  br i1 %more1, label %outer, label %end"
    yield "end:\n  ret void\n}"


def _splat(name: str, kind: str, vector: str, width: int) -> Iterator[str]:
    """A value in all lanes."""
    yield f"  {name}.0 = insertelement {vector} poison, {kind} {name}, i64 0"
    yield f"  {name}.s = shufflevector {vector} {name}.0, {vector} poison, <{width} x i32> zeroinitializer"


@dataclass(frozen=True, slots=True)
class Array:
    """An array argument of the kernel: a vector or a matrix a state."""

    index: int
    shape: Shape
    fmt: Format

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def done(self) -> str:
        return f"done{self.index}"

    def described(self, stride: int) -> Iterator[str]:
        """Its address and its strides as those of a matrix; whether a row is without gaps, and whether all of it is."""
        k, size = self.index, self.fmt.bytes
        yield f"  %p{k}.p = getelementptr ptr, ptr %args, i64 {k}\n  %p{k} = load ptr, ptr %p{k}.p"
        for axis, name in enumerate(("batch", "inner") if len(self.shape) == 1 else ("batch", "outer", "inner")):
            yield f"  %{name}{k}.p = getelementptr i64, ptr %strides, i64 {stride + axis}"
            yield f"  %{name}{k} = load i64, ptr %{name}{k}.p"
        if len(self.shape) == 1:
            yield f"  %outer{k} = mul i64 %inner{k}, {self.shape[0]}"
        for name, close in (("inner", size), ("outer", size * self.shape[-1]), ("batch", size * self.size)):
            yield f"  %{name}{k}.close = icmp eq i64 %{name}{k}, {close}"
        yield f"  %close{k} = and i1 %inner{k}.close, %outer{k}.close\n  %dense{k} = and i1 %close{k}, %batch{k}.close"

    def moved(self, way: str, scratch: str, column: int) -> Iterator[str]:
        """One block of it, from rows to columns or back."""
        k, (n1, n2) = self.index, (1, *self.shape)[-2:]
        yield f"  %away{k} = mul i64 %i, %batch{k}\n  %first{k} = getelementptr i8, ptr %p{k}, i64 %away{k}"
        yield f"  %columns{k} = getelementptr {self.fmt.vector}, ptr {scratch}, i64 {column}"
        block, columns = f"ptr %first{k}, i64 %batch{k}, i64 %last", f"ptr %columns{k}"
        matrix = f"i64 {n1}, i64 {n2}, i64 %outer{k}, i64 %inner{k}"
        if self.size <= MOST_AT_ONCE:
            yield f"  %all{k} = and i1 %dense{k}, %whole\n  br i1 %all{k}, label %run{k}, label %some{k}\nrun{k}:"
            yield f"  call void @{way}{self.size}_run(ptr %first{k}, {columns})\n  br label %{self.done}\nsome{k}:"
        yield f"  br i1 %single, label %alone{k}, label %several{k}\nalone{k}:"
        yield f"  call void @alone_{way}(ptr %first{k}, {columns}, {matrix})\n  br label %{self.done}\nseveral{k}:"
        yield f"  br i1 %close{k}, label %rows{k}, label %strided{k}\nrows{k}:"
        yield f"  call void @{way}{self.size}({block}, {columns})\n  br label %{self.done}\nstrided{k}:"
        yield f"  call void @strided_{way}({block}, {columns}, {matrix})\n  br label %{self.done}\n{self.done}:"
