// The resolution of the stage: lower while something moves on a slow machine, full when nothing moves.

const SLOW = 45, QUICK = 22; // [ms] between two frames: above SLOW the resolution decreases, below QUICK it increases
const LEAST = 0.6;
const REST = 260; // [ms] without a frame, after which nothing moves

/** Returns whether a context draws without a graphics card. Edges are then not smoothed, unless the address ends in #fine. */
export function drawnBySoftware(gl: WebGLRenderingContext | WebGL2RenderingContext): boolean {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  return /swiftshader|llvmpipe|software|basic render/i.test(info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "");
}

export class Quality {
  private draft: number;
  private before = 0;
  private mean = 30;
  private changed = 0;
  private timer = 0;
  private fine: boolean;

  constructor(private readonly software: boolean, private readonly redraw: () => void) {
    this.draft = software ? 0.7 : 1;
    this.fine = !software; // a new resolution waits for the frames before it
  }

  /** Returns the number of drawn pixels per pixel of the page. */
  ratio(): number {
    const full = Math.min(devicePixelRatio, this.software ? 1 : 2);
    return this.fine ? full : full * this.draft;
  }

  /** Called before each frame to measure the time between frames. */
  begin(now: number, moving: boolean): void {
    const gap = this.before ? now - this.before : 0;
    this.before = now;
    clearTimeout(this.timer);
    if (!moving) {
      this.fine = this.fine || gap > REST;
    } else {
      this.fine = this.draft >= 1;
      if (gap < 1000) this.mean += 0.15 * (gap - this.mean);
      if (now - this.changed > 600) this.adapt(now);
    }
    if (!this.fine) this.timer = window.setTimeout(() => ((this.fine = true), this.redraw()), REST);
  }

  private adapt(now: number): void {
    const next = this.mean > SLOW ? Math.max(LEAST, 0.82 * this.draft) : this.mean < QUICK ? Math.min(1, 1.12 * this.draft) : this.draft;
    if (next === this.draft) return;
    this.draft = next;
    this.changed = now;
  }
}
