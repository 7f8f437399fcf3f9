"""The C extension of the call layer; everything else is in pyproject.toml."""

import numpy
from setuptools import Extension, setup

CALL_LAYER = Extension(
    "linkwise.kernel._call",
    sources=["src/linkwise/kernel/_call.c"],
    include_dirs=[numpy.get_include()],
    optional=True,  # without a compiler, the call layer in Python serves
)

setup(ext_modules=[CALL_LAYER])
