"""The command line: what a person reads, what a script reads, and what is said about input that cannot be used."""

from __future__ import annotations

import io
import json
import sys
from importlib.metadata import version

import pytest
from rich.console import Console
from tests.pinocchio_models import example_files

import linkwise
from linkwise.algebra import Vec
from linkwise.cli import main, output
from linkwise.counting import counted
from linkwise.formulations import FORMULATIONS
from linkwise.robot.angles import rotation_of


@pytest.fixture
def run(capsys):
    """Run a command line: its exit code, and what it wrote to stdout and stderr."""

    def running(*args: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(args)
        written = capsys.readouterr()
        return ended.value.code, written.out, written.err

    return running


def test_version(run):
    code, out, _ = run("--version")
    assert (code, out) == (0, f"linkwise {version('linkwise')}\n")


def test_library_names_every_robot_and_its_source(run):
    code, out, _ = run("library")
    assert code == 0
    for name in linkwise.library():
        assert name in out
    assert "Stanford" in out or "stanford" in out


def test_library_as_json(run):
    robots = json.loads(run("library", "--json")[1])
    assert [robot["name"] for robot in robots] == list(linkwise.library())
    assert {robot["name"]: robot["joints"] for robot in robots}["stanford-saha-2001"] == "RRPRRR"
    assert all(robot["source"] for robot in robots)


@pytest.mark.parametrize("name", linkwise.library())
def test_info_of_every_robot(run, name):
    code, out, err = run("info", name)
    assert (code, err) == (0, "")
    robot = linkwise.load(name)
    for word in (name, *robot.joint_names, *robot.link_names, "Denavit–Hartenberg parameters, modified"):
        assert word in out


@pytest.mark.parametrize("convention", ["modified", "standard", "saha", "angeles-ma"])
def test_info_as_json_holds_the_whole_robot(run, convention):
    told = json.loads(run("info", "stanford-saha-2001", "--convention", convention, "--json")[1])
    robot = linkwise.load("stanford-saha-2001")
    assert [link["mass"] for link in told["links"]] == [link.mass for link in robot.links]
    assert told["gravity"] == list(robot.gravity)
    assert told["configurations"] == {pose.name: list(pose.q) for pose in robot.configurations}
    assert told["tip"]["xyz"] == list(robot.tip.position)
    for link, ours in zip(told["links"], robot.links, strict=True):
        xyz, rpy = link["joint"]["placement"]["xyz"], Vec(*link["joint"]["placement"]["rpy"])
        assert (Vec(*xyz), rotation_of(rpy)) == (ours.joint.placement.position, ours.joint.placement.rotation.matrix)
    rows = [[row[key] for key in ("a", "alpha", "b", "theta")] for row in told["dh"]["rows"]]
    assert rows == [list(row) for row in robot.to_dh(convention).rows]


def test_info_tells_how_far_a_robot_reaches(run):
    assert "reach at most 2 m, from joint 'joint1' to link 'link3'" in run("info", "planar-3r")[1]
    assert "reach without limit, from joint 'joint1' to link 'link3'" in run("info", "stanford-saha-2001")[1]
    assert json.loads(run("info", "stanford-saha-2001", "--json")[1])["reach"]["at_most"] is None


def test_info_tells_physical_findings(run):
    _, out, _ = run("info", "puma-saha-2001-printed")
    told = json.loads(run("info", "puma-saha-2001-printed", "--json")[1])
    assert [finding["about"] for finding in told["findings"]] == [f"link 'link{i}'" for i in (1, 3, 4, 5)]
    assert "The smallest principal moment of link 'link3' is negative: -0.3009 kg m², about (0, 1, 0)" in out


def test_info_says_why_there_is_no_table(run, tmp_path):
    assert json.loads(run("info", str(fork(tmp_path)), "--json")[1])["dh"]["rows"] is None
    assert "No Denavit–Hartenberg table" in run("info", str(fork(tmp_path)))[1]


def fork(folder):
    """The file of a tree: two links on one base."""
    path = folder / "fork.toml"
    link = '[[link]]\nname = "{0}"\nmass = 1.0\ninertia = [1.0, 1.0, 1.0]\n'
    hinge = '[link.joint]\nname = "hinge {0}"\ntype = "revolute"\n'
    path.write_text('name = "fork"\n' + "".join((link + hinge).format(name) for name in "ab"))
    return path


def test_brackets_in_a_file_are_no_markup(run, tmp_path):
    path = tmp_path / "odd.toml"
    joint = '[[link]]\nname = "[/bold]"\n[link.joint]\nname = "[red]"\ntype = "revolute"\n'
    path.write_text(f'name = "odd [/bold]"\nsource = "[link]"\n{joint}')
    code, out, _ = run("info", str(path))
    assert code == 0
    assert out.startswith("odd [/bold], serial chain of 1 link, 1 joint (R)\n[link]\n")
    assert "Operations of odd [/bold]" in run("count", str(path), "--function", "mass_matrix")[1]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["info", "stanford-saha-2002"], "stanford-saha-2001"),
        (["info", "planar-3r", "--convention", "craig"], "modified, standard, saha, angeles-ma"),
        (["count", "planar-3r", "--formulation", "newton"], "newton-euler"),
        (["count", "planar-3r", "--function", "dynamics"], "inverse_dynamics"),
        (["count", "RRX"], "RRX"),
        (["count", "RR", "--first-axis", "up"], "vertical"),
        (["count", "RR", "--formulation", "kane", "--function", "mass_matrix"], "inverse_dynamics"),
    ],
)
def test_what_cannot_be_used_ends_with_a_way_to_mend_it(run, args, said):
    code, out, err = run(*args)
    assert (code, out) == (2, "")
    assert err.startswith("linkwise: ")
    assert "expected: " in err
    assert "to mend it: " in err
    assert said in err


