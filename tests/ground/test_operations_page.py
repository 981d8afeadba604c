"""What the pages tell an operator to type and to set is there."""

import re
from pathlib import Path

import pytest
from django.core.management import get_commands

from ladder.environment import VARIABLES

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("README.md", "docs/2-settings.md", "docs/6-ladder.md", "docs/9-operations.md")


def text_of(page):
    return (ROOT / page).read_text()


def sections(page):
    """The section that a link's last part names."""
    heads = re.findall(r"^#+ (.+)$", text_of(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES)
def test_every_command_on_the_page_can_be_typed(page):
    text = text_of(page)
    assert set(re.findall(r"manage\.py ([a-z_]+)", text)) <= set(get_commands())
    roles = re.findall(r"^([a-z|]+)\)", (ROOT / "docker" / "start").read_text(), re.MULTILINE)
    assert set(re.findall(r"docker/start ([a-z]+)", text)) <= set(roles)
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert set(re.findall(r"(?:^|`|=\d+ )make ([a-z]+)", text, re.MULTILINE)) <= set(targets)


@pytest.mark.parametrize("page", PAGES)
def test_every_setting_on_the_page_is_one(page):
    assert set(re.findall(r"RUMRUNNER_[A-Z_]+", text_of(page))) <= {variable.name for variable in VARIABLES}


@pytest.mark.parametrize("page", PAGES)
def test_every_link_to_a_section_leads_to_it(page):
    for target, section in re.findall(r"\]\(([\w./-]+\.md)#([\w-]+)\)", text_of(page)):
        assert section in sections(str(Path(page).parent / target)), (target, section)


def test_more_machines_have_their_commands_and_share_no_folder():
    page = text_of("docs/9-operations.md").partition("## More machines")[2]
    assert "docker/start worker" in page
    for name in ("RUMRUNNER_DATABASE_URL", "RUMRUNNER_BROKER_URL", "RUMRUNNER_SECRET_KEY"):
        assert page.count(f"export {name}=") == 1
    for each in PAGES:
        assert "on a shared folder" not in text_of(each)
