"""Chart of a gait plan: curves of the determinants, stances over time, footprints."""

import matplotlib.pyplot as plt
from _charts import save

COLOURS = {"linear": "#8d99ae", "smooth": "#00798c"}
FEET = {"l": "#00798c", "r": "#d1495b"}  # the colours of figures
NAMES = {"l": "left", "r": "right"}
WIDTH = 0.1  # [m] between the prints


def plan_sheet(file, phase, found, growing, plan, steps):
    """Draw six curves over a cycle; below them stances over time, and footprints."""
    sheet = plt.figure(figsize=(14, 9), layout="constrained")
    grid = sheet.add_gridspec(4, 3, height_ratios=[1, 1, 0.42, 0.55])
    for k, name in enumerate(found["smooth"]):
        chart = sheet.add_subplot(grid[k // 3, k % 3])
        for form, curves in found.items():
            chart.plot(100 * phase, curves[name], color=COLOURS[form], lw=2.2 if form == "smooth" else 1.2, label=form)
        _cycle(chart, plan, name, "[cm], left +" if name == "lateral" else "[deg]")
        if k == 0:
            chart.legend(frameon=False, fontsize=8)
    chart = sheet.add_subplot(grid[1, 2])
    for k, (sf, curve) in enumerate(growing.items()):
        chart.plot(100 * phase, curve, color=plt.cm.viridis(0.15 + 0.17 * k), label=f"{sf} steps/min")
    _cycle(chart, plan, "knee, with the step length", "[deg]")
    chart.legend(frameon=False, fontsize=8, loc="upper left")
    _stances(sheet.add_subplot(grid[2, :]), steps)
    _prints(sheet.add_subplot(grid[3, :]), steps)
    save(sheet, file)


def _cycle(chart, plan, title, unit):
    """Prepare the axes of a curve over a cycle, with double support shaded."""
    double = 100 * plan.double_support / plan.cycle
    for start in (0.0, 50.0):
        chart.axvspan(start, start + double, color="0.92", lw=0)
    chart.axhline(0.0, color="0.7", lw=0.6)
    chart.set(title=title, ylabel=unit, xlim=(0, 100), xlabel="cycle [%]")
    chart.grid(alpha=0.2)


def _stances(chart, steps):
    """Draw a bar for each stance."""
    end, down = steps.strikes[-1], {"r": steps.start}
    for event in (*steps.events(), *(event._replace(time=end, what="off") for event in steps.events()[-3:])):
        if event.what == "strike":
            down[event.foot] = event.time
        elif event.foot in down:
            start = down.pop(event.foot)
            chart.barh(NAMES[event.foot], event.time - start, left=start, color=FEET[event.foot])
    said = steps.strikes[2] + 0.1
    chart.axvline(said, color="#edae49", lw=2)
    chart.annotate("faster, please", (said, 1.0), xytext=(4, 0), textcoords="offset points", color="w", va="center")
    chart.set(title="stance", xlabel="time [s]", xlim=(steps.start, steps.strikes[-1]))


def _prints(chart, steps):
    """Draw the footprints of the strikes."""
    x = 0.0
    for k, (t, foot) in enumerate(zip(steps.strikes, steps.feet, strict=True)):
        x += steps.plans[k - 1].step_length if k else 0.0
        y = WIDTH / 2 if foot == "l" else -WIDTH / 2
        for centre, length, width in (((x + 0.19, y), 0.15, 0.09), ((x + 0.04, y), 0.08, 0.06)):  # ball, heel
            chart.add_patch(plt.matplotlib.patches.Ellipse(centre, length, width, color=FEET[foot], alpha=0.8, lw=0))
        chart.annotate(f"{t:.2f} s", (x + 0.3, y), va="center", fontsize=8, color="0.4")
    chart.set(title="where", xlabel="[m]", xlim=(-0.1, x + 0.6), ylim=(-0.17, 0.17), aspect="equal", yticks=[])
