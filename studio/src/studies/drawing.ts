// Drawing on a canvas: its size, colours of values, axes.

import type { Column } from "./data";

export const SHADES = 48;
const RAMP = { dark: ["#5468d4", "#35a5b5", "#8cc468", "#f2d263"], light: ["#35318f", "#1f7f91", "#4f9440", "#d08a10"] };
const KINDS = {
  dark: ["#5ab4c4", "#e5916f", "#e8c26a", "#9c8cf0", "#79b887", "#d987b4", "#8fa3bd", "#c7a27c"],
  light: ["#1f7f91", "#c2633d", "#b0851b", "#6a58d0", "#3e8a52", "#b04a85", "#5d738f", "#8c6239"],
};

export type Theme = "dark" | "light";

export interface Pen {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
  /** The value of a CSS variable, such as "--edge". */
  css(name: string): string;
}

/** Fits a canvas to its place and clears it; null if it is not visible. */
export function penOf(canvas: HTMLCanvasElement): Pen | null {
  const { clientWidth: width, clientHeight: height } = canvas, scale = devicePixelRatio;
  const context = canvas.getContext("2d");
  if (!width || !height || !context) return null;
  const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  const style = getComputedStyle(document.documentElement);
  const css = (name: string) => style.getPropertyValue(name).trim();
  context.font = `11px ${css("--font")}`;
  return { context, width, height, css };
}

/** Returns the colours of a column: shades from its least to its largest value, or one colour for each word. */
export function coloursOf(column: Column | null, theme: Theme): string[] {
  if (!column) return [KINDS[theme][0]!];
  if (column.words) return column.words.map((_, i) => KINDS[theme][i % KINDS[theme].length]!);
  return Array.from({ length: SHADES }, (_, i) => mixed(RAMP[theme], i / (SHADES - 1)));
}

/** Returns the points by the index of their colour; the last group are points without a value of the column. */
export function byColour(column: Column | null, colours: readonly string[], points: Iterable<number>): number[][] {
  const found: number[][] = [...colours, ""].map(() => []);
  if (!column) return [[...points]];
  const [low, high] = column.range;
  for (const i of points) {
    const x = column.values[i]!;
    const k = column.words ? Math.round(x) : Math.floor(((x - low) / (high - low)) * colours.length);
    found[Number.isNaN(k) ? colours.length : Math.min(Math.max(k, 0), colours.length - 1)]!.push(i);
  }
  return found;
}

function mixed(stops: readonly string[], t: number): string {
  const at = Math.min(t * (stops.length - 1), stops.length - 1.001), k = Math.floor(at), f = at - k;
  const parts = (text: string) => [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16));
  const a = parts(stops[k]!), b = parts(stops[k + 1]!);
  return `rgb(${a.map((x, i) => Math.round(x + f * (b[i]! - x))).join(" ")})`;
}

/** Shortens a text with an ellipsis to a width [pixels]. */
export function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let short = text;
  while (short.length > 1 && context.measureText(`${short}…`).width > width) short = short.slice(0, -1);
  return `${short}…`;
}
