"""When a page may be looked at: what a click, a link or a script leads to does not stand there yet when it returns."""

from __future__ import annotations

from playwright.sync_api import Page

# Letters have their shapes, and seats and moves, which come after the first position, have their places.
ALL_STANDS = """(ply) => document.fonts.status === 'loaded' && document.querySelector('html:not(.opening) .seatcard')
    && document.querySelector(ply ? '.movelist [aria-current]' : '.movelist [data-row]')"""

# What has another size is drawn anew in the frame after.
FRAMES_LATER = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def board_at(page: Page, ply: int, *, view: str | None = None) -> None:
    """Wait until the board shows a ply, through these eyes."""
    eyes = "" if view is None else f"[data-view='{view}']"
    page.wait_for_selector(f".board[data-ply='{ply}']{eyes}")


def all_at(page: Page, ply: int) -> None:
    """Wait until all that the viewer has stands at a ply, so that it may be measured."""
    board_at(page, ply)
    page.wait_for_function(ALL_STANDS, arg=ply)
