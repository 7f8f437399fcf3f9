"""What a printed C file brings along beside its function: the operations that C99 does not have, written in C.

In the texts, REAL, WORD and SUFFIX stand for the floating-point type, the unsigned integer of its size and the suffix
of its numbers and functions.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of C, and the names of those that have to stand before it."""

    text: str
    needs: tuple[str, ...] = ()


CONDITIONS = """\
#if defined(__FAST_MATH__)
#error "compile without -ffast-math: every operation here relies on being rounded by itself"
#endif
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error "compile for arithmetic in the precision of its operands, on x86 with -msse2 -mfpmath=sse"
#endif
#if defined(__clang__) || !defined(__GNUC__)
#pragma STDC FP_CONTRACT OFF
#else
/* Vectors of GCC fuse products into sums even where contraction is off. */
#pragma GCC optimize("fp-contract=off", "no-tree-vectorize")
#endif
"""

QUADRANT = """\
typedef union {
    REAL value;
    WORD bits;
} linkwise_quadrant;
"""

QUADRANT_SIN = """\
/* The one of s, c, -s, -c that the two low bits of j say. */
static REAL linkwise_quadrant_sin(REAL j, REAL s, REAL c)
{
    const linkwise_quadrant k = {j};
    const REAL chosen = (k.bits & 1u) ? c : s;
    return (k.bits & 2u) ? -chosen : chosen;
}
"""

QUADRANT_COS = """\
/* The one of c, -s, -c, s that the two low bits of j say. */
static REAL linkwise_quadrant_cos(REAL j, REAL s, REAL c)
{
    const linkwise_quadrant k = {j};
    const REAL chosen = (k.bits & 1u) ? s : c;
    return ((k.bits ^ (k.bits >> 1)) & 1u) ? -chosen : chosen;
}
"""

FAR = """\
/* What was worked out for an angle that is not far from nought, else what serves for any. */
static REAL linkwise_far_NAME(REAL x, REAL near)
{
    return (x >= -LIMIT && x <= LIMIT) ? near : BEYOND;
}
"""

DIGITS = """\
typedef union {
    double value;
    uint64_t bits;
} linkwise_digits;
"""

MANTISSA = """\
/* |x| = mantissa 2^exponent with 2^52 <= mantissa < 2^53; x is finite and not nought. */
static uint64_t linkwise_mantissa(double x, int *exponent)
{
    const linkwise_digits digits = {x};
    uint64_t mantissa = digits.bits & 0xfffffffffffff;
    *exponent = (int)((digits.bits >> 52) & 0x7ff) - 1075;
    if (*exponent > -1075) {
        return mantissa | 0x10000000000000;
    }
    for (*exponent = -1074; mantissa < 0x10000000000000; *exponent -= 1) {
        mantissa <<= 1;
    }
    return mantissa;
}
"""

SQRT = """\
/* The root of x, rounded once: 54 binary digits, the last of which says where to round. */
static double linkwise_sqrt(double x)
{
    linkwise_digits root;
    uint64_t mantissa, found = 0, rest = 0;
    int exponent, place;
    if (!(x > 0.0 && x <= DBL_MAX)) {
        return x < 0.0 ? (double)NAN : x;
    }
    mantissa = linkwise_mantissa(x, &exponent);
    if (exponent % 2 != 0) {
        mantissa <<= 1;
        exponent -= 1;
    }
    for (place = 106; place >= 0; place -= 2) {
        rest = (rest << 2) | (place >= 54 ? (mantissa >> (place - 54)) & 3u : 0u);
        found <<= 1;
        if (rest > 2 * found) {
            rest -= 2 * found + 1;
            found += 1;
        }
    }
    root.bits = ((found + 1) >> 1) + ((uint64_t)(exponent / 2 + 1048) << 52);
    return root.value;
}
"""

SQRTF = """\
/* The root of x, rounded once: a double has digits enough for rounding it again to do no harm. */
static float linkwise_sqrtf(float x)
{
    return (float)linkwise_sqrt((double)x);
}
"""

WIDE = """\
/* An integer of 128 bits. */
typedef struct {
    uint64_t high, low;
} linkwise_wide;

/* x / 2^n, with the last bit set if any bit is lost. */
static linkwise_wide linkwise_shifted(linkwise_wide x, int n)
{
    uint64_t lost = 0;
    for (; n > 0 && (x.high | x.low) != 0; n -= n < 32 ? n : 32) {
        const int step = n < 32 ? n : 32;
        lost |= x.low << (64 - step);
        x.low = (x.low >> step) | (x.high << (64 - step));
        x.high >>= step;
    }
    x.low |= (uint64_t)(lost != 0);
    return x;
}

/* x 2^exponent, rounded to the nearest double; x is not nought. */
static double linkwise_rounded(linkwise_wide x, int exponent)
{
    linkwise_digits result;
    uint64_t rest;
    for (; !(x.high >> 63); exponent -= 1) {
        x.high = (x.high << 1) | (x.low >> 63);
        x.low <<= 1;
    }
    exponent += 127;
    if (exponent > 1023) {
        return (double)INFINITY;
    }
    x = linkwise_shifted(x, 64 + (exponent < -1022 ? -1022 - exponent : 0));
    rest = x.low & 0x7ff;
    result.bits = x.low >> 11;
    result.bits += (uint64_t)(rest > 0x400 || (rest == 0x400 && (result.bits & 1u)));
    result.bits += (uint64_t)(exponent > -1022 ? exponent + 1022 : 0) << 52;
    return result.value;
}
"""

