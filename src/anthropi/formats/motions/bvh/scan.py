"""Parse and check the text of a BVH file: bones and rows of channels.

    HIERARCHY, ROOT name { OFFSET x y z, CHANNELS n …, JOINT name { … }, End Site { OFFSET x y z } }
    MOTION, Frames: n, Frame Time: seconds, and n lines of numbers, one for each channel in the order of the bones

Keywords may be in any case and separated by any white space; blank lines are ignored.
"""

import re
from dataclasses import dataclass, field
from typing import NoReturn

import numpy as np

from anthropi.errors import FormatError, did_you_mean

__all__ = ["CHANNELS", "Bone", "Document", "scan"]

CHANNELS = ("Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation")
_CHANNEL = {name.lower(): name for name in CHANNELS}
WORDS = ("ROOT", "JOINT", "End Site", "OFFSET", "CHANNELS", "{", "}", "MOTION")
MAX_BONES, MAX_DEPTH, MAX_FRAMES, MAX_NUMBERS = 2000, 200, 2_000_000, 50_000_000
MAX_NUMBER = 1e9  # in the file's units
FRAME_TIMES = (1e-5, 60.0)  # [s], allowed range
_PLAIN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


@dataclass
class Bone:
    """A ROOT or JOINT: its name, the index of its parent bone (-1: none), its offset and channels as in the file.

    ends : offsets of its End Sites. line : where it begins.
    """

    name: str
    parent: int
    line: int
    offset: tuple[float, ...] | None = None
    channels: tuple[str, ...] | None = None
    ends: list[tuple[float, ...]] = field(default_factory=list)


@dataclass(frozen=True)
class Document:
    """The content of a file in its own units and axes: bones, values (frames, channels), and the frame time [s]."""

    bones: tuple[Bone, ...]
    values: np.ndarray
    frame_time: float


def scan(text: str, name: str) -> Document:
    """Parse the bones and channels of a BVH text; `name` is the file name in errors."""
    lines = re.split(r"\r\n|\n|\r", text.removeprefix("\ufeff"))
    hierarchy = _Hierarchy(name, lines)
    after = hierarchy.read()
    bones = tuple(hierarchy.bones)
    values, frame_time = _motion(name, lines, after, sum(len(b.channels or ()) for b in bones))
    return Document(bones, values, frame_time)


def refuse(name: str, line: int, words: str) -> NoReturn:
    """Raise the error for a line."""
    raise FormatError(f"{name}, line {line}: {words}")


def number(name: str, line: int, word: str, what: str) -> float:
    """Parse a finite number of at most MAX_NUMBER."""
    value = float(word) if _PLAIN.fullmatch(word) and len(word) < 64 else np.nan
    if not abs(value) <= MAX_NUMBER:
        hint = " Write a decimal point, no comma." if "," in word else ""
        refuse(name, line, f"{what} is '{word[:40]}'; wanted a number, at most {MAX_NUMBER:g} in size.{hint}")
    return value


