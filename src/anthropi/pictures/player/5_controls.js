// Controls: time, speed, and a camera for mouse, fingers and keys.

const [play, bar, clock, speed, follow] = ["play", "bar", "clock", "speed", "follow"].map((id) => document.getElementById(id));
const asked = new URLSearchParams(location.hash.slice(1)); // #t=0.5 opens the page there, standing still
let time = Number(asked.get("t")) || 0, last = 0, rest = 0, drawn = "";
let running = !asked.has("t") && !matchMedia("(prefers-reduced-motion: reduce)").matches && frames > 1;

function run(yes) {
  running = yes && frames > 1;
  if (running && time >= span) time = 0;
  show();
}

function show() {
  play.textContent = running ? "❚❚" : "▶";
  bar.value = time;
  clock.textContent = `${(given.start + time).toFixed(2)} s of ${(given.start + span).toFixed(2)} s`;
  follow.setAttribute("aria-pressed", eye.follow);
}

function seek(t) {
  time = Math.min(Math.max(t, 0), span);
  show();
}

function tick(stamp) {
  const passed = Math.min((stamp - last) / 1000, 0.25);
  last = stamp;
  if (running && time >= span && (rest += passed) > 0.8) { // a moment at the end, then again
    seek(0);
    rest = 0;
  } else if (running) {
    seek(time + passed * Number(speed.value));
  }
  const wanted = [canvas.clientWidth, canvas.clientHeight].map((x) => Math.max(1, Math.round(x * devicePixelRatio)));
  if (canvas.width !== wanted[0] || canvas.height !== wanted[1]) [canvas.width, canvas.height] = wanted;
  const wish = JSON.stringify([time, eye, wanted, dark.matches]); // nothing new, nothing to draw
  if (wish !== drawn) draw(time);
  drawn = wish;
  requestAnimationFrame(tick);
}

const held = new Map(); // pointers on the canvas: one turns, two (or with shift) move and come nearer
canvas.addEventListener("pointerdown", (event) => {
  canvas.setPointerCapture(event.pointerId);
  held.set(event.pointerId, event);
});
for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => held.delete(event.pointerId));
canvas.addEventListener("pointermove", (event) => {
  const before = held.get(event.pointerId);
  if (!before) return;
  const dx = event.clientX - before.clientX, dy = event.clientY - before.clientY;
  if (held.size === 2) {
    const other = [...held.values()].find((p) => p.pointerId !== event.pointerId);
    const gap = (p) => Math.hypot(p.clientX - other.clientX, p.clientY - other.clientY);
    nearer(gap(before) / Math.max(gap(event), 1));
  } else if (event.shiftKey || event.buttons === 2) {
    const { right, up, pixel } = camera(time);
    eye.shift = plus(plus(eye.shift, -dx * pixel, right), dy * pixel, up);
  } else {
    eye.azimuth -= 0.008 * dx;
    eye.elevation = Math.min(Math.max(eye.elevation + 0.008 * dy, -1.5), 1.5);
  }
  held.set(event.pointerId, event);
});
const nearer = (factor) => { eye.near = Math.min(Math.max(eye.near * factor, 0.15), 8); };
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  nearer(Math.exp(0.0012 * event.deltaY));
}, { passive: false });
canvas.addEventListener("contextmenu", (event) => event.preventDefault());
canvas.addEventListener("dblclick", () => Object.assign(eye, start));

play.addEventListener("click", () => run(!running));
bar.addEventListener("input", () => { running = false; seek(Number(bar.value)); });
follow.addEventListener("click", () => { eye.follow = !eye.follow; eye.shift = [0, 0, 0]; show(); });
addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -given.dt, ArrowRight: given.dt }[event.key];
  if (event.target === speed || (event.target.tagName === "BUTTON" && event.key === " ")) return;
  if (event.key === " ") run(!running);
  else if (event.key === "f") follow.click();
  else if (step) { running = false; seek(time + step); }
  else if (event.key === "Home") seek(0);
  else if (event.key === "End") seek(span);
  else return;
  event.preventDefault();
});

bar.max = span;
speed.value = String(given.speed);
seek(time);
requestAnimationFrame(tick);
