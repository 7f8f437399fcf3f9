"""`Dynamics`: the functions of a robot's dynamics, on arrays of any shape."""

from __future__ import annotations

from numpy.typing import ArrayLike

from .arguments import Array
from .functions import kernel
from .kinematics import Kinematics


class Dynamics(Kinematics):
    """The dynamics of one robot, M(q) a + C(q, v) v + gravity = tau, and its kinematics.

    Arguments are of shape (…, n), n being `robot.nq` for q and `robot.nv` for v, a and tau, and broadcast as NumPy's
    do; results are (…, n) or (…, n, n) with n = `robot.nv`. Every function is compiled for this robot when it is first
    used, and kept on disk for the next time; it takes `out=` for an array to write to, and `threads=` for how many
    threads share a large batch.

    `formulation` is a name, or "auto" for the fewest operations. `dtype` is that of the arithmetic, float64 or
    float32. With `parameters`, some of "mass", "com" and "inertia" (of all links, or of those in `links`) become
    arguments of every function, by name, with leading axes of their own; left out, they are the robot's.

    `base_velocity` says in which axes the velocity of a free joint is told: "world_aligned", "body" or "mujoco".
    `effects` names what of the joints' drives is taken into account, all if left out: "rotor_inertia", "armature",
    "damping" and "friction". Friction has the sign of the velocity, and is nought at rest; with a `friction_width` w it
    is v/√(v² + w²) instead, which is smooth. External wrenches `f_ext` act on the links or frames named by `f_ext_on`,
    all links if left out, and are told in the axes that `f_ext_reference` names: "world_aligned", "local" or "spatial".

    >>> import linkwise
    >>> arm = linkwise.Dynamics(linkwise.load("planar-3r"))
    >>> arm.gravity_torques([0, 0, 0]).round(3)
    array([44.145, 19.62 ,  4.905])
    """

    @kernel
    def inverse_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        *,
        tip_wrench: ArrayLike | None = None,
        f_ext: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
        out: Array | None = None,
        threads: int | None = None,
        **parameters: ArrayLike,
    ) -> Array:
        """The joint forces for accelerations a.

        `tip_wrench` (…, 6) is the force and moment that the tip of a chain exerts on what it touches, about the tip
        and in the last moving link's axes; `f_ext` (…, k, 6) the forces and moments that act on k links or frames from
        outside; `gravity` (…, 3) stands for the robot's own.
        """
        ...

    @kernel
    def forward_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        *,
        tip_wrench: ArrayLike | None = None,
        f_ext: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
        out: Array | None = None,
        threads: int | None = None,
        **parameters: ArrayLike,
    ) -> Array:
        """The joint accelerations under the joint forces tau; the rest as in inverse dynamics.

        Where the mass matrix has a pivot that is not positive, the accelerations are NaN.
        """
        ...

    @kernel
    def mass_matrix(
        self, q: ArrayLike, *, out: Array | None = None, threads: int | None = None, **parameters: ArrayLike
    ) -> Array:
        """M(q)."""
        ...

    @kernel
    def inverse_mass_matrix(
        self, q: ArrayLike, *, out: Array | None = None, threads: int | None = None, **parameters: ArrayLike
    ) -> Array:
        """The inverse of M(q), without M having been made; NaN where a pivot is not positive."""
        ...

    @kernel
    def coriolis_matrix(
        self,
        q: ArrayLike,
        v: ArrayLike,
        *,
        out: Array | None = None,
        threads: int | None = None,
        **parameters: ArrayLike,
    ) -> Array:
        """A C(q, v) with C v the velocity forces, for which dM/dt - 2 C is skew."""
        ...

    @kernel
    def bias(
        self,
        q: ArrayLike,
        v: ArrayLike,
        *,
        tip_wrench: ArrayLike | None = None,
        f_ext: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
        out: Array | None = None,
        threads: int | None = None,
        **parameters: ArrayLike,
    ) -> Array:
        """The joint forces without acceleration: C v + gravity (+ the tip's wrench)."""
        ...

    @kernel
    def gravity_torques(
        self,
        q: ArrayLike,
        *,
        gravity: ArrayLike | None = None,
        out: Array | None = None,
        threads: int | None = None,
        **parameters: ArrayLike,
    ) -> Array:
        """The joint forces that hold the robot still."""
        ...

    @kernel
    def link_accelerations(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        *,
        tip_wrench: ArrayLike | None = None,
        f_ext: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
        out: Array | None = None,
        threads: int | None = None,
        **parameters: ArrayLike,
    ) -> Array:
        """Linear, then angular acceleration of every moving link's origin under tau, in its own axes: (…, n, 6)."""
        ...

    @kernel
    def tip_acceleration(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        *,
        tip_wrench: ArrayLike | None = None,
        f_ext: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
        out: Array | None = None,
        threads: int | None = None,
        **parameters: ArrayLike,
    ) -> Array:
        """Linear, then angular acceleration of the tip under tau, in the last moving link's axes: (…, 6)."""
        ...

    @kernel
    def joint_reactions(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        *,
        tip_wrench: ArrayLike | None = None,
        f_ext: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
        out: Array | None = None,
        threads: int | None = None,
        **parameters: ArrayLike,
    ) -> Array:
        """Force and moment on every moving link through its joint, about its origin, in its axes: (…, n, 6)."""
        ...
