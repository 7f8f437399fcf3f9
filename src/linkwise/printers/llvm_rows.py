"""Moving a block of states between rows in memory and columns, one vector a scalar.

Where the numbers of a state lie side by side, a vector is read from every state's row and a square of them is
transposed; otherwise every column is gathered, or scattered, by its addresses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
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

    def first(self, lanes: int) -> str:
        """A mask of the first lanes."""
        return "<" + ", ".join(f"i1 {int(i < lanes)}" for i in range(self.width)) + ">"


def row_functions(fmt: Format, cores: Sequence[Shape], result: Shape) -> Iterator[str]:
    """The functions that arrays call: whole squares, the parts that rows end in, and arrays of any strides."""
    yield from _declarations(fmt)
    yield from _lanes(fmt)
    for lanes in sorted({lanes for shape in cores for lanes in _squares(prod(shape), fmt)}):
        yield from _columns(fmt, lanes)
    for lanes in sorted(_squares(prod(result), fmt)):
        yield from _rows(fmt, lanes)
    yield from _strided(fmt, "columns")
    yield from _strided(fmt, "rows")


def _squares(size: int, fmt: Format) -> set[int]:
    """How many lanes of a square a row of this size needs: all of them, or those of a part, or both."""
    return {lanes for lanes in (min(size, fmt.width), size % fmt.width) if lanes}


def _declarations(fmt: Format) -> Iterator[str]:
    v, s, m = fmt.vector, fmt.suffix, fmt.mask
    ps = f"<{fmt.width} x ptr>"
    yield f"declare {v} @llvm.masked.load.{s}.p0(ptr, i32, {m}, {v})"
    yield f"declare void @llvm.masked.store.{s}.p0({v}, ptr, i32, {m})"
    yield f"declare {v} @llvm.masked.gather.{s}.v{fmt.width}p0({ps}, i32, {m}, {v})"
    yield f"declare void @llvm.masked.scatter.{s}.v{fmt.width}p0({v}, {ps}, i32, {m})"
    yield f"declare {fmt.addresses} @llvm.smin.v{fmt.width}i64({fmt.addresses}, {fmt.addresses})"


def _lanes(fmt: Format) -> Iterator[str]:
    """Where each lane's state begins; lanes beyond the last state share that one's place."""
    a, w = fmt.addresses, fmt.width
    steps = ", ".join(f"i64 {i}" for i in range(w))
    yield f"define internal {a} @lanes(i64 %p, i64 %stride, i64 %i, i64 %last) alwaysinline {{"
    yield from _splats(fmt, "p", "stride", "i", "last")
    yield f"  %own = add {a} %i.s, <{steps}>"
    yield f"  %there = call {a} @llvm.smin.v{w}i64({a} %own, {a} %last.s)"
    yield f"  %away = mul {a} %there, %stride.s\n  %at = add {a} %p.s, %away\n  ret {a} %at\n}}"


def _splats(fmt: Format, *names: str) -> Iterator[str]:
    """i64 arguments in all lanes."""
    a = fmt.addresses
    for name in names:
        yield f"  %{name}.0 = insertelement {a} poison, i64 %{name}, i64 0"
        yield f"  %{name}.s = shufflevector {a} %{name}.0, {a} poison, <{fmt.width} x i32> zeroinitializer"


def _columns(fmt: Format, lanes: int) -> Iterator[str]:
    """So many numbers of every state's row become as many columns."""
    v, w = fmt.vector, fmt.width
    yield f"define internal void @columns{lanes}({fmt.addresses} %at, ptr %to) {{"
    for i in range(w):
        yield from _pointer(fmt, i)
        if lanes == w:
            yield f"  %t0.{i} = load {v}, ptr %p{i}, align {fmt.bytes}"
        else:
            given = f"ptr %p{i}, i32 {fmt.bytes}, {fmt.mask} {fmt.first(lanes)}, {v} zeroinitializer"
            yield f"  %t0.{i} = call {v} @llvm.masked.load.{fmt.suffix}.p0({given})"
    yield from _transposed(fmt)
    for k in range(lanes):
        yield f"  %q{k} = getelementptr {v}, ptr %to, i64 {k}\n  store {v} %t{_stages(w)}.{k}, ptr %q{k}"
    yield "  ret void\n}"


