"""Parse and check the text of a BVH file: a hierarchy of bones, then one row of channel values for each frame.

    HIERARCHY, ROOT name { OFFSET x y z, CHANNELS n …, JOINT name { … }, End Site { OFFSET x y z } }
    MOTION, Frames: n, Frame Time: seconds, and n lines of numbers, one for each channel in the order of the bones

Keywords may be in any case and separated by any white space; blank lines are ignored.
"""

import re
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NoReturn

import numpy as np

from anthropi.errors import FormatError, did_you_mean
from anthropi.formats import limits
from anthropi.formats.decoding import NUMBER, number_in

__all__ = ["CHANNELS", "Bone", "Document", "scan"]

CHANNELS = ("Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation")
_CHANNEL = {name.lower(): name for name in CHANNELS}
WORDS = ("ROOT", "JOINT", "End Site", "OFFSET", "CHANNELS", "{", "}", "MOTION")
MAX_NUMBER = 1e9  # in the file's units
MAX_DIGITS = 64  # characters of a number
WORDS_PER_BONE = 50  # of the skeleton
FRAME_TIMES = (1e-5, 60.0)  # [s], allowed range
LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass
class Bone:
    """A ROOT or JOINT of a BVH file.

    name : its name. parent : index of the parent bone, -1 for the root. line : line number where it begins.
    offset, channels : as in the file. ends : offsets of its End Sites.
    """

    name: str
    parent: int
    line: int
    offset: tuple[float, ...] | None = None
    channels: tuple[str, ...] | None = None
    ends: list[tuple[float, ...]] = field(default_factory=list)


@dataclass(frozen=True)
class Document:
    """Content of a BVH file in its own units and axes: bones, channel values (frames, channels), frame time [s]."""

    bones: tuple[Bone, ...]
    values: np.ndarray
    frame_time: float

    def skeletons(self) -> list[tuple[int, int]]:
        """Return the first bone and the bone after the last one of each skeleton; most files have one."""
        roots = [k for k, bone in enumerate(self.bones) if bone.parent < 0]
        return list(pairwise([*roots, len(self.bones)]))

    def part(self, first: int, last: int) -> "Document":
        """Return the skeleton of the bones from `first` to before `last`, with its channels."""
        counts = [len(bone.channels or ()) for bone in self.bones]
        start, end = sum(counts[:first]), sum(counts[:last])
        bones = tuple(replace(b, parent=max(b.parent - first, -1)) for b in self.bones[first:last])
        return Document(bones, self.values[:, start:end], self.frame_time)


def scan(text: str, name: str) -> Document:
    """Parse the text of a BVH file. `name` is the file name for error messages."""
    text = text.removeprefix("\ufeff")
    count, most = text.count("\n") + text.count("\r") - text.count("\r\n"), limits.current()
    if count > 2 * most.bvh_frames + 100 * most.bvh_bones:  # with an empty line after each frame
        raise limits.exceeded(name, "bvh_frames", f"{count:,} lines, more than twice the frames that are read")
    lines = LINE_END.split(text)
    hierarchy = _Hierarchy(name, lines)
    after = hierarchy.read()
    bones = tuple(hierarchy.bones)
    values, frame_time = _motion(name, lines, after, sum(len(b.channels or ()) for b in bones))
    return Document(bones, values, frame_time)


def refuse(name: str, line: int, words: str) -> NoReturn:
    """Raise `FormatError` with the message `words` for a line of a file."""
    raise FormatError(f"{name}, line {line}: {words}")


def number(name: str, line: int, word: str, what: str) -> float:
    """Parse a finite number of magnitude MAX_NUMBER at most. `what` is its name in error messages."""
    value = number_in(word) if len(word) < MAX_DIGITS else None
    if value is None or not abs(value) <= MAX_NUMBER:
        hint = " Write a decimal point, not a comma." if "," in word else ""
        refuse(name, line, f"{what} is '{word[:40]}'; expected a number of magnitude {MAX_NUMBER:g} at most.{hint}")
    return value