def test_count_of_a_robot(run):
    told = json.loads(run("count", "planar-3r", "--function", "mass_matrix", "--json")[1])
    robot = linkwise.load("planar-3r")
    assert {line["function"] for line in told} == {"mass_matrix"}
    for line in told:
        found = counted(robot, line["formulation"], "mass_matrix")
        assert line["printed"] == {"M": found.printed.M, "A": found.printed.A}
        assert line["rewritten"] == {"M": found.rewritten.M, "A": found.rewritten.A}
        assert str(found.rewritten) in run("count", "planar-3r", "--function", "mass_matrix")[1]


def test_count_of_a_generic_robot(run):
    said = run("count", "RPR", "--first-axis", "general", "--formulation", "kane", "--function", "bias")[1]
    assert str(counted(linkwise.Robot.generic("RPR", "general"), "kane", "bias").printed) in said


def test_count_beside_the_published_laws(run):
    asked = ("count", "--formulation", "gibbs-appell", "--function", "mass_matrix")
    published, printed, rewritten = json.loads(run(*asked, "--json")[1])["mass_matrix"]
    assert published["law"] == {"M": "11.5n² + 19.5n - 49", "A": "8.5n² + 31.5n - 69"}
    assert published["at"]["6"] == {"M": 482, "A": 426}
    assert (printed["counted"], rewritten["counted"]) == ("as printed", "rewritten")
    out = run(*asked)[1]
    for line in (published, printed, rewritten):
        assert f"{line['law']['M']} M" in out
        assert f"{line['at']['10']['M']}M {line['at']['10']['A']}A" in out


def test_count_knows_which_formulations_take_trees(run, tmp_path):
    tree = str(fork(tmp_path))
    formulations = {line["formulation"] for line in json.loads(run("count", tree, "--json")[1])}
    assert formulations == {name for name, row in FORMULATIONS.items() if row.trees}
    code, _, err = run("count", tree, "--formulation", "kane")
    assert code == 2
    assert "'kane' is for serial chains" in err
    assert "newton-euler" in err


def test_numbers_are_not_cut_short_on_a_narrow_terminal(monkeypatch):
    written = io.StringIO()
    monkeypatch.setattr(output, "out", Console(file=written, width=20))
    output.show_table("Whole", ("name", "ns", "share"), [("planar-3r", "123,456,789", "12.345 %")], whole=(0, 1, 2))
    assert "planar-3r  123,456,789  12.345 %" in written.getvalue()


def test_without_its_extra_it_names_the_extra(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "typer", None)
    monkeypatch.delitem(sys.modules, "linkwise.cli.commands", raising=False)
    assert run("library")[0] == "linkwise: the command line needs typer: pip install 'linkwise[cli]'"


URDF = """<robot name="r">
  <link name="a"/>
  <joint name="j" type="revolute">
    <parent link="a"/><child link="b"/><axis xyz="0 0 {length}"/>
    <limit lower="{lower}" upper="1" effort="1" velocity="1"/>
  </joint>
  <link name="b">
    <inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <visual/>
  </link>
</robot>
"""


def urdf(folder, **numbers: str):
    path = folder / "r.urdf"
    path.write_text(URDF.format(**{"length": "1", "lower": "-1"} | numbers))
    return str(path)


def test_check_of_a_sound_file(run, tmp_path):
    path = urdf(tmp_path)
    code, out, err = run("check", path, "--strict")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        f"{path}:9: note: <visual> in <link> is not used: once, in line 9",
        f"{path}: 1 note",
    ]


def test_check_of_a_file_with_errors_and_warnings(run, tmp_path):
    path = urdf(tmp_path, length="2", lower="3")
    code, out, err = run("check", path)
    assert (code, err) == (1, "")
    assert out.startswith(f"{path}:5: error: The limits of a joint leave it no room: from 3.0 to 1.0\n  expected: ")
    assert f"{path}:4: warning: The axis of <joint> 'j' is not of length 1" in out
    assert out.splitlines()[-1] == f"{path}: 1 error, 1 warning, 1 note"


def test_warnings_fail_if_asked_to(run, tmp_path):
    path = urdf(tmp_path, length="2")
    assert run("check", path)[0] == 0
    assert run("check", path, "--strict")[0] == 1


