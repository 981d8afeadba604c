"""What is copied into the root that bots live in."""

from __future__ import annotations

import re
from pathlib import Path

from arena.sandbox import rootfs


def test_scripts_that_node_reads_at_its_start_are_in_the_root(tmp_path: Path, monkeypatch) -> None:
    """Debian's node aborts without them, and then no Node bot can play in an image."""
    script, missing = tmp_path / "nodejs" / "lexer.js", tmp_path / "nodejs" / "gone.js"
    script.parent.mkdir()
    script.write_text("module.exports = 1")
    monkeypatch.setattr(rootfs, "NODE_SCRIPT", re.compile(re.escape(bytes(script.parent)) + rb"/[\w./-]+\.js"))
    library = tmp_path / "root" / "usr" / "lib" / "x" / "libnode.so.108"
    library.parent.mkdir(parents=True)
    library.write_bytes(b"\0\1" + bytes(script) + b"\0" + bytes(missing) + b"\0")
    rootfs.copy_scripts(tmp_path / "root")
    assert Path(f"{tmp_path}/root{script}").read_text() == "module.exports = 1"
    assert not Path(f"{tmp_path}/root{missing}").exists()
