"""`linkwise export`: what it writes, what it says, and what it refuses."""

from __future__ import annotations

import json

import pytest

import linkwise
from linkwise import Dynamics, Kinematics, LinkwiseError
from linkwise.cli import main
from linkwise.export import FUNCTIONS, exported


@pytest.fixture
def run(capsys, monkeypatch):
    """Run a command line: its exit code, and what it wrote to stdout and stderr."""
    monkeypatch.setenv("COLUMNS", "120")

    def running(*args: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main([str(arg) for arg in args])
        written = capsys.readouterr()
        return ended.value.code, written.out, written.err

    return running


@pytest.fixture
def planar() -> Dynamics:
    return Dynamics(linkwise.load("planar-3r"))


def test_it_writes_the_source_and_the_header_beside_it(run, planar, tmp_path):
    path = tmp_path / "fd.c"
    path.write_text("what was there before")
    code, out, err = run("export", "planar-3r", "forward_dynamics", "-o", path)
    assert (code, err) == (0, "")
    found = exported(planar, "forward_dynamics")
    assert path.read_text("utf-8") == found.source
    assert (tmp_path / "fd.h").read_text("utf-8") == found.header
    assert out.splitlines()[:2] == [f"wrote {path} and {tmp_path / 'fd.h'}", found.prototype + ";"]
    assert found.formulation in out
    assert str(found.operations) in out


def test_it_prints_the_source_on_demand(run, planar):
    assert run("export", "planar-3r", "bias", "-o", "-")[1] == exported(planar, "bias").source


def test_it_tells_scripts_what_it_wrote(run, planar, tmp_path):
    path = tmp_path / "m.c"
    told = json.loads(run("export", "planar-3r", "mass_matrix", "-o", path, "--json")[1])
    found = exported(planar, "mass_matrix")
    assert told == {
        "name": "planar_3r_mass_matrix",
        "prototype": "void planar_3r_mass_matrix(const double q[3], double result[9])",
        "formulation": found.formulation,
        "operations": {"M": found.operations.M, "A": found.operations.A},
        "files": [str(path), str(tmp_path / "m.h")],
    }
    told = json.loads(run("export", "planar-3r", "mass_matrix", "-o", "-", "--json")[1])
    assert (told["source"], told["header"]) == (found.source, found.header)


def test_its_options_are_those_of_dynamics(run):
    options = [
        "--formulation",
        "kane",
        "--precision",
        "single",
        "--name",
        "torques",
        "--own-sincos",
        "--take",
        "tip_wrench",
    ]
    options += ["--parameter", "mass", "--parameter", "inertia", "--link", "link3"]
    told = json.loads(run("export", "planar-3r", "inverse_dynamics", "-o", "-", "--json", *options)[1])
    assert told["formulation"] == "kane"
    arguments = ["q[3]", "v[3]", "a[3]", "tip_wrench[6]", "mass[1]", "inertia[6]"]
    assert told["prototype"] == f"void torques({', '.join('const float ' + x for x in arguments)}, float result[3])"
    assert "linkwise_fmaf" in told["source"]
    assert "mass, inertia: link3" in told["header"]


def test_doubts_about_masses_go_to_stderr(run):
    code, out, err = run("export", "puma-560-armstrong-1986", "forward_dynamics", "-o", "-")
    assert code == 0
    assert out.startswith("/*\n * linkwise ")
    assert err.startswith("doubtful: 'puma-560-armstrong-1986'")


def test_the_files_say_what_they_were_made_of(planar):
    found = exported(planar, "mass_matrix")
    for text in (found.source, found.header):
        for word in ("linkwise 0.", "planar-3r", found.formulation, str(found.operations), "joint2", "3 x 3"):
            assert word in text


def test_every_function_of_dynamics_can_be_exported():
    """All but what is worked out from a Jacobian by the library of linear algebra."""
    own = {name for kind in (Dynamics, Kinematics) for name in vars(kind) if not name.startswith("_")}
    assert set(FUNCTIONS) == own - {"manipulability"}


def test_a_function_of_frames_says_which(run):
    options = ["--frame", "link6", "--reference", "local", "-o", "-"]
    text = run("export", "stanford-saha-2001", "jacobian", *options)[1]
    assert "void stanford_saha_2001_jacobian_link6(const double q[6], double result[36])" in text
    assert "frames: link6\n" in text
    assert "local" in text
    poses = json.loads(run("export", "planar-3r", "forward_kinematics", "-o", "-", "--json")[1])
    assert "double result[64]" in poses["prototype"]


def test_wrenches_from_outside_are_told_as_asked(run):
    options = ["--take", "f_ext", "--f-ext-on", "link3", "--f-ext-reference", "local", "-o", "-"]
    assert "f_ext: local, on link3\n" in run("export", "planar-3r", "bias", *options)[1]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["planar-3r", "forward_dynamic", "-o", "-"], "did you mean forward_dynamics"),
        (["planar-3r", "accelerations", "-o", "-"], "inverse_dynamics"),
        (["planar-4r", "bias", "-o", "-"], "planar-3r"),
        (["planar-3r", "bias", "-o", "-", "--precision", "half"], "double, single"),
        (["planar-3r", "bias", "-o", "-", "--formulation", "newton"], "newton-euler"),
        (["planar-3r", "mass_matrix", "-o", "-", "--formulation", "kane"], "composite-body"),
        (["planar-3r", "mass_matrix", "-o", "-", "--take", "tip_wrench"], "inverse_dynamics"),
        (["planar-3r", "bias", "-o", "-", "--parameter", "length"], "inertia"),
        (["planar-3r", "jacobian", "-o", "-", "--frame", "tip", "--parameter", "mass"], "leave out --parameter"),
        (["planar-3r", "bias", "-o", "-", "--link", "link1"], "leave out links"),
        (["planar-3r", "bias", "-o", "-", "--f-ext-on", "link1"], "leave out --f-ext-on"),
        (["planar-3r", "bias", "-o", "-", "--name", "int"], "robot_int"),
        (["puma-saha-2001-printed", "forward_dynamics", "-o", "-"], "link3"),
        (["planar-3r", "bias", "-o", "fd.h"], "ends in .c"),
        (["planar-3r", "bias", "-o", "-", "--frame", "link3"], "leave out frames"),
        (["planar-3r", "bias", "-o", "-", "--reference", "local"], "leave out reference"),
        (["planar-3r", "jacobian", "-o", "-"], "of one frame"),
        (["planar-3r", "jacobian", "-o", "-", "--frame", "hand"], "link3"),
        (["planar-3r", "jacobian", "-o", "-", "--frame", "link3", "--reference", "body"], "world_aligned"),
        (["planar-3r", "bias", "-o", "-", "--without", "gears"], "friction"),
        (["planar-3r", "bias", "-o", "no such folder/fd.c"], "make the folder"),
    ],
)
def test_what_cannot_be_exported_ends_with_a_way_to_mend_it(run, args, said):
    code, out, err = run("export", *args)
    assert (code, out) == (2, "")
    assert "to mend it: " in err
    assert said in err


def test_a_tree_has_no_tip():
    joint = linkwise.Joint("a", "revolute")
    links = [linkwise.Link("a", -1, joint, 1.0), linkwise.Link("b", -1, linkwise.Joint("b", "revolute"), 1.0)]
    tree = Dynamics(linkwise.Robot("fork", tuple(links)))
    assert exported(tree, "gravity_torques").name == "fork_gravity_torques"
    for function, extras in (("bias", ("tip_wrench",)), ("tip_acceleration", ())):
        with pytest.raises(LinkwiseError, match="tree"):
            exported(tree, function, extras=extras)
