"""Parameters of a simulation: rows of kernel inputs with the controller's parameters and with numbers in slots."""

from typing import Any

import numpy as np

from anthropi.errors import InputError, did_you_mean
from anthropi.simulation.device_kernel import on_host
from anthropi.simulation.held_kernel import replaced_rows
from anthropi.simulation.options import settings_row
from anthropi.simulation.problem import Problem
from anthropi.simulation.slots import slot_sizes, slot_values

__all__ = ["Parameters"]


class Parameters:
    """The parameters of every rollout.

    rows : {"settings": (batch, n) numbers of the controller, "parameters": (batch, m) numbers in slots}.
    """

    def __init__(self, problem: Problem, slots: tuple[str, ...], settings: Any, batch: int) -> None:
        self.controller, self.slots, self.batch, self._settings = problem.controller, slots, batch, settings
        self.slot_sizes = slot_sizes(problem, slots)
        self.rows: dict[str, np.ndarray] = {}
        self._numbers = slot_values(problem, slots)
        self.set({}, None)

    @property
    def size(self) -> int:
        """How many numbers the slots have."""
        return len(self._numbers)

    def set(self, parameters: dict[str, Any], rows: np.ndarray | None) -> None:
        """Change some parameters, (…) or (batch, …) each; rows : (batch,) mask of rollouts, or None for all."""
        own = {} if self.controller is None else self.controller.parameters
        for name in parameters:
            if name not in own and name not in self.slots:
                known = [*own, *self.slots]
                raise InputError(
                    f"No parameter '{name}' in this simulation.{did_you_mean(name, known)} It has: "
                    f"{', '.join(known) or 'none'}. To change numbers of the figure, use Simulation(…, slots=…)."
                )
        if self._settings.size:
            self._set_row("settings", settings_row(self._settings, self.controller, self.of_controller() | {
                name: x for name, x in parameters.items() if name in own}), rows)  # fmt: skip
        if self.slots:
            values = self.in_slots() | {name: x for name, x in parameters.items() if name in self.slots}
            parts = [np.broadcast_to(np.reshape(values[s], (*np.shape(values[s])[:-1], -1)), (self.batch, n))
                     for s, n in self.slot_sizes.items()]  # fmt: skip
            self._set_row("parameters", np.concatenate(parts, -1), rows)

    def replace(self, values: dict[str, Any], rows: np.ndarray | None) -> None:
        """Replace rows {"settings" or "parameters": (batch, n)}, for a mask (batch,) of rollouts, or None for all."""
        for name, array in values.items():
            self.rows[name] = replaced_rows(self.rows[name], np.asarray(on_host(array)), rows)

    def _set_row(self, name: str, value: np.ndarray, rows: np.ndarray | None) -> None:
        values = np.broadcast_to(value, (self.batch, value.shape[-1]))
        self.rows[name] = replaced_rows(self.rows.get(name), values, rows)

    def of_controller(self) -> dict[str, Any]:
        """Return the present parameters of the controller, (batch, …) each."""
        if "settings" not in self.rows or self.controller is None:
            return {}
        found = self._settings.unpack(self.rows["settings"])
        return {name: found[name] for name in self.controller.parameters}

    def in_slots(self) -> dict[str, Any]:
        """Return the present numbers in the slots, (batch, n) each."""
        row = self.rows.get("parameters", np.broadcast_to(self._numbers, (self.batch, len(self._numbers))))
        found, at = {}, 0
        for slot, size in self.slot_sizes.items():
            found[slot], at = row[:, at : at + size], at + size
        return found

    def alike(self) -> tuple[str, ...]:
        """Return the names of the rows that are the same for all rollouts."""
        return tuple(name for name, rows in self.rows.items() if rows.size and (rows == rows[:1]).all())

    def place(self, name: str) -> tuple[str, int, tuple[int, ...]]:
        """Return the row of a parameter, its first number in it and its shape."""
        if name in self.slots:
            before = self.slots[: self.slots.index(name)]
            return "parameters", sum(self.slot_sizes[s] for s in before), (self.slot_sizes[name],)
        places = self._settings.unpack(np.arange(self._settings.size))
        if name not in places:
            raise InputError(f"No parameter '{name}' in this simulation.{did_you_mean(name, [*places, *self.slots])}")
        return "settings", int(np.min(places[name])), np.shape(places[name])