FMA = """\
/* a b 2^20 for factors of 53 bits. */
static linkwise_wide linkwise_product(uint64_t a, uint64_t b)
{
    const uint64_t a1 = a >> 32, a0 = a & 0xffffffff, b1 = b >> 32, b0 = b & 0xffffffff;
    const uint64_t one = a1 * b0 + ((a0 * b0) >> 32);
    const uint64_t other = a0 * b1 + (one & 0xffffffff);
    const uint64_t low = (other << 32) | ((a0 * b0) & 0xffffffff);
    linkwise_wide product;
    product.high = ((a1 * b1 + (one >> 32) + (other >> 32)) << 20) | (low >> 44);
    product.low = low << 20;
    return product;
}

/* (minus ? -x : x) + (less ? -y : y), times 2^exponent, rounded to the nearest double. */
static double linkwise_sum(int minus, linkwise_wide x, int less, linkwise_wide y, int exponent)
{
    const int turned = minus != less && (y.high > x.high || (y.high == x.high && y.low > x.low));
    const linkwise_wide small = turned ? x : y;
    linkwise_wide size = turned ? y : x;
    double value;
    if (minus == less) {
        size.low += small.low;
        size.high += small.high + (uint64_t)(size.low < small.low);
    } else {
        size.high -= small.high + (uint64_t)(size.low < small.low);
        size.low -= small.low;
    }
    if ((size.high | size.low) == 0) {
        return 0.0;
    }
    value = linkwise_rounded(size, exponent);
    return (turned ? less : minus) ? -value : value;
}

/* a b + c, rounded once. */
static double linkwise_fma(double a, double b, double c)
{
    linkwise_wide product, term;
    int exponent, more, minus = (a < 0.0) != (b < 0.0);
#if defined(__FP_FAST_FMA) || defined(__FMA__)
    return __builtin_fma(a, b, c);
#endif
    if (!(a * 0.0 == 0.0 && b * 0.0 == 0.0) || a == 0.0 || b == 0.0) {
        return a * b + c;
    }
    if (!(c * 0.0 == 0.0)) {
        return c;
    }
    product = linkwise_product(linkwise_mantissa(a, &exponent), linkwise_mantissa(b, &more));
    exponent += more - 20;
    term.high = term.low = 0;
    if (c == 0.0) {
        return linkwise_sum(minus, product, minus, term, exponent);
    }
    term.high = linkwise_mantissa(c, &more) << 9;
    more -= 73;
    if (more > exponent) {
        product = linkwise_shifted(product, more - exponent);
        exponent = more;
    } else {
        term = linkwise_shifted(term, exponent - more);
    }
    return linkwise_sum(minus, product, c < 0.0, term, exponent);
}
"""

FMAF = """\
/* a b + c, rounded once: in double precision to a last digit that tells of any rest, and then to float. */
static float linkwise_fmaf(float a, float b, float c)
{
    const double product = (double)a * (double)b, term = (double)c;
    linkwise_digits sum = {product + term};
    const double part = sum.value - product;
    const double rest = (product - (sum.value - part)) + (term - part);
#if defined(__FP_FAST_FMAF) || defined(__FMA__)
    return __builtin_fmaf(a, b, c);
#endif
    if ((rest < 0.0 || rest > 0.0) && !(sum.bits & 1u)) {
        sum.bits = (rest > 0.0) == (sum.value > 0.0) ? sum.bits + 1 : sum.bits - 1;
    }
    return (float)sum.value;
}
"""

PARTS = {
    "quadrant": Part(QUADRANT),
    "quadrant_sin": Part(QUADRANT_SIN, ("quadrant",)),
    "quadrant_cos": Part(QUADRANT_COS, ("quadrant",)),
    "far_sin": Part(FAR.replace("NAME", "sin")),
    "far_cos": Part(FAR.replace("NAME", "cos")),
    "digits": Part(DIGITS),
    "mantissa": Part(MANTISSA, ("digits",)),
    "wide": Part(WIDE, ("digits",)),
    "sqrt": Part(SQRT, ("mantissa",)),
    "sqrtf": Part(SQRTF, ("sqrt",)),
    "fma": Part(FMA, ("mantissa", "wide")),
    "fmaf": Part(FMAF, ("digits",)),
}
