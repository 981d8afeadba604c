"""A seat's bot as the referee sees it: bytes in, lines out, everything bounded."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass, field

from arena.clock import SeatClock
from arena.protocol import MAX_LINE, MAX_NOTE, printable
from arena.record import Fault, FaultKind, Note, SeatReport
from arena.sandbox.launcher import STDERR_PIPE_BYTES
from arena.sandbox.process import BotProcess

MUCH_STDERR = 32 * 1024
STDERR_RING = 64 * 1024
STDERR_KEPT = 16 * 1024
NOTES_KEPT = 64 * 1024
MAX_FILES = 4096
MAX_SOCKETS = 64
INSPECT_MS = 10.0
MAX_OUTPUT = 16 * 1024 * 1024
_PIECE = 64 * 1024
_BY_CPU_LIMIT, _SIGSYS = (signal.SIGXCPU, signal.SIGKILL), signal.SIGSYS
_OUT_OF_MEMORY = (b"MemoryError", b"JavaScript heap out of memory", b"std::bad_alloc", b"memory allocation of")


class BotFault(Exception):
    """A bot broke the rules of the table; the referee turns it into a Fault."""

    def __init__(self, kind: FaultKind, reason: str) -> None:
        super().__init__(reason)
        self.kind: FaultKind = kind
        self.reason = reason


@dataclass(slots=True)
class Player:
    """One seat: its process while it has one, its clock, and what it has said so far."""

    seat: int
    clock: SeatClock
    bot_seed: int
    memory_mib: int
    cpu_s: int
    process: BotProcess | None = None
    fault: Fault | None = None
    is_dead: bool = False
    is_paused: bool = False
    heard: bytearray = field(default_factory=bytearray)
    stderr: bytearray = field(default_factory=bytearray)
    unsent: bytes = b""
    output: int = 0
    notes: list[Note] = field(default_factory=list)
    notes_size: int = 0
    idle_ms: float = 0.0
    inspected_ms: float = 0.0
    report: SeatReport | None = None

    @property
    def is_playing(self) -> bool:
        return self.process is not None and self.fault is None

    def inspect(self) -> None:
        """Judge what it holds of the host's memory, its own and the kernel's; raises BotFault when it is too much."""
        if self.process is None or not self.clock.is_enforced:
            return
        self.inspected_ms = self.process.cpu_ms()
        self.process.read_peak()
        if self.process.peak_memory_kib > self.memory_mib * 1024:
            held = self.process.peak_memory_kib / 1024
            raise BotFault("out_of_memory", f"it held {held:.0f} MiB of memory; the limit is {self.memory_mib}")
        if (sockets := self.process.sockets_held()) > MAX_SOCKETS:
            raise BotFault("out_of_memory", f"it kept {sockets} sockets; the limit is {MAX_SOCKETS}")
        if self.process.files_made() > MAX_FILES:
            raise _too_many_files()

    def inspect_now_and_then(self) -> None:
        """It takes some cpu time to take memory, so a quick answer is not worth the look."""
        if self.clock.seen_ms - self.inspected_ms > INSPECT_MS:
            self.inspect()

    def send(self, line: bytes) -> None:
        """Hand over as much as the pipe takes; the rest waits in unsent."""
        assert self.process is not None
        self.unsent += line
        self.push()

    def push(self) -> None:
        assert self.process is not None
        try:
            while self.unsent:
                self.unsent = self.unsent[os.write(self.process.stdin, self.unsent) :]
        except BlockingIOError:
            return
        except OSError:
            # Nobody reads any more; that is judged when an answer is due.
            self.unsent = b""

    def hear(self) -> bool:
        """Read what stdout has now; False at its end. Raises BotFault when it is too much."""
        assert self.process is not None
        piece = self._piece(self.process.stdout)
        if piece:
            self.heard += piece
            self._count(len(piece))
            if len(self.heard) > MAX_LINE and b"\n" not in self.heard:
                raise BotFault("output_limit", f"a line is longer than {MAX_LINE} bytes")
        return piece != b""

    def hear_stderr(self) -> bool:
        """Read some of what stderr has now, keeping only the end of it; False when there is nothing."""
        assert self.process is not None
        piece = self._piece(self.process.stderr)
        if piece:
            self.stderr += piece
            if len(self.stderr) > 2 * STDERR_RING:
                del self.stderr[:-STDERR_RING]
            self._count(len(piece))
        return bool(piece)

    def _piece(self, descriptor: int) -> bytes | None:
        try:
            return os.read(descriptor, _PIECE)
        except BlockingIOError:
            return None

    def _count(self, size: int) -> None:
        self.output += size
        if self.output > MAX_OUTPUT:
            raise BotFault("output_limit", f"it wrote more than {MAX_OUTPUT} bytes in one match")

    def next_line(self) -> bytes | None:
        """The first whole line heard, taken; raises BotFault when it is too long."""
        at = self.heard.find(b"\n")
        if at < 0:
            return None
        line = bytes(self.heard[:at])
        del self.heard[: at + 1]
        if len(line) > MAX_LINE:
            raise BotFault("output_limit", f"a line has {len(line)} bytes; the limit is {MAX_LINE}")
        return line

    def has_line(self) -> bool:
        return bool(self.heard) and b"\n" in self.heard

    def note(self, ply: int, text: str) -> None:
        """Keep a remark for the owner, until there are too many of them; what is cut and counted is what is kept."""
        remark = printable(text)[:MAX_NOTE]
        self.notes_size += len(remark.encode())
        if self.notes_size <= NOTES_KEPT:
            self.notes.append(Note(ply, remark))

    def pause(self) -> None:
        if self.process is not None and not self.is_paused and not self.is_dead:
            self.process.pause()
            self.is_paused = True

    def resume(self) -> None:
        if self.process is not None and self.is_paused:
            self.process.resume()
            self.clock.note_resumed()
            self.is_paused = False

    def settle(self) -> None:
        """Charge what it used since it was last looked at without being asked; raises BotFault when it is too much."""
        assert self.process is not None
        reason = self.clock.settle(self.process.cpu_ms())
        if reason:
            self.inspect()
            raise BotFault("timeout", reason)

    def look_while_stopped(self) -> None:
        """See that it rests while another bot is asked, now that this takes longer; raises BotFault."""
        assert self.process is not None
        is_stopped = self.process.is_stopped()
        self.settle()
        if is_stopped:
            self.clock.note_stopped()
        self.process.freeze()

    def drain_stderr(self) -> int:
        """Take what stderr has, though not more than it can hold; how much. Raises BotFault when it is too much."""
        before = self.output
        for _ in range(STDERR_PIPE_BYTES // _PIECE):
            if not self.hear_stderr():
                break
        return self.output - before

    def drain(self) -> None:
        """Take what is left in the pipes, as far as the limits go."""
        for hear in (self.hear, self.hear_stderr):
            try:
                before = -1
                while before != self.output:
                    before = self.output
                    hear()
            except BotFault:
                continue

    def take_stock(self) -> None:
        """Note what only a living process can tell: its idle time and its memory."""
        if self.process is not None and not self.is_dead:
            self.idle_ms = self.clock.idle_ms(self.process)
            self.process.read_peak()

    def leave(self) -> None:
        """End the process for sure and write the report; nothing to do a second time."""
        if self.process is None or self.report is not None:
            return
        self.take_stock()
        try:
            self.drain()
        finally:
            self.process.end()
        self.report = SeatReport(
            cpu_ms=round(self.process.cpu_ms(), 1),
            idle_ms=round(self.idle_ms, 1),
            peak_memory_kib=self.process.peak_memory_kib,
            bot_seed=self.bot_seed,
            stderr=self.last_words(),
            notes=tuple(self.notes),
        )

    def last_words(self) -> str:
        return printable(bytes(self.stderr[-STDERR_KEPT:]).decode("utf-8", "replace"))

    @property
    def killed_by(self) -> int:
        """The signal that its launcher says ended it; any bot can leave with a code that says the same."""
        code = 0 if self.process is None else self.process.exit_code or 0
        return -code if code < 0 else code - 128 if code > 128 else 0

    @property
    def is_spent(self) -> bool:
        """Whether the kernel ended it for its cpu time, as it does where the runner could not look for long."""
        assert self.process is not None
        return self.killed_by in _BY_CPU_LIMIT and self.process.cpu_ms() >= 1000 * self.cpu_s

    def death(self) -> BotFault:
        """Why the process is gone; leave() must have been called."""
        assert self.process is not None
        if self.process.files_left > MAX_FILES:
            return _too_many_files()
        code, killed_by = self.process.exit_code or 0, self.killed_by
        if self.is_spent:
            return BotFault("timeout", "it used up all the cpu time of the match")
        tail = bytes(self.stderr[-2000:])
        is_full = self.process.peak_memory_kib > 0.9 * self.memory_mib * 1024
        if code and (is_full or any(word in tail for word in _OUT_OF_MEMORY)):
            return BotFault("out_of_memory", f"it ran out of its {self.memory_mib} MiB and exited (code {code})")
        if killed_by == _SIGSYS:
            return BotFault("crash", "it made a system call that is not allowed")
        how = f"was killed by signal {killed_by}" if killed_by else f"exited with code {code}"
        return BotFault("crash", f"the process {how}")


def _too_many_files() -> BotFault:
    return BotFault("output_limit", f"it made more than {MAX_FILES} files in /tmp")
