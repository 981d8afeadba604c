"""The list of modules for docs/modules.md, from the modules themselves."""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("engines", "arena", "bots", "ladder")
UNLISTED = ("migrations", "__pycache__")


def sentence(path):
    """The first line of a module's docstring, or of its first class's or function's."""
    tree = ast.parse(path.read_text())
    told = ast.get_docstring(tree)
    for node in tree.body:
        if told is None and isinstance(node, ast.ClassDef | ast.FunctionDef):
            told = ast.get_docstring(node)
    return (told or "").strip().splitlines()[0] if told else ""


def module_lines():
    """A heading for each folder and one line for each module in it."""
    lines = []
    for package in PACKAGES:
        folders = sorted({path.parent for path in (ROOT / package).rglob("*.py")})
        for folder in folders:
            if any(part in UNLISTED for part in folder.parts):
                continue
            modules = [path for path in sorted(folder.glob("*.py")) if path.name not in {"__init__.py", "apps.py"}]
            told = [f"- `{path.name}`: {sentence(path)}" for path in modules if sentence(path)]
            if told:
                about = sentence(folder / "__init__.py") if (folder / "__init__.py").exists() else ""
                lines += ["", f"### `{folder.relative_to(ROOT)}/`", "", *([about, ""] if about else []), *told]
    return lines
