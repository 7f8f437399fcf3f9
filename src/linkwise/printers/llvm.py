"""LLVM's intermediate language: a lowered program as a kernel over a batch, a vector of states at a time.

The kernel is `void kernel(char **args, const ptrdiff_t *strides, ptrdiff_t count)`: a pointer to every input array and
then to the output, and in bytes, array by array, the stride of the batch and those of the core axes. A block of
states is laid out in columns, one vector a scalar, in a scratch area; the program runs on vectors; its outputs are
laid out in rows again. Lanes beyond the last state repeat that state, down to writing the same numbers to the same
place, so that batches of every length run through the same code.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from itertools import groupby

from ..expr import Node, Program
from ..expr.schedule import FAR_OPERATIONS, scheduled
from ..expr.trigonometry import FAR
from .llvm_rows import Array, Format, Shape, row_functions


def kernel(program: Program, cores: Sequence[Shape], result: Shape, fmt: Format) -> str:
    """The module of a program whose inputs fill arrays of these core shapes in turn, and its outputs the result."""
    lines = [
        *declarations(fmt),
        *row_functions(fmt, cores, result),
        *far_functions(fmt),
        *body(program, fmt),
        *loop(cores, result, fmt),
    ]
    return "\n".join(lines) + "\n"


def declarations(fmt: Format) -> Iterator[str]:
    v, s = fmt.vector, fmt.suffix
    yield f"declare {v} @llvm.fma.{s}({v}, {v}, {v})"
    yield f"declare {v} @llvm.sqrt.{s}({v})"
    yield f"declare {v} @llvm.fabs.{s}({v})"
    yield "declare double @sin(double)"
    yield "declare double @cos(double)"


def far_functions(fmt: Format) -> Iterator[str]:
    """Sine and cosine lane by lane: the library's where the angle is far, what is given where it is near."""
    v, t, w = fmt.vector, fmt.name, fmt.width
    for name in ("sin", "cos"):
        yield f"define internal {v} @far_{name}({v} %x, {v} %near) noinline cold {{\nentry:\n  br label %lane"
        yield f"lane:\n  %i = phi i32 [0, %entry], [%next, %done]\n  %y = phi {v} [%near, %entry], [%z, %done]"
        yield f"  %xi = extractelement {v} %x, i32 %i"
        wide = "%xi"
        if t == "float":
            yield "  %wide = fpext float %xi to double"
            wide = "%wide"
        yield f"  %negative = fneg double {wide}\n  %up = fcmp ole double {wide}, {as_double(FAR)}"
        yield f"  %down = fcmp ole double %negative, {as_double(FAR)}\n  %near_one = and i1 %up, %down"
        yield f"  br i1 %near_one, label %done, label %beyond\nbeyond:\n  %r = call double @{name}(double {wide})"
        value = "%r"
        if t == "float":
            yield "  %narrow = fptrunc double %r to float"
            value = "%narrow"
        yield f"  %put = insertelement {v} %y, {t} {value}, i32 %i\n  br label %done"
        yield f"done:\n  %z = phi {v} [%y, %lane], [%put, %beyond]\n  %next = add i32 %i, 1"
        yield f"  %more = icmp ult i32 %next, {w}\n  br i1 %more, label %lane, label %end\nend:\n  ret {v} %z\n}}"


def as_double(value: float) -> str:
    return f"0x{struct.pack('>d', value).hex().upper()}"


def number(value: float, fmt: Format) -> str:
    """A number in all lanes; that of a float is written as the double that equals it."""
    if fmt.name == "float":
        value = struct.unpack("f", struct.pack("f", value))[0]
    return f"splat ({fmt.name} {as_double(value)})"


def integer(value: int, fmt: Format) -> str:
    return f"splat (i{fmt.bits} {value})"


