"""The list of files for docs/modules.md, from the files themselves."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("engines", "arena", "bots", "ladder")
LISTED = (*PACKAGES, "benchmarks", "scripts", "docker", "deploy")
UNLISTED = ("migrations", "__pycache__", "_compiled", "vendor")
SILENT = ("__init__.py", "apps.py")
KINDS = ("", ".css", ".js", ".py", ".service", ".yaml", ".yml")
COMMENT = re.compile(r"(?:#!.*\n)?(?:#|//|/\*) *(.+?)(?: *\*/)?(?:\n|$)")


def sentence(path):
    """What a file says about itself: in its docstring or its first class's or function's, or in its first line."""
    text = path.read_text()
    if path.suffix != ".py":
        found = COMMENT.match(text)
        return found[1] if found else ""
    tree = ast.parse(text)
    told = ast.get_docstring(tree)
    for node in tree.body:
        if told is None and isinstance(node, ast.ClassDef | ast.FunctionDef):
            told = ast.get_docstring(node)
    return (told or "").strip().splitlines()[0] if told else ""


def is_listed(path):
    return path.is_file() and path.suffix in KINDS and not any(part in UNLISTED for part in path.parts)


def module_lines():
    """A heading for each folder and one line for each file in it that says something about itself."""
    lines = []
    for package in LISTED:
        files = [path for path in sorted((ROOT / package).rglob("*")) if is_listed(path)]
        for folder in sorted({path.parent for path in files}):
            those = [path for path in files if path.parent == folder and path.name not in SILENT]
            told = [f"- `{path.name}`: {sentence(path)}" for path in those if sentence(path)]
            if told:
                about = sentence(folder / "__init__.py") if (folder / "__init__.py").exists() else ""
                lines += ["", f"### `{folder.relative_to(ROOT)}/`", "", *([about, ""] if about else []), *told]
    return lines
