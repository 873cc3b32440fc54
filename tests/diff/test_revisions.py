"""Files of a git revision: exactly those that are asked for, as a checkout would write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fleet_contracts.errors import UnresolvedError, UsageError
from fleet_contracts.project import FileProblem
from fleet_contracts.revisions import INDEX, Checkout, Repository
from git_kit import SETTINGS, Git


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no configuration of this machine decide what git does."""
    for name, text in SETTINGS.items():
        monkeypatch.setenv(name, text)


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """A repository."""
    return Git.begin(tmp_path.resolve() / "repository")


def checkout(git: Git, revision: str = "HEAD") -> Checkout:
    folder = git.top.parent / "out"
    folder.mkdir()
    return Checkout(Repository.of(git.top), revision, folder)


def written(found: Checkout) -> set[str]:
    return {
        path.relative_to(found.folder).as_posix()
        for path in found.folder.rglob("*")
        if path.is_symlink() or path.is_file()
    }


def test_only_what_is_asked_for_is_written(git: Git) -> None:
    for path in ("a/one.txt", "a/two.txt", "b.txt"):
        git.write(path, path)
    git.commit()
    found = checkout(git)
    found.write("a/one.txt")
    found.write("a/missing.txt")
    found.write("b.txt/below")
    assert written(found) == {"a/one.txt"}
    assert (found.folder / "a/one.txt").read_text() == "a/one.txt"


def test_files_are_of_the_revision_and_the_checkout_stays_as_it_is(git: Git) -> None:
    git.write("a.txt", "old")
    git.commit()
    git.write("a.txt", "staged")
    git.run("add", "a.txt")
    git.write("a.txt", "new")
    before = git.run("status", "--porcelain=v2"), (git.top / ".git" / "index").read_bytes()
    found = checkout(git)
    found.write("a.txt")
    assert (found.folder / "a.txt").read_text() == "old"
    staged = Checkout(Repository.of(git.top), INDEX, git.top.parent / "staged")
    staged.write("a.txt")
    assert (staged.folder / "a.txt").read_text() == "staged"
    assert (git.top / "a.txt").read_text() == "new"
    after = git.run("status", "--porcelain=v2"), (git.top / ".git" / "index").read_bytes()
    assert after == before


@pytest.mark.parametrize(
    "name", ["with space.txt", "é.txt", "line\nbreak.txt", "-dash.txt", "*.txt"]
)
def test_names_of_any_kind_are_found(git: Git, name: str) -> None:
    git.write(f"d/{name}", "x")
    git.commit()
    found = checkout(git)
    found.write(f"d/{name}")
    assert written(found) == {f"d/{name}"}


def test_line_endings_are_those_of_a_checkout(git: Git) -> None:
    git.write(".gitattributes", "*.txt text eol=crlf\nhidden export-ignore\n*.md export-subst\n")
    git.write("a.txt", "one\ntwo\n")
    git.write("hidden", "x")
    git.write("a.md", "$Format:%H$\n")
    git.commit()
    found = checkout(git)
    for path in ("a.txt", "hidden", "a.md"):
        found.write(path)
    assert (found.folder / "a.txt").read_bytes() == b"one\r\ntwo\r\n"
    assert (found.folder / "a.md").read_bytes() == b"$Format:%H$\n"
    assert (found.folder / "hidden").read_bytes() == b"x"


def test_links_are_followed_inside_the_revision(git: Git) -> None:
    git.write("real/deep/a.txt", "a")
    (git.top / "folder").symlink_to("real/deep")
    (git.top / "file.txt").symlink_to("folder/a.txt")
    git.commit()
    found = checkout(git)
    found.write("file.txt")
    assert (found.folder / "file.txt").read_text() == "a"
    assert written(found) == {"file.txt", "folder", "real/deep/a.txt"}
    assert found.find("real/deep/a.txt") == "real/deep/a.txt"
    assert found.find("folder") is None


def test_links_without_end_or_target_lead_nowhere(git: Git) -> None:
    (git.top / "a").symlink_to("b")
    (git.top / "b").symlink_to("a")
    (git.top / "out").symlink_to("../../secret")
    (git.top / "absolute").symlink_to("/etc/hostname")
    git.commit()
    found = checkout(git)
    project = found.project("a")
    for name in ("a", "out", "absolute"):
        assert found.find(name) is None
        with pytest.raises(FileProblem):
            project.locate(found.folder, name)