def _rows(fmt: Format, lanes: int) -> Iterator[str]:
    """As many columns become so many numbers of every state's row."""
    v, w = fmt.vector, fmt.width
    yield f"define internal void @rows{lanes}({fmt.addresses} %at, ptr %from) {{"
    for k in range(w):
        yield f"  %q{k} = getelementptr {v}, ptr %from, i64 {k}\n  %t0.{k} = load {v}, ptr %q{k}"
    yield from _transposed(fmt)
    for i in range(w):
        yield from _pointer(fmt, i)
        row = f"{v} %t{_stages(w)}.{i}"
        if lanes == w:
            yield f"  store {row}, ptr %p{i}, align {fmt.bytes}"
        else:
            given = f"{row}, ptr %p{i}, i32 {fmt.bytes}, {fmt.mask} {fmt.first(lanes)}"
            yield f"  call void @llvm.masked.store.{fmt.suffix}.p0({given})"
    yield "  ret void\n}"


def _pointer(fmt: Format, i: int) -> Iterator[str]:
    yield f"  %a{i} = extractelement {fmt.addresses} %at, i64 {i}\n  %p{i} = inttoptr i64 %a{i} to ptr"


def _stages(width: int) -> int:
    return width.bit_length() - 1


def _transposed(fmt: Format) -> Iterator[str]:
    """A square of vectors transposed: at every stage, off-diagonal squares of a half, a quarter … change places."""
    v, w = fmt.vector, fmt.width
    for before, after in pairwise(range(_stages(w) + 1)):
        step = 1 << before
        for i in (i for i in range(w) if not i & step):
            upper, lower = f"{v} %t{before}.{i}", f"{v} %t{before}.{i + step}"
            low = ", ".join(f"i32 {k if not k & step else k - step + w}" for k in range(w))
            high = ", ".join(f"i32 {k + step if not k & step else k + w}" for k in range(w))
            yield f"  %t{after}.{i} = shufflevector {upper}, {lower}, <{w} x i32> <{low}>"
            yield f"  %t{after}.{i + step} = shufflevector {upper}, {lower}, <{w} x i32> <{high}>"


