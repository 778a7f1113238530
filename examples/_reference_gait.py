"""Chart of the reference gait: poses of a cycle, and the nine curves of the profile score with their bands."""

import matplotlib.pyplot as plt
import numpy as np
from _charts import save

from anthropi.pictures import strip

COLOURS = {"l": "#00798c", "r": "#d1495b"}  # the colours of figures
WIDTHS = {"l": 3.0, "r": 1.2}  # different widths, so that both curves are visible where they coincide
NAMES = {"l": "left", "r": "right"}


def reference_sheet(file, motion, run, angles, norm, score):
    """Draw a walk and a run from the side; below, curves of both legs over mean ± 2 deviations."""
    sheet = plt.figure(figsize=(14, 12), layout="constrained")
    grid = sheet.add_gridspec(5, 3, height_ratios=[1.5, 1.5, 1, 1, 1])
    for row, (what, shown) in enumerate({"walk": motion, "run": run}.items()):
        cycle = 120.0 / shown.metadata["step_frequency"]
        panel = sheet.add_subplot(grid[row, :])
        strip(shown, np.linspace(0.0, cycle, 9), spacing=1.0 if what == "walk" else 1.15, axes=panel, pixels=1800)
        panel.set_title(f"{what}, {shown.metadata['velocity']:.2f} m/s: one cycle from left foot strike on")
    phase = np.linspace(0.0, 1.0, 101)
    for k, (name, curve) in enumerate(norm.items()):
        chart = sheet.add_subplot(grid[2 + k // 3, k % 3])
        mean, sd = np.degrees(curve.mean(phase)), np.degrees(curve.sd(phase))
        chart.fill_between(100 * phase, mean - 2 * sd, mean + 2 * sd, color="0.9", lw=0)
        chart.plot(100 * phase, mean, color="0.55", lw=1.0, ls="--")
        for side, own in angles.items():
            x = np.linspace(0.0, 100.0, len(own[name]))
            chart.plot(x, np.degrees(own[name]), color=COLOURS[side], lw=WIDTHS[side], label=NAMES[side])
        apart = np.degrees(score.curves["l"][name])
        chart.set(title=f"{name.replace('_', ' ')}: {apart:.1f}° from the norm", xlim=(0, 100), ylabel="[deg]")
        if k >= 6:
            chart.set_xlabel("cycle [%]")
        chart.grid(alpha=0.2)
    chart.legend(frameon=False, fontsize=8)
    save(sheet, file)
