"""`Kinematics`: where a robot's frames are and how they move, on arrays of any shape."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .arguments import Array
from .functions import Frames, Functions, kernel
from .robot import given

AXES = {"all": slice(0, 6), "linear": slice(0, 3), "angular": slice(3, 6)}
"""Which rows of a Jacobian a task is made of."""


class Kinematics(Functions):
    """The kinematics of one robot: poses, velocities, accelerations and Jacobians of its frames, momentum and energy.

    A frame is a link's, by name, or "tip" where the robot's description has one beyond its last link. What has six
    components is linear, then angular, and told in a `reference`: "world_aligned", the world's axes about the frame's
    origin; "local", the frame's own axes about it; or "spatial", the world's axes about the world's origin.
    Everything else is as `Dynamics` has it, which has all of these functions too.

    >>> import linkwise
    >>> arm = linkwise.Kinematics(linkwise.load("planar-3r"))
    >>> arm.forward_kinematics([0, 0, 0], "tip")[:3, 3]
    array([3., 0., 0.])
    """

    def forward_kinematics(
        self,
        q: ArrayLike,
        frames: Frames = None,
        *,
        out: Array | None = None,
        threads: int | None = None,
    ) -> Array:
        """The homogeneous matrices of all frames, or of those named: (…, k, 4, 4), or (…, 4, 4) of a single name."""
        return self.aimed("forward_kinematics", frames)(q, out=out, threads=threads)

    def jacobian(
        self,
        q: ArrayLike,
        frame: str,
        *,
        reference: str = "world_aligned",
        out: Array | None = None,
        threads: int | None = None,
    ) -> Array:
        """J with J v a frame's velocity: (…, 6, n)."""
        return self.aimed("jacobian", frame, reference)(q, out=out, threads=threads)

    def jacobian_rate(
        self,
        q: ArrayLike,
        v: ArrayLike,
        frame: str,
        *,
        reference: str = "world_aligned",
        out: Array | None = None,
        threads: int | None = None,
    ) -> Array:
        """dJ/dt while the robot moves at v, so that J a + dJ/dt v is the frame's acceleration: (…, 6, n)."""
        return self.aimed("jacobian_rate", frame, reference)(q, v, out=out, threads=threads)

    def frame_velocities(
        self,
        q: ArrayLike,
        v: ArrayLike,
        frames: Frames = None,
        *,
        reference: str = "world_aligned",
        out: Array | None = None,
        threads: int | None = None,
    ) -> Array:
        """The velocities of all frames, or of those named: (…, k, 6), or (…, 6) of a single name."""
        return self.aimed("frame_velocities", frames, reference)(q, v, out=out, threads=threads)

    def frame_accelerations(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        frames: Frames = None,
        *,
        reference: str = "world_aligned",
        out: Array | None = None,
        threads: int | None = None,
    ) -> Array:
        """The rates of what `frame_velocities` gives, component by component and without gravity: (…, k, 6) or (…, 6).

        In the world's axes about the frame's origin, the linear part is that point's acceleration.
        """
        return self.aimed("frame_accelerations", frames, reference)(q, v, a, out=out, threads=threads)

    def manipulability(self, q: ArrayLike, frame: str, *, axes: str = "all", threads: int | None = None) -> Array:
        """The product of the singular values of J: how far a pose is from losing a direction; (…).

        `axes` takes the "linear" or the "angular" rows alone. With as many joints as rows or more, it is √det(J Jᵀ).
        """
        rows = AXES[given.one_of(axes, tuple(AXES), "axes")]
        J = self.jacobian(q, frame, threads=threads)[..., rows, :]
        known = np.isfinite(np.abs(J).max(axis=(-2, -1)))
        finite = np.where(known[..., None, None], J, 0.0)  # or NumPy would give up on all states for one that is not
        return np.where(known, np.linalg.svd(finite, compute_uv=False).prod(axis=-1), np.nan)[()]

    @kernel
    def com(
        self, q: ArrayLike, *, out: Array | None = None, threads: int | None = None, **parameters: ArrayLike
    ) -> Array:
        """The centre of mass of all that moves, in the world: (…, 3)."""
        ...

    @kernel
    def com_jacobian(
        self, q: ArrayLike, *, out: Array | None = None, threads: int | None = None, **parameters: ArrayLike
    ) -> Array:
        """J with J v the velocity of the centre of mass: (…, 3, n)."""
        ...

    def momentum(
        self,
        q: ArrayLike,
        v: ArrayLike,
        *,
        about: str = "com",
        out: Array | None = None,
        threads: int | None = None,
        **parameters: ArrayLike,
    ) -> Array:
        """The momentum in the world's axes about the centre of mass, or about the origin of the "world": (…, 6)."""
        return self.aimed("momentum", None, about)(q, v, out=out, threads=threads, **parameters)

    def momentum_matrix(
        self,
        q: ArrayLike,
        *,
        about: str = "com",
        out: Array | None = None,
        threads: int | None = None,
        **parameters: ArrayLike,
    ) -> Array:
        """A with A v the momentum: (…, 6, n)."""
        return self.aimed("momentum_matrix", None, about)(q, out=out, threads=threads, **parameters)

    @kernel
    def kinetic_energy(
        self,
        q: ArrayLike,
        v: ArrayLike,
        *,
        out: Array | None = None,
        threads: int | None = None,
        **parameters: ArrayLike,
    ) -> Array:
        """½ vᵀ M v, rotors included: (…)."""
        ...

    @kernel
    def potential_energy(
        self,
        q: ArrayLike,
        *,
        gravity: ArrayLike | None = None,
        out: Array | None = None,
        threads: int | None = None,
        **parameters: ArrayLike,
    ) -> Array:
        """The energy in the field of gravity, nought where the centre of mass is level with the world's origin: (…)."""
        ...

    def operational_space_inertia(
        self,
        q: ArrayLike,
        frame: str,
        *,
        reference: str = "world_aligned",
        out: Array | None = None,
        threads: int | None = None,
        **parameters: ArrayLike,
    ) -> Array:
        """Λ = (J M⁻¹ Jᵀ)⁻¹, how a frame resists being accelerated by a wrench on it: (…, 6, 6).

        Formulation "operators" has the mobility by its O(n) recursion, all others from J and M. A robot with fewer
        than six joints has no Λ of all six directions, and where a pose loses one it is NaN, or grows without bounds.
        """
        return self.aimed("operational_space_inertia", frame, reference)(q, out=out, threads=threads, **parameters)

    def operational_space_mobility(
        self,
        q: ArrayLike,
        frame: str,
        *,
        reference: str = "world_aligned",
        out: Array | None = None,
        threads: int | None = None,
        **parameters: ArrayLike,
    ) -> Array:
        """J M⁻¹ Jᵀ, how a frame answers a wrench on it, in every pose of every robot: (…, 6, 6)."""
        return self.aimed("operational_space_mobility", frame, reference)(q, out=out, threads=threads, **parameters)
