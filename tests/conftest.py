"""How tests run: few fixed examples by default, many where a sweep is asked for; a cache of their own for kernels."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile

from hypothesis import HealthCheck, settings

FOLDER = tempfile.mkdtemp(prefix="linkwise-cache-")
os.environ["LINKWISE_CACHE"] = FOLDER
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)

QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]

settings.register_profile(
    "ci", derandomize=True, max_examples=25, deadline=None, database=None, suppress_health_check=QUIET
)
settings.register_profile("thorough", parent=settings.get_profile("ci"), max_examples=250)
settings.load_profile("ci")