def body(program: Program, fmt: Format) -> Iterator[str]:
    """The program itself, from columns of inputs to columns of outputs.

    An output is stored as soon as it is there: it would only wait in memory, to be read and stored again. What does
    wait there for want of registers is to lie in one cache line each, which takes an aligned stack.
    """
    yield f"define internal void @body(ptr noalias %in, ptr noalias %out) alignstack({fmt.span}) {{"
    yield "entry:"
    writer = Writer(program, fmt)
    for is_far, run in groupby(scheduled(program), key=lambda node: node.op in FAR_OPERATIONS):
        nodes = list(run)
        if is_far:
            yield from writer.far(nodes)
        for node in nodes:
            yield from () if is_far else writer.node(node)
            yield from writer.stores(node)
    yield "  ret void\n}"


ARITHMETIC = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}


class Writer:
    """Writes nodes one after the other, and knows the names that they have got."""

    def __init__(self, program: Program, fmt: Format) -> None:
        self.fmt = fmt
        self._position = {name: i for i, name in enumerate(program.inputs)}
        self._places: dict[Node, list[int]] = {}
        for i, node in enumerate(program.outputs):
            self._places.setdefault(node, []).append(i)
        self._names: dict[Node, str] = {}
        self._branches = 0

    def name(self, node: Node) -> str:
        if node.op == "const":
            return number(node.value, self.fmt)
        return self._names.setdefault(node, f"%v{len(self._names)}")

    def node(self, node: Node) -> Iterator[str]:
        if node.op == "const":
            return
        v, r, args = self.fmt.vector, self.name(node), [self.name(a) for a in node.args]
        if node.op == "input":
            yield f"  {r}.p = getelementptr {v}, ptr %in, i64 {self._position[node.value]}"
            yield f"  {r} = load {v}, ptr {r}.p"
        elif node.op in ARITHMETIC:
            yield f"  {r} = {ARITHMETIC[node.op]} {v} {args[0]}, {args[1]}"
        elif node.op == "positive":
            nan = f"splat ({self.fmt.name} 0x7FF8000000000000)"
            yield f"  {r}.is = fcmp ogt {v} {args[0]}, zeroinitializer"
            yield f"  {r} = select {self.fmt.mask} {r}.is, {v} {args[0]}, {v} {nan}"
        elif node.op == "sign":
            yield f"  {r}.up = fcmp ogt {v} {args[0]}, zeroinitializer"
            yield f"  {r}.down = fcmp olt {v} {args[0]}, zeroinitializer"
            yield f"  {r}.below = select {self.fmt.mask} {r}.down, {v} {number(-1.0, self.fmt)}, {v} {args[0]}"
            yield f"  {r} = select {self.fmt.mask} {r}.up, {v} {number(1.0, self.fmt)}, {v} {r}.below"
        elif node.op == "neg":
            yield f"  {r} = fneg {v} {args[0]}"
        elif node.op in ("fma", "sqrt"):
            given = ", ".join(f"{v} {a}" for a in args)
            yield f"  {r} = call {v} @llvm.{node.op}.{self.fmt.suffix}({given})"
        else:
            yield from self._quadrant(r, node.op, *args)

    def _quadrant(self, r: str, op: str, j: str, s: str, c: str) -> Iterator[str]:
        """Sine and cosine change places on odd quarters, and signs by the next bit."""
        v, i, fmt = self.fmt.vector, self.fmt.integers, self.fmt
        own, other = (s, c) if op == "quadrant_sin" else (c, s)
        yield f"  {r}.n = bitcast {v} {j} to {i}"
        yield f"  {r}.o = and {i} {r}.n, {integer(1, fmt)}"
        yield f"  {r}.odd = icmp ne {i} {r}.o, {integer(0, fmt)}"
        yield f"  {r}.abs = select <{fmt.width} x i1> {r}.odd, {v} {other}, {v} {own}"
        yield f"  {r}.k = add {i} {r}.n, {integer(int(op == 'quadrant_cos'), fmt)}"
        yield f"  {r}.up = shl {i} {r}.k, {integer(fmt.bits - 2, fmt)}"
        yield f"  {r}.sign = and {i} {r}.up, {integer(-(1 << (fmt.bits - 1)), fmt)}"
        yield f"  {r}.bits = bitcast {v} {r}.abs to {i}"
        yield f"  {r}.signed = xor {i} {r}.bits, {r}.sign"
        yield f"  {r} = bitcast {i} {r}.signed to {v}"

    def far(self, run: list[Node]) -> Iterator[str]:
        """One branch for all angles: the library is asked if any lane of any of them is far."""
        v, w, n = self.fmt.vector, self.fmt.width, self._branches
        self._branches += 1
        angles = dict.fromkeys(node.args[0] for node in run)
        some = f"%far{n}.none"
        yield f"  {some}0 = xor <{w} x i1> zeroinitializer, zeroinitializer"
        for k, x in enumerate(angles):
            yield f"  %far{n}.abs{k} = call {v} @llvm.fabs.{self.fmt.suffix}({v} {self.name(x)})"
            yield f"  %far{n}.is{k} = fcmp ugt {v} %far{n}.abs{k}, {number(FAR, self.fmt)}"
            yield f"  {some}{k + 1} = or <{w} x i1> {some}{k}, %far{n}.is{k}"
        yield f"  %far{n}.bits = bitcast <{w} x i1> {some}{len(angles)} to i{w}"
        yield f"  %far{n}.any = icmp ne i{w} %far{n}.bits, 0"
        yield f"  br label %far{n}.test\nfar{n}.test:"
        yield f"  br i1 %far{n}.any, label %far{n}.ask, label %far{n}.on, !prof !0\nfar{n}.ask:"
        for node in run:
            x, near = (self.name(a) for a in node.args)
            yield f"  {self.name(node)}.far = call {v} @{node.op}({v} {x}, {v} {near})"
        yield f"  br label %far{n}.on\nfar{n}.on:"
        for node in run:
            r, near = self.name(node), self.name(node.args[1])
            yield f"  {r} = phi {v} [{near}, %far{n}.test], [{r}.far, %far{n}.ask]"

    def stores(self, node: Node) -> Iterator[str]:
        """Wherever it is an output."""
        v = self.fmt.vector
        for i in self._places.get(node, ()):
            yield f"  %out{i} = getelementptr {v}, ptr %out, i64 {i}"
            yield f"  store {v} {self.name(node)}, ptr %out{i}"