class _Hierarchy:
    """Parser of the lines before MOTION, with a stack of open braces."""

    def __init__(self, name: str, lines: list[str]):
        self.name, self.lines = name, lines
        self.bones: list[Bone] = []
        self.open: list[int] = []  # indices of bones; -1 for an End Site
        self.waiting: int | None = None  # index of a bone, or -1, whose brace is expected next
        self.end_offset = False
        self.ends = 0

    def read(self) -> int:
        """Fill `bones` and return the index of the line after MOTION."""
        begun, most = False, WORDS_PER_BONE * limits.current().bvh_bones
        for k, line in enumerate(self.lines):
            words = line[: 20 * most].replace("{", " { ").replace("}", " } ").split()
            if len(words) > most or len(line) > 20 * most:
                raise limits.exceeded(f"{self.name}, line {k + 1}", "bvh_bones", f"more than {most} words in a line")
            while words:
                word = words[0].upper()
                if not begun:
                    if word != "HIERARCHY":
                        refuse(
                            self.name, k + 1, f"a BVH file must begin with HIERARCHY; found '{words[0][:40]}' instead."
                        )
                    begun, words = True, words[1:]
                elif word == "MOTION":
                    self._closed(k + 1)
                    return k + 1
                else:
                    words = self._take(k + 1, word, words)
        if not begun:
            raise FormatError(f"{self.name} is empty. A BVH file must begin with HIERARCHY.")
        self._closed(len(self.lines), ended=True)
        raise FormatError(f"{self.name} has no MOTION section. It is cut off, or contains only a skeleton.")

    def _take(self, line: int, word: str, words: list[str]) -> list[str]:
        """Parse one statement and return the remaining words of its line."""
        if self.waiting is not None and word != "{":
            refuse(self.name, line, f"expected the '{{' of {self._who(self.waiting)}; found '{words[0][:40]}'.")
        if word in ("ROOT", "JOINT"):
            return self._bone(line, word, words[1:])
        if word == "END":
            return self._end(line, words[1:])
        if word == "{":
            if self.waiting is None:
                refuse(self.name, line, "'{' does not follow a ROOT, JOINT or End Site.")
            self.open.append(self.waiting)
            self.waiting = None
            most = limits.current().bvh_depth
            if len(self.open) > most:
                deep = f"joints are nested more than {most} levels deep"
                raise limits.exceeded(f"{self.name}, line {line}", "bvh_depth", deep)
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
            refuse(self.name, line, f"{word} has no name.")
        if (word == "ROOT") != (not self.open):
            outside = "a JOINT is outside the ROOT. A brace was closed too soon, or ROOT is missing."
            refuse(self.name, line, "a ROOT is inside a joint. Write JOINT." if word == "ROOT" else outside)
        if self.open and self.open[-1] < 0:
            refuse(self.name, line, "a JOINT is inside an End Site.")
        most = limits.current().bvh_bones
        if len(self.bones) >= most:
            raise limits.exceeded(f"{self.name}, line {line}", "bvh_bones", f"the skeleton has more than {most} joints")
        self.waiting = len(self.bones)
        self.bones.append(Bone(" ".join(words[:at])[:200], self.open[-1] if self.open else -1, line))
        return words[at:]

    def _end(self, line: int, words: list[str]) -> list[str]:
        if not words or words[0].upper() != "SITE":
            refuse(self.name, line, "'End' must be followed by 'Site'.")
        if not self.open or self.open[-1] < 0:
            refuse(self.name, line, "an End Site is outside a joint.")
        self.waiting, self.end_offset, self.ends = -1, False, self.ends + 1
        most = 2 * limits.current().bvh_bones
        if self.ends > most:
            raise limits.exceeded(
                f"{self.name}, line {line}", "bvh_bones", f"the skeleton has more than {most} End Sites"
            )
        return words[words.index("{") :] if "{" in words else []

    def _offset(self, line: int, words: list[str]) -> list[str]:
        if not self.open or len(words) < 3:
            refuse(
                self.name,
                line,
                f"OFFSET must be inside a joint and have three numbers; got {' '.join(words)[:60] or 'none'}.",
            )
        at = tuple(number(self.name, line, word, "an OFFSET") for word in words[:3])
        if self.open[-1] < 0:
            if self.end_offset:
                refuse(self.name, line, "an End Site has two OFFSETs.")
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
            refuse(self.name, line, "CHANNELS is outside a joint.")
        bone = self.bones[self.open[-1]]
        if bone.channels is not None:
            refuse(self.name, line, f"joint '{bone.name}' has two lines of CHANNELS.")
        count = int(words[0]) if words and words[0] in "0123456" and len(words[0]) == 1 else -1
        if count < 0 or len(words) < 1 + count:
            refuse(
                self.name,
                line,
                f"CHANNELS of joint '{bone.name}' must have a count from 0 to 6 and as many names; got "
                f"'{' '.join(words)[:80]}'.",
            )
        named = words[1 : 1 + count]
        for word in named:
            if word.lower() not in _CHANNEL:
                refuse(
                    self.name,
                    line,
                    f"joint '{bone.name}' has an unknown channel '{word[:40]}'.{did_you_mean(word, CHANNELS)} "
                    f"Channels: {', '.join(CHANNELS)}.",
                )
        if len({word.lower() for word in named}) < count:
            refuse(self.name, line, f"joint '{bone.name}' names a channel twice: {' '.join(named)}.")
        bone.channels = tuple(_CHANNEL[word.lower()] for word in named)
        return words[1 + count :]

    def _close(self, line: int) -> None:
        if not self.open:
            refuse(self.name, line, "'}' without a '{': no joint is open.")
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
    """Parse the lines after MOTION. Return the channel values (frames, channels) and the frame time [s]."""
    rest = [(k + 1, lines[k]) for k in range(after, len(lines)) if lines[k] and not lines[k].isspace()]
    frames = _headed(name, rest[:1], "Frames", r"frames\s*:\s*(\S+)\s*")
    place, most = f"{name}, line {frames[0]}", limits.current()
    if not re.fullmatch(r"\d{1,9}", frames[1]) or int(frames[1]) < 1:
        refuse(name, frames[0], f"Frames: {frames[1][:40]}; expected a count from 1 to {most.bvh_frames}.")
    count = int(frames[1])
    limits.check(place, "bvh_frames", count, "frames")
    line, word = _headed(name, rest[1:2], "Frame Time", r"frame\s+time\s*:\s*(\S+)\s*")
    frame_time = number(name, line, word, "the Frame Time")
    if not FRAME_TIMES[0] <= frame_time <= FRAME_TIMES[1]:
        refuse(
            name,
            line,
            f"the Frame Time is {word[:40]} s; expected the seconds between frames, from {FRAME_TIMES[0]:g} to "
            f"{FRAME_TIMES[1]:g}. For 120 frames per second, write 0.0083333.",
        )
    rows = rest[2:]
    if channels == 0:
        if rows:
            refuse(name, rows[0][0], "the skeleton has no channels, but the file has rows of numbers.")
        limits.check(place, "bvh_still_frames", count, "frames of a skeleton without channels")
        return np.zeros((count, 0)), frame_time
    strange = next(((k, text) for k, text in rows if not NUMBER.match(text.split(None, 1)[0])), None)
    if strange is not None:
        refuse(name, strange[0], f"'{strange[1].strip()[:40]}' is not a frame; expected {channels} numbers.")
    if len(rows) != count:
        at = rows[min(count, len(rows) - 1)][0] if rows else line
        refuse(
            name,
            at,
            f"the file gives Frames: {count} but has {len(rows)} lines of numbers. It is cut off or was "
            f"edited. Correct the count on line {frames[0]}, or get the file again.",
        )
    limits.check(
        place, "numbers", count * (channels + 7), "numbers: frames, times channels and coordinates of the root"
    )
    values = np.empty((count, channels))
    for row, (at, text) in zip(values, rows, strict=True):
        words = text.split(None, channels)
        if len(words) != channels:
            refuse(
                name,
                at,
                f"{len(text.split())} numbers; the skeleton has {channels} channels, and each frame is one line.",
            )
        _row(name, at, words, row)
    return values, frame_time


def _row(name: str, line: int, words: list[str], row: np.ndarray) -> None:
    """Parse the numbers of one frame into `row`. If this fails, parse them one by one to find the error."""
    try:
        row[:] = [float(word) for word in words]
    except ValueError:
        row[:] = np.nan
    if not np.isfinite(row).all() or np.abs(row).max() > MAX_NUMBER or any("_" in word for word in words):
        for k, word in enumerate(words):
            number(name, line, word, f"number {k + 1}")
        refuse(name, line, "a number cannot be read.")


def _headed(name: str, rest: list[tuple[int, str]], what: str, pattern: str) -> tuple[int, str]:
    """Return the line number of a header line "what: word", and the word."""
    if not rest:
        raise FormatError(f"{name} ends before '{what}:'. It is cut off.")
    line, text = rest[0]
    found = re.fullmatch(pattern, text.strip(), re.IGNORECASE)
    if found is None:
        refuse(name, line, f"expected '{what}: …'; got '{text.strip()[:60]}'.")
    return line, found[1]
