"""Draw the figures of docs/guide/conventions.md anew: python docs/figures/conventions.py

Points and vectors are in space; where the page asks for them they are looked at from afar, so that parallels stay so.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from linkwise.robot.quaternions import from_rpy, to_matrix

INK, PALE, PAPER = "#24292f", "#8c959f", "#ffffff"
AXES = dict(zip("xyz", ("#cf222e", "#1a7f37", "#0969da"), strict=True))
LINEAR, ANGULAR = "#bc4c00", "#8250df"

Point = np.ndarray

ORIGIN, EYE = np.zeros(3), np.eye(3)
TURNED = to_matrix(from_rpy([-0.3, 0.35, 0.55]))
"""From the axes of the body in the first figure to those of the world."""


class Page:
    """An SVG in the making: what is drawn in space stands at a place of the page, in pixels."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self.width, self.height, self.title = width, height, title
        self.at = np.zeros(2)
        self.parts: list[str] = []

    def seen(self, p: Point) -> np.ndarray:
        """Where a point in space is on the page: y to the right, z upwards, x towards the reader on the left."""
        x, y, z = p
        return self.at + 100.0 * np.array([0.94 * y - 0.42 * x, -0.95 * z + 0.27 * x + 0.1 * y])

    def line(self, points: Iterable[Point], ink: str, width: float = 1.4, dashes: str = "", more: str = "") -> None:
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(self.seen, points))
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        self.parts.append(
            f'<polyline points="{places}" fill="none" stroke="{ink}" stroke-width="{width}"{dashed}{more}/>'
        )

    def arrow(self, start: Point, end: Point, ink: str, width: float = 2.0) -> None:
        self.line([start, end], ink, width, more=' stroke-linecap="round"')
        self.tip(self.seen(start), self.seen(end), ink)

    def tip(self, start: np.ndarray, end: np.ndarray, ink: str) -> None:
        """The head of an arrow, beyond its end."""
        along = (end - start) / (np.linalg.norm(end - start) + 1e-9)
        across = np.array([-along[1], along[0]])
        corners = (end + 7 * along, end - 2 * along + 3.6 * across, end - 2 * along - 3.6 * across)
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
        self.parts.append(f'<polygon points="{places}" fill="{ink}"/>')

    def turn(self, centre: Point, axis: Point, start: Point, angle: float, ink: str) -> None:
        """An arrow about an axis, from a point beside the centre, by so many radians."""
        across = np.cross(axis, start)
        points = [centre + np.cos(t) * start + np.sin(t) * across for t in np.linspace(0.0, angle, 25)]
        self.line(points, ink, 1.8)
        self.tip(self.seen(points[-2]), self.seen(points[-1]), ink)

    def dot(self, p: Point, ink: str, radius: float = 3.2) -> None:
        x, y = self.seen(p)
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{ink}"/>')

    def words(self, p: Point, words: str, shift: tuple[float, float] = (0, 0), ink: str = INK, **style: str) -> None:
        x, y = self.seen(p) + shift
        told = {"font-size": "14", "text-anchor": "middle"} | {
            key.replace("_", "-"): value for key, value in style.items()
        }
        attributes = " ".join(f'{key}="{value}"' for key, value in told.items())
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" fill="{ink}" {attributes}>{words}</text>')

    def frame(
        self, p: Point, R: np.ndarray, length: float, name: str = "", shift: tuple[float, float] = (-10, 18)
    ) -> None:
        for axis, ink, letter in zip(R.T, AXES.values(), AXES, strict=True):
            self.arrow(p, p + length * axis, ink)
            self.words(p + (length + 0.17) * axis, letter, (0, 4), ink, font_style="italic", font_size="13")
        self.dot(p, INK)
        self.words(p, name, shift)

    def steps(self, p: Point, v: Point, R: np.ndarray, ink: str) -> None:
        """The way to p + v along the axes R, one after the other."""
        corners = [p]
        for axis in R.T:
            corners.append(corners[-1] + (v @ axis) * axis)
        self.line(corners, ink, 1.3, "3 3")

    def box(self, p: Point, R: np.ndarray, size: Point) -> None:
        """A body: its edges, with its middle at p."""
        corner = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]) * size / 2
        for i, a in enumerate(corner):
            for b in corner[i + 1 :]:
                if np.count_nonzero(a != b) == 1:
                    self.line([p + R @ a, p + R @ b], PALE, 1.0)

    def __str__(self) -> str:
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" role="img"'
        font = 'font-family="Helvetica, Arial, sans-serif"'
        paper = f'<rect width="{self.width}" height="{self.height}" rx="8" fill="{PAPER}"/>'
        lines = [f"{head} {font}>", f"<title>{self.title}</title>", paper, *self.parts, "</svg>"]
        return "\n".join(lines) + "\n"