class _Hierarchy:
    """Parser of the lines before MOTION, with a stack of open braces."""

    def __init__(self, name: str, lines: list[str]):
        self.name, self.lines = name, lines
        self.bones: list[Bone] = []
        self.open: list[int] = []  # indices of bones; -1 for an End Site
        self.waiting: int | None = None  # index of a bone, or -1, whose brace is expected next
        self.end_offset = False

    def read(self) -> int:
        """Fill `bones`; return the number of the line after MOTION."""
        begun = False
        for k, line in enumerate(self.lines):
            words = line.replace("{", " { ").replace("}", " } ").split()
            while words:
                word = words[0].upper()
                if not begun:
                    if word != "HIERARCHY":
                        refuse(self.name, k + 1, f"a BVH file begins with HIERARCHY; this one with '{words[0][:40]}'.")
                    begun, words = True, words[1:]
                elif word == "MOTION":
                    self._closed(k + 1)
                    return k + 1
                else:
                    words = self._take(k + 1, word, words)
        if not begun:
            raise FormatError(f"{self.name} is empty. A BVH file begins with HIERARCHY.")
        self._closed(len(self.lines), ended=True)
        raise FormatError(f"{self.name} ends before its MOTION. It is cut off, or holds a skeleton alone.")

    def _take(self, line: int, word: str, words: list[str]) -> list[str]:
        """Parse one statement; return the rest of its line."""
        if self.waiting is not None and word != "{":
            refuse(self.name, line, f"'{words[0][:40]}' where the '{{' of {self._who(self.waiting)} was to come.")
        if word in ("ROOT", "JOINT"):
            return self._bone(line, word, words[1:])
        if word == "END":
            return self._end(line, words[1:])
        if word == "{":
            if self.waiting is None:
                refuse(self.name, line, "a '{' that belongs to no ROOT, JOINT or End Site.")
            self.open.append(self.waiting)
            self.waiting = None
            if len(self.open) > MAX_DEPTH:
                refuse(self.name, line, f"joints are nested more than {MAX_DEPTH} deep.")
            return words[1:]
        if word == "}":
            self._close(line)
            return words[1:]
        if word == "OFFSET":
            return self._offset(line, words[1:])
        if word == "CHANNELS":
            return self._channels(line, words[1:])
        refuse(
            self.name,
            line,
            f"'{words[0][:40]}' is not a keyword of a skeleton.{did_you_mean(word, WORDS)} Known: {', '.join(WORDS)}.",
        )

    def _bone(self, line: int, word: str, words: list[str]) -> list[str]:
        at = words.index("{") if "{" in words else len(words)
        if "}" in words[:at] or not at:
            refuse(self.name, line, f"a {word} without a name.")
        if (word == "ROOT") != (not self.open):
            outside = "a JOINT outside the ROOT: a brace was closed too soon, or ROOT is missing."
            refuse(self.name, line, "a ROOT inside a joint; write JOINT." if word == "ROOT" else outside)
        if word == "ROOT" and self.bones:
            refuse(self.name, line, "a second ROOT. One figure has one; put each skeleton into a file of its own.")
        if self.open and self.open[-1] < 0:
            refuse(self.name, line, "a JOINT inside an End Site.")
        if len(self.bones) >= MAX_BONES:
            refuse(self.name, line, f"more than {MAX_BONES} joints.")
        self.waiting = len(self.bones)
        self.bones.append(Bone(" ".join(words[:at])[:200], self.open[-1] if self.open else -1, line))
        return words[at:]

    def _end(self, line: int, words: list[str]) -> list[str]:
        if not words or words[0].upper() != "SITE":
            refuse(self.name, line, "'End' is followed by 'Site'.")
        if not self.open or self.open[-1] < 0:
            refuse(self.name, line, "an End Site that is in no joint.")
        self.waiting, self.end_offset = -1, False
        return words[words.index("{") :] if "{" in words else []

    def _offset(self, line: int, words: list[str]) -> list[str]:
        if not self.open or len(words) < 3:
            refuse(self.name, line, f"OFFSET wants three numbers, in a joint; got {' '.join(words)[:60] or 'none'}.")
        at = tuple(number(self.name, line, word, "an OFFSET") for word in words[:3])
        if self.open[-1] < 0:
            if self.end_offset:
                refuse(self.name, line, "an End Site with two OFFSETs.")
            self.bones[self.open[-2]].ends.append(at)
            self.end_offset = True
        else:
            bone = self.bones[self.open[-1]]
            if bone.offset is not None:
                refuse(self.name, line, f"joint '{bone.name}' has two OFFSETs.")
            bone.offset = at
        return words[3:]

    def _channels(self, line: int, words: list[str]) -> list[str]:
        if not self.open or self.open[-1] < 0:
            refuse(self.name, line, "CHANNELS outside a joint.")
        bone = self.bones[self.open[-1]]
        if bone.channels is not None:
            refuse(self.name, line, f"joint '{bone.name}' has CHANNELS twice.")
        count = int(words[0]) if words and words[0] in "0123456" and len(words[0]) == 1 else -1
        if count < 0 or len(words) < 1 + count:
            refuse(
                self.name,
                line,
                f"CHANNELS of joint '{bone.name}' wants a count from 0 to 6 and as many names; got "
                f"'{' '.join(words)[:80]}'.",
            )
        named = words[1 : 1 + count]
        for word in named:
            if word.lower() not in _CHANNEL:
                refuse(
                    self.name,
                    line,
                    f"joint '{bone.name}' has channel '{word[:40]}'.{did_you_mean(word, CHANNELS)} "
                    f"Channels: {', '.join(CHANNELS)}.",
                )
        if len({word.lower() for word in named}) < count:
            refuse(self.name, line, f"joint '{bone.name}' names a channel twice: {' '.join(named)}.")
        bone.channels = tuple(_CHANNEL[word.lower()] for word in named)
        return words[1 + count :]

    def _close(self, line: int) -> None:
        if not self.open:
            refuse(self.name, line, "a '}' too many: no joint is open.")
        k = self.open.pop()
        if (k < 0 and not self.end_offset) or (k >= 0 and self.bones[k].offset is None):
            refuse(self.name, line, f"{self._who(k)} ends without an OFFSET.")

    def _closed(self, line: int, ended: bool = False) -> None:
        if self.waiting is not None or self.open:
            k = self.open[-1] if self.waiting is None else self.waiting
            missing = "'{'" if self.waiting is not None else "'}'"
            refuse(self.name, line, f"{self._who(k)} has no {missing} before {'the end' if ended else 'MOTION'}.")
        if not self.bones:
            refuse(self.name, line, "the skeleton has no ROOT.")

    def _who(self, k: int) -> str:
        return "an End Site" if k < 0 else f"joint '{self.bones[k].name}' (line {self.bones[k].line})"