def test_check_as_json(run, tmp_path):
    path = urdf(tmp_path, lower="3")
    code, out, _ = run("check", path, "--json")
    told = json.loads(out)
    assert (code, told["sound"], told["file"]) == (1, False, path)
    assert [(f["severity"], f["line"]) for f in told["findings"]] == [("error", 5), ("note", 9)]
    assert all(f["mend"] for f in told["findings"])


def test_check_of_a_robot_of_the_library(run):
    assert run("check", "planar-3r") == (0, "planar-3r: nothing to say\n", "")
    assert run("check", "puma-saha-2001-printed")[0] == 1


def test_a_folder_is_told_as_one(run, tmp_path):
    code, _, err = run("info", str(tmp_path))
    assert code == 2
    assert "This is a folder" in err


def test_check_of_a_file_that_is_not_there(run, tmp_path):
    code, _, err = run("check", str(tmp_path / "none.urdf"))
    assert code == 2
    assert "none.urdf cannot be read" in err


def test_info_keeps_to_the_width_of_the_screen(run, monkeypatch):
    """A humanoid: where names and numbers do not fit in a line, names have lines of their own."""
    monkeypatch.setattr(output.out, "width", 80)
    path = next(path for path in example_files() if path.stem == "talos_reduced")
    lines = run("info", str(path))[1].splitlines()
    assert max(map(len, lines)) <= 80
    assert "│   └ arm_right_1_link  arm_right_1_joint, revolute" in lines
    assert ["0,", "0,", "1", "-1.309", "to", "1.309", "5.4", "78", "1", "1"] in [line.split() for line in lines]
    assert "gripper_right_inner_double_link" in lines
    assert lines[0] == "talos, tree of 60 links, 32 joints (32 revolute)"


@pytest.mark.parametrize("width", [60, 80, 200])
def test_info_tells_all_names_and_numbers_at_any_width(run, monkeypatch, width):
    monkeypatch.setattr(output.out, "width", width)
    path = next(path for path in example_files() if path.stem == "talos_full_v2")
    words = {*run("info", str(path))[1].split()}
    robot = linkwise.load(path)
    assert {*robot.link_names} <= words
    for link in robot.links:
        assert not link.mass or {*map(output.number, (link.mass, *link.inertia.entries))} <= words


def test_info_tells_which_links_have_no_mass(run, tmp_path):
    out = run("info", urdf(tmp_path))[1]
    assert "without mass: a" in out


def test_same_machines(run, tmp_path):
    path = tmp_path / "arm.toml"
    path.write_text(linkwise.load("stanford-saha-2001").to_toml(), encoding="utf-8")
    code, out, err = run("same", "stanford-saha-2001", str(path))
    assert (code, err) == (0, "")
    assert out == f"'stanford-saha-2001' and '{path}' are the same machine\n"


def test_machines_that_differ(run):
    code, out, err = run("same", "puma-saha-2001", "puma-saha-2001-printed")
    assert (code, err) == (1, "")
    assert out.startswith("'puma-saha-2001' and 'puma-saha-2001-printed' differ in base parameter ")
    told = json.loads(run("same", "puma-saha-2001", "puma-saha-2001-printed", "--json")[1])
    assert (told["same"], told["names"]) == (False, ["puma-saha-2001", "puma-saha-2001-printed"])
    assert told["what"] in out
    assert run("same", "puma-saha-2001", "planar-3r", "--rtol", "2")[0] == 2


def test_convert_and_back(run, tmp_path):
    first, second = tmp_path / "a.urdf", tmp_path / "b.toml"
    code, out, err = run("convert", "stanford-saha-2001", "-o", str(first))
    assert (code, out) == (2, "")
    assert "--leave-out configurations" in err or "without limits" in err
    left_out = ("--leave-out", "configurations", "--leave-out", "gravity")
    assert run("convert", "stanford-saha-2001", "-o", str(first), *left_out)[1].startswith(f"wrote {first}: stanford")
    told = json.loads(run("convert", str(first), "-o", str(second), "--json")[1])
    assert told == {"file": str(second), "name": "stanford-saha-2001", "links": 8, "nv": 6}
    assert run("same", str(second), "stanford-saha-2001")[0] == 0


@pytest.mark.parametrize(
    ("name", "said"), [("a.xml", "ending in .toml or .urdf"), ("none/a.toml", "cannot be written")]
)
def test_files_that_cannot_be_written(run, tmp_path, name, said):
    code, out, err = run("convert", "planar-3r", "-o", str(tmp_path / name))
    assert (code, out) == (2, "")
    assert said in err


@pytest.mark.filterwarnings("always")
def test_doubts_about_a_file_are_told_without_python(run, tmp_path):
    path = tmp_path / "m.xml"
    path.write_text(
        '<mujoco><worldbody><body><joint name="j" stiffness="3"/><geom size=".1"/></body></worldbody></mujoco>'
    )
    code, _, err = run("info", str(path))
    assert code == 0
    assert err.startswith(f"linkwise: warning: {path}: ")
    assert "Joint 'j' has a spring" in err
    assert ".py" not in err
