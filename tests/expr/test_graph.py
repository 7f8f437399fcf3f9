"""Interning, the reference evaluator and the count."""

from __future__ import annotations

import math

import numpy as np
import pytest

from linkwise.expr import Count, Graph, Node, Program, cos, count, evaluate, reached, sin, sqrt


@pytest.fixture
def g() -> Graph:
    return Graph()


@pytest.fixture
def x(g: Graph) -> Node:
    return g.input("x")


@pytest.fixture
def y(g: Graph) -> Node:
    return g.input("y")


def test_the_same_expression_is_the_same_node(g: Graph, x: Node, y: Node) -> None:
    assert x * y + sin(x) is x * y + sin(x)
    assert g.input("x") is x
    assert g.constant(2) is g.constant(2.0)


def test_operands_that_commute_make_one_node(x: Node, y: Node) -> None:
    assert x + y is y + x
    assert x * y is y * x


def test_a_difference_and_its_opposite_share_their_work(x: Node, y: Node) -> None:
    assert -(x - y) is y - x
    assert (-x) * y is -(x * y)
    assert count(Program(("x", "y"), (x - y, y - x))) == Count(0, 1)


def test_an_input_and_a_parameter_of_one_name_are_two(g: Graph, x: Node) -> None:
    assert g.parameter("x") is not x


def test_a_traced_value_has_no_truth(x: Node) -> None:
    with pytest.raises(TypeError, match="branch on structure"):
        bool(x)


def test_an_array_cannot_swallow_a_node(x: Node) -> None:
    with pytest.raises(TypeError):
        np.ones(2) * x


def test_functions_of_numbers_are_numbers() -> None:
    assert (sin(0.5), cos(0.5), sqrt(2.25)) == (math.sin(0.5), math.cos(0.5), 1.5)


def test_evaluation_broadcasts(x: Node, y: Node) -> None:
    (z,) = evaluate(Program(("x", "y"), (x * y + 1.0,)), {"x": np.ones((3, 1)), "y": np.arange(2.0)})
    assert np.array_equal(z, [[1.0, 2.0]] * 3)


def test_evaluation_gives_outputs_in_order_and_repeats_them(x: Node) -> None:
    assert evaluate(Program(("x",), (x, -x, x)), {"x": 2.0}) == [2.0, -2.0, 2.0]


def test_operands_come_before_the_operations_on_them(x: Node, y: Node) -> None:
    nodes = reached([sin(x) * y + sqrt(x)])
    assert all(nodes.index(a) < nodes.index(node) for node in nodes for a in node.args)


def test_depth_is_no_limit(x: Node, y: Node) -> None:
    z = x
    for _ in range(5000):
        z = z * y + x
    assert len(Program(("x", "y"), (z,)).nodes()) == 10_002
    assert count(Program(("x", "y"), (z,))) == Count(5000, 5000)


def test_what_is_not_reached_is_not_counted(x: Node, y: Node) -> None:
    assert (x / y).op == "div"
    assert count(Program(("x", "y"), (x * y,))) == Count(1, 0)


def test_shared_work_is_counted_once(x: Node, y: Node) -> None:
    assert count(Program(("x", "y"), (x * y + x, x * y + y))) == Count(1, 2)


def test_what_depends_on_constants_alone_is_off_line(g: Graph, x: Node) -> None:
    k, m = g.parameter("k"), g.parameter("m")
    assert count(Program(("x",), (k * m + 2.0,))) == Count()
    assert count(Program(("x",), (x * (k * m + 2.0),))) == Count(1, 0)


def test_signs_sines_and_the_angles_inside_them_are_free(g: Graph, x: Node) -> None:
    k = g.parameter("k")
    assert count(Program(("x",), (-x, sin(x + k), -cos(x - 0.5)))) == Count()
    assert count(Program(("x",), (sqrt(x), 1.0 / x))) == Count(2, 0)