def loop(cores: Sequence[Shape], result: Shape, fmt: Format) -> Iterator[str]:
    """The loop over blocks of states: columns of every input, the program, rows of the output."""
    *inputs, output = (Array(k, shape, fmt) for k, shape in enumerate((*cores, result)))
    yield "define void @kernel(ptr %args, ptr %strides, i64 %count) {\nentry:"
    for name, columns in (("in", sum(array.size for array in inputs)), ("out", output.size)):
        yield f"  %{name} = alloca [{columns} x {fmt.vector}], align {fmt.span}"
    stride = 0
    for array in (*inputs, output):
        yield from array.described(stride)
        stride += 1 + len(array.shape)
    yield "  %some = icmp sgt i64 %count, 0\n  br i1 %some, label %block, label %end\nblock:"
    yield f"  %i = phi i64 [0, %entry], [%next, %{output.done}]\n  %left = sub i64 %count, %i"
    yield f"  %states = call i64 @llvm.smin.i64(i64 %left, i64 {fmt.width})\n  %last = sub i64 %states, 1"
    yield f"  %whole = icmp eq i64 %states, {fmt.width}\n  %single = icmp eq i64 %states, 1"
    column = 0
    for array in inputs:
        yield from array.moved("columns", "%in", column)
        column += array.size
    yield "  call void @body(ptr %in, ptr %out)"
    yield from output.moved("rows", "%out", 0)
    yield f"  %next = add i64 %i, {fmt.width}\n  %more = icmp slt i64 %next, %count"
    yield "  br i1 %more, label %block, label %end\nend:\n  ret void\n}"
    yield '!0 = !{!"branch_weights", i32 1, i32 1000000}'
