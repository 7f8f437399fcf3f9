"""Which names a C function may have, and how any text becomes one of them."""

from __future__ import annotations

import re

_KEYWORDS = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class co_await
    co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default delete do
    double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable
    namespace new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast
    requires restrict return short signed sizeof static static_assert static_cast struct switch template this
    thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor
    xor_eq
"""
"""Of C and of C++, which may include the header."""

_MATH = """
    acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma fmax
    fmin fmod frexp hypot ilogb ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround modf nan nearbyint
    nextafter nexttoward pow remainder remquo rint round scalbln scalbn sin sinh sqrt tan tanh tgamma trunc
"""
"""The functions of the mathematical library, which exist with the endings f and l, too."""

RESULT = "result"

TAKEN = {"main", RESULT, *_KEYWORDS.split(), *(name + suffix for name in _MATH.split() for suffix in ("", "f", "l"))}
IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
OURS = re.compile(r"t[0-9]+|linkwise_.*|LINKWISE_.*", re.IGNORECASE)


def is_identifier(name: str) -> bool:
    """Whether a function may have this name, in C and in C++.

    >>> [is_identifier(name) for name in ("arm_fd", "2nd", "int", "t12", "_arm", "fmaf")]
    [True, False, False, False, False, False]
    """
    return bool(IDENTIFIER.fullmatch(name)) and name not in TAKEN and not OURS.fullmatch(name)


def identifier(text: str) -> str:
    """A name for a function made of any text: letters beyond ASCII by their code points, other signs as one _.

    >>> [identifier(text) for text in ("puma-560 bias", "7dof", "Arm β", "", "int")]
    ['puma_560_bias', 'robot_7dof', 'Arm_u03b2', 'robot', 'robot_int']
    """
    plain = "".join(c if c.isascii() else f"_u{ord(c):04x}_" for c in text)
    name = "_".join(re.findall("[A-Za-z0-9]+", plain))
    return name if is_identifier(name) else f"robot_{name}".rstrip("_")