def _strided(fmt: Format, way: str) -> Iterator[str]:
    """A matrix (n1, n2) a state with any strides, one column after the other."""
    v, w, a = fmt.vector, fmt.width, fmt.addresses
    yield f"define internal void @strided_{way}({a} %at, i64 %n1, i64 %n2, i64 %s1, i64 %s2, ptr %scratch) {{"
    yield "entry:\n  br label %outer"
    yield "outer:\n  %i = phi i64 [0, %entry], [%i1, %close]\n  %away1 = mul i64 %i, %s1\n  br label %inner"
    yield "inner:\n  %j = phi i64 [0, %outer], [%j1, %inner]\n  %away2 = mul i64 %j, %s2"
    yield "  %away = add i64 %away1, %away2"
    yield from _splats(fmt, "away")
    yield f"  %there = add {a} %at, %away.s\n  %p = inttoptr {a} %there to <{w} x ptr>"
    yield f"  %row = mul i64 %i, %n2\n  %k = add i64 %row, %j\n  %q = getelementptr {v}, ptr %scratch, i64 %k"
    where = f"<{w} x ptr> %p, i32 {fmt.bytes}, {fmt.mask} {fmt.first(w)}"
    intrinsic = f"{fmt.suffix}.v{w}p0"
    if way == "columns":
        yield f"  %x = call {v} @llvm.masked.gather.{intrinsic}({where}, {v} zeroinitializer)\n  store {v} %x, ptr %q"
    else:
        yield f"  %x = load {v}, ptr %q\n  call void @llvm.masked.scatter.{intrinsic}({v} %x, {where})"
    yield "  %j1 = add i64 %j, 1\n  %more2 = icmp slt i64 %j1, %n2\n  br i1 %more2, label %inner, label %close"
    yield "close:\n  %i1 = add i64 %i, 1\n  %more1 = icmp slt i64 %i1, %n1\n  br i1 %more1, label %outer, label %end"
    yield "end:\n  ret void\n}"


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
    def part(self) -> int:
        """How many numbers of a row are left over by whole squares."""
        return self.size % self.fmt.width

    @property
    def done(self) -> str:
        return f"done{self.index}"

    def described(self, stride: int) -> Iterator[str]:
        """Its address, its strides as those of a matrix, and whether a state's numbers lie side by side."""
        k, size = self.index, self.fmt.bytes
        yield f"  %p{k}.p = getelementptr ptr, ptr %args, i64 {k}\n  %p{k} = load i64, ptr %p{k}.p"
        for axis, name in enumerate(("batch", "inner") if len(self.shape) == 1 else ("batch", "outer", "inner")):
            yield f"  %{name}{k}.p = getelementptr i64, ptr %strides, i64 {stride + axis}"
            yield f"  %{name}{k} = load i64, ptr %{name}{k}.p"
        if len(self.shape) == 1:
            yield f"  %outer{k} = mul i64 %inner{k}, {self.shape[0]}"
        yield f"  %inner{k}.close = icmp eq i64 %inner{k}, {size}"
        yield f"  %outer{k}.close = icmp eq i64 %outer{k}, {size * self.shape[-1]}"
        yield f"  %close{k} = and i1 %inner{k}.close, %outer{k}.close"

    def moved(self, way: str, scratch: str, column: int) -> Iterator[str]:
        """One block of it, from rows to columns or back."""
        k, a = self.index, self.fmt.addresses
        n1, n2 = (1, *self.shape)[-2:]
        yield f"  %at{k} = call {a} @lanes(i64 %p{k}, i64 %batch{k}, i64 %i, i64 %last)"
        yield f"  %scratch{k} = getelementptr {self.fmt.vector}, ptr {scratch}, i64 {column}"
        yield f"  br i1 %close{k}, label %squares{k}, label %strided{k}"
        yield f"strided{k}:"
        sizes = f"i64 {n1}, i64 {n2}, i64 %outer{k}, i64 %inner{k}"
        yield f"  call void @strided_{way}({a} %at{k}, {sizes}, ptr %scratch{k})\n  br label %{self.done}"
        yield f"squares{k}:"
        yield from self._squares(way)
        yield f"part{k}:"
        yield from self._part(way)
        yield f"  br label %{self.done}\n{self.done}:"

    def _squares(self, way: str) -> Iterator[str]:
        """Whole squares in a loop."""
        k, fmt = self.index, self.fmt
        whole = self.size - self.part
        if whole == 0:
            yield f"  br label %part{k}"
            return
        yield f"  br label %square{k}\nsquare{k}:"
        yield f"  %c{k} = phi i64 [0, %squares{k}], [%c{k}.next, %square{k}]"
        yield from self._square(way, f"%c{k}", str(fmt.width), f"sq{k}")
        yield f"  %c{k}.next = add i64 %c{k}, {fmt.width}\n  %c{k}.more = icmp slt i64 %c{k}.next, {whole}"
        yield f"  br i1 %c{k}.more, label %square{k}, label %part{k}"

    def _part(self, way: str) -> Iterator[str]:
        if self.part:
            yield from self._square(way, str(self.size - self.part), str(self.part), f"pt{self.index}")

    def _square(self, way: str, column: str, lanes: str, tag: str) -> Iterator[str]:
        a, k = self.fmt.addresses, self.index
        yield f"  %{tag}.off = mul i64 {column}, {self.fmt.bytes}"
        yield f"  %{tag}.0 = insertelement {a} poison, i64 %{tag}.off, i64 0"
        yield f"  %{tag}.s = shufflevector {a} %{tag}.0, {a} poison, <{self.fmt.width} x i32> zeroinitializer"
        yield f"  %{tag}.at = add {a} %at{k}, %{tag}.s"
        yield f"  %{tag}.to = getelementptr {self.fmt.vector}, ptr %scratch{k}, i64 {column}"
        yield f"  call void @{way}{lanes}({a} %{tag}.at, ptr %{tag}.to)"