WAYS = {
    "world_aligned": ("both along the axes of the world", EYE, EYE),
    "body": ("both along the axes of the body", TURNED, TURNED),
    "mujoco": ("v along those of the world, ω of the body", EYE, TURNED),
}


def free_joint() -> Page:
    """A body afloat, its position, and its velocity told in three ways."""
    page = Page(960, 400, "Position and velocity of a free joint")
    base, v, ω = np.array([-0.2, 1.15, 1.0]), np.array([0.25, 1.0, 0.75]), np.array([0.45, -0.55, 1.0])
    for i, (name, (told, linear, angular)) in enumerate(WAYS.items()):
        page.at = np.array([66 + 318 * i, 298.0])
        page.box(base, TURNED, np.array([0.8, 0.8, 0.4]))
        page.line([ORIGIN, base], PALE, 1.2, "6 4")
        page.words(base / 2, "(x, y, z)", (34, 16), PALE, font_size="13")
        page.frame(ORIGIN, EYE, 0.55, "world", (28, 22))
        page.frame(base, TURNED, 0.55, "(qw, qx, qy, qz)", (72, 66))
        for vector, ink, letter, axes in ((v, LINEAR, "v", linear), (ω, ANGULAR, "ω", angular)):
            page.steps(base, vector, axes, ink)
            page.arrow(base, base + vector, ink, 2.6)
            page.words(base + 1.12 * vector, letter, (4, 2), ink, font_size="17", font_weight="bold")
        page.words(ORIGIN, f'base_velocity="{name}"', (98, 56), font_size="14", font_family="monospace")
        page.words(ORIGIN, told, (98, 77), PALE, font_size="13")
    page.at = np.array([480.0, 36.0])
    page.words(ORIGIN, "q = [x, y, z, qw, qx, qy, qz] and v = [v; ω] of the origin of the body", font_size="16")
    return page


def joint() -> Page:
    """From a link's frame by the placement to the joint's, and by its motion to the next link's."""
    page = Page(960, 330, "A joint between two links")
    page.at = np.array([150.0, 240.0])
    R, p = to_matrix(from_rpy([0.1, 0.3, 0.35])), np.array([0.2, 3.4, 0.75])
    u, q = R[:, 2], 0.9
    turned = R @ to_matrix(from_rpy([0.0, 0.0, q]))
    page.frame(ORIGIN, EYE, 0.75, "frame of the parent link", (50, 44))
    page.line([ORIGIN, p], PALE, 1.2, "6 4")
    page.words(p / 2, "placement: xyz, then rpy", (-8, -16), PALE)
    page.line([p - 0.8 * u, p + 1.35 * u], INK, 1.2, "12 4 2 4")
    page.words(p + 1.35 * u, "axis", (2, -8))
    for axis, letter in zip(R.T[:2], "xy", strict=True):
        page.line([p, p + 0.85 * axis], PALE, 1.6)
        page.words(p + 0.97 * axis, letter, (0, 5), PALE, font_style="italic", font_size="13")
    page.turn(p, u, 0.66 * R[:, 0], q, LINEAR)
    page.words(p + 0.7 * R[:, 0], "q", (30, 20), LINEAR, font_size="17", font_weight="bold")
    com = p + turned @ np.array([-0.22, 1.9, 0.2])
    page.box(p + turned @ np.array([0.0, 1.7, 0.0]), turned, np.array([0.6, 2.6, 0.45]))
    page.arrow(p, com, ANGULAR, 1.6)
    page.dot(com, ANGULAR, 5.0)
    page.words(com, "centre of mass: com,", (62, 52), ANGULAR, text_anchor="start")
    page.words(com, "and inertia about it", (62, 71), ANGULAR, text_anchor="start")
    page.frame(p, turned, 0.85, "frame of the link, after the motion", (140, 92))
    return page


FIGURES = {"free-joint.svg": free_joint, "joint.svg": joint}

if __name__ == "__main__":
    for name, draw in FIGURES.items():
        Path(__file__).with_name(name).write_text(str(draw()), encoding="utf-8")