def test_a_tree_cannot_write_outside_its_folder(git: Git) -> None:
    git.commit()
    blob = git.run("hash-object", "-w", "--stdin", data=b"evil")
    inner = git.run("mktree", "--missing", data=f"100644 blob {blob}\tevil".encode())
    for name in ("..", ".git", ".GIT"):
        entry = f"040000 tree {inner}\t{name}".encode()
        tree = git.run("mktree", "--missing", data=entry)
        assert Repository.of(git.top).tree(tree) == {f"{name}/evil": ("100644", blob)}
        found = Checkout(Repository.of(git.top), tree, git.top.parent / "out")
        assert found.entries == {}
    link = git.run("hash-object", "-w", "--stdin", data=b"../outside")
    both = f"120000 blob {link}\ta\n040000 tree {inner}\ta".encode()
    found = Checkout(Repository.of(git.top), git.run("mktree", data=both), git.top.parent / "out")
    found.write("a/evil")
    found.write_names("")
    assert written(found) == {"a"}
    assert not (git.top.parent / "outside").exists()


def test_the_nearest_lock_of_the_revision_marks_the_project(git: Git) -> None:
    git.write("deep/fleet.lock", "{}")
    git.write("deep/er/a.txt", "a")
    git.write("b.txt", "b")
    git.commit()
    git.write("deep/er/fleet.lock", "{}")
    found = checkout(git)
    project = found.project("deep/er/a.txt")
    assert project.root == found.folder / "deep"
    assert written(found) == {"deep/fleet.lock"}
    assert found.project("b.txt").root == found.folder
    assert found.project("deep/er/a.txt", "deep/er").root == found.folder / "deep" / "er"


def test_a_project_reads_what_it_locates_and_matches(git: Git) -> None:
    for path in ("t/a.yaml", "t/x/b.yaml", "shared/c.yaml", "shared/d.txt", "else/e.yaml"):
        git.write(path, path)
    (git.top / "t" / "linked").symlink_to("../else")
    git.commit()
    git.write("t/new.yaml", "new")
    found = checkout(git)
    project = found.project("t/a.yaml")
    folder = found.folder / "t"
    found.write("t/a.yaml")
    assert project.glob(folder, "*.yaml") == ["a.yaml"]
    assert project.glob(folder, "**/*.yaml") == ["a.yaml", "linked/e.yaml", "x/b.yaml"]
    assert project.glob(folder, "../shared/*.yaml") == ["../shared/c.yaml"]
    assert project.read(project.locate(folder, "../shared/c.yaml")) == b"shared/c.yaml"
    assert project.read(project.locate(folder, "linked/e.yaml")) == b"else/e.yaml"
    assert project.read(folder / "a.yaml") == b"t/a.yaml"
    with pytest.raises(FileProblem):
        project.locate(folder, "../../repository/t/new.yaml")


def test_files_in_conflict_are_not_staged(git: Git) -> None:
    git.write("a.txt", "0")
    git.commit()
    blob = git.run("rev-parse", "main:a.txt")
    lines = "".join(f"100644 {blob} {stage}\ta.txt\n" for stage in (1, 2, 3))
    git.run("rm", "--quiet", "--cached", "a.txt")
    git.run("update-index", "--index-info", data=lines.encode())
    assert Repository.of(git.top).tree(INDEX) == {}


def test_revisions_are_named_as_in_git(git: Git) -> None:
    first = git.commit()
    git.run("tag", "--annotate", "--message=x", "v1")
    git.run("checkout", "--quiet", "-b", "other")
    git.commit("there")
    git.run("checkout", "--quiet", "main")
    git.commit("here")
    repository = Repository.of(git.top / "not" / "there")
    assert repository.top == git.top
    for revision in ("HEAD", "main", "v1", "HEAD~1", first[:8], "@", "HEAD^{/here}"):
        repository.tree(revision)
    assert repository.merge_base("main", "other") == first
    for word in ("nothing", "--all", "", "HEAD~9"):
        with pytest.raises(UsageError, match="knows no revision"):
            repository.merge_base("main", word)
    with pytest.raises(UsageError, match="knows no revision"):
        repository.tree("nothing")


def test_a_hook_reads_the_repository_that_is_named(
    git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    git.write("deep/a.txt", "a")
    git.commit()
    monkeypatch.setenv("GIT_DIR", ".git")
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
    assert set(Repository.of(git.top / "deep").tree("HEAD")) == {"deep/a.txt"}


def test_without_a_repository_or_git_nothing_is_read(
    tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(UnresolvedError, match="not a git repository") as failure:
        Repository.of(tmp_path)
    assert "name two files" in failure.value.help
    git.commit()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UnresolvedError, match="there is no git"):
        Repository.of(git.top)