# motion


def _motion(name: str, lines: list[str], after: int, channels: int) -> tuple[np.ndarray, float]:
    """Rows of channels (frames, channels) and the frame time [s], from the lines after MOTION."""
    rest = [(k + 1, lines[k]) for k in range(after, len(lines)) if lines[k] and not lines[k].isspace()]
    frames = _headed(name, rest[:1], "Frames", r"frames\s*:\s*(\S+)\s*")
    if not re.fullmatch(r"\d{1,9}", frames[1]) or not 1 <= int(frames[1]) <= MAX_FRAMES:
        refuse(name, frames[0], f"Frames: {frames[1][:40]}; wanted a count from 1 to {MAX_FRAMES}.")
    count = int(frames[1])
    line, word = _headed(name, rest[1:2], "Frame Time", r"frame\s+time\s*:\s*(\S+)\s*")
    frame_time = number(name, line, word, "the Frame Time")
    if not FRAME_TIMES[0] <= frame_time <= FRAME_TIMES[1]:
        refuse(
            name,
            line,
            f"a Frame Time of {word[:40]} s; wanted seconds a frame, from {FRAME_TIMES[0]:g} to "
            f"{FRAME_TIMES[1]:g}. 120 frames a second are 0.0083333.",
        )
    rows = rest[2:]
    if channels == 0:
        if rows:
            refuse(name, rows[0][0], "numbers for a skeleton that has no channels.")
        return np.zeros((count, 0)), frame_time
    strange = next(((k, text) for k, text in rows if not _PLAIN.match(text.split()[0])), None)
    if strange is not None:
        refuse(name, strange[0], f"'{strange[1].strip()[:40]}' among the frames; wanted {channels} numbers.")
    if len(rows) != count:
        at = rows[min(count, len(rows) - 1)][0] if rows else line
        refuse(
            name,
            at,
            f"the file gives Frames: {count} and has {len(rows)} lines of numbers. It is cut off or was "
            f"edited: put the count right on line {frames[0]}, or get the file again.",
        )
    if count * channels > MAX_NUMBERS:
        refuse(name, frames[0], f"{count} frames of {channels} channels are more than {MAX_NUMBERS} numbers. Cut it.")
    values = np.empty((count, channels))
    for row, (at, text) in zip(values, rows, strict=True):
        words = text.split()
        if len(words) != channels:
            refuse(name, at, f"{len(words)} numbers; the skeleton has {channels} channels, one line a frame.")
        _row(name, at, words, row)
    return values, frame_time


def _row(name: str, line: int, words: list[str], row: np.ndarray) -> None:
    """Parse the numbers of one frame into its row: all at once, or one by one to find the error."""
    try:
        row[:] = [float(word) for word in words]
    except ValueError:
        row[:] = np.nan
    if not np.isfinite(row).all() or np.abs(row).max() > MAX_NUMBER or any("_" in word for word in words):
        for k, word in enumerate(words):
            number(name, line, word, f"number {k + 1}")
        refuse(name, line, "a number that cannot be read.")


def _headed(name: str, rest: list[tuple[int, str]], what: str, pattern: str) -> tuple[int, str]:
    """The line and the word after `what:`."""
    if not rest:
        raise FormatError(f"{name} ends before '{what}:'. It is cut off.")
    line, text = rest[0]
    found = re.fullmatch(pattern, text.strip(), re.IGNORECASE)
    if found is None:
        refuse(name, line, f"wanted '{what}: …'; got '{text.strip()[:60]}'.")
    return line, found[1]
