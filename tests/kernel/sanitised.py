"""Runs the tests of the call layer on a copy of the package whose extension is built with warnings and sanitisers.

Leaks are not looked for: Python itself keeps much until its end.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import numpy as np

HOME = Path(__file__).parents[2]
SANITISE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-g", "-O1"]
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]


def build(package: Path) -> None:
    shutil.copytree(HOME / "src" / "linkwise", package, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    headers = ["-isystem", sysconfig.get_path("include"), "-isystem", np.get_include()]
    stem = package / "kernel" / "_call"
    extension = f"{stem}{sysconfig.get_config_var('EXT_SUFFIX')}"
    subprocess.run(["gcc", "-shared", "-fPIC", *SANITISE, *STRICT, *headers, f"{stem}.c", "-o", extension], check=True)


def runtime(name: str) -> str:
    return subprocess.run(
        ["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True
    ).stdout.strip()


def test(folder: Path) -> int:
    settings = {
        "PYTHONPATH": str(folder),
        "LINKWISE_CALL_LAYER": "c",
        "LD_PRELOAD": f"{runtime('libasan.so')} {runtime('libubsan.so')}",
        "ASAN_OPTIONS": "detect_leaks=0",
        "PYTHONMALLOC": "malloc",  # else the sanitiser would not see where one object ends
    }
    tests = HOME / "tests" / "kernel" / "test_call.py"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--capture=sys", str(tests)]
    return subprocess.run(command, cwd=HOME, env=os.environ | settings, check=False).returncode


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        build(Path(made) / "linkwise")
        sys.exit(test(Path(made)))
