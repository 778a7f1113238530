// The data of a study: the binary format of the server, columns, and the points that brushes select.

import type { StudyColumn, StudyData } from "../messages";

export interface Column {
  /** Role and name, such as "point:speed"; a point and a result may have the same name. */
  key: string;
  name: string;
  role: StudyColumn["role"] | "index";
  words: readonly string[] | null;
  values: Float32Array;
  /** Least and largest values of the groups of points of which one is sent, or null. */
  low: Float32Array | null;
  high: Float32Array | null;
  least: StudyColumn["least"];
  most: StudyColumn["most"];
  /** The range of all finite values; it is never empty. */
  range: [number, number];
}

export interface Table {
  data: StudyData;
  /** Number of points that were sent, and every which point that is. */
  count: number;
  stride: number;
  columns: readonly Column[];
}

/** The part of a column that is selected, by the column's key. */
export type Brushes = ReadonlyMap<string, readonly [number, number]>;

const MAGIC = 0x31535041; // "APS1", little-endian

/** Reads a response of /study/NUMBER. The columns are those of the last table if they have not changed. */
export function readTable(buffer: ArrayBuffer, last: Table | null): Table {
  const view = new DataView(buffer);
  if (view.getUint32(0, true) !== MAGIC) throw new Error("The server sent no study. Reload the page.");
  const size = view.getUint32(4, true);
  const data = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, size))) as StudyData;
  if (!data.columns) return { data, count: last?.count ?? 0, stride: data.stride, columns: last?.columns ?? [] };
  const { count, stride } = data, numbers = new Float32Array(buffer, 8 + size);
  let at = 0;
  const next = () => numbers.subarray(at, (at += count));
  const columns = data.columns.map((own): Column => {
    const values = next(), low = own.bounded ? next() : null, high = own.bounded ? next() : null;
    return { key: `${own.role}:${own.name}`, name: own.name, role: own.role, words: own.words, values, low, high, least: own.least, most: own.most, range: rangeOf(own, values) };
  });
  if (!columns.length) return { data, count, stride, columns };
  const index = Float32Array.from({ length: count }, (_, i) => i * stride);
  const first: Column = { key: "index:point", name: "point", role: "index", words: null, values: index, low: null, high: null, least: null, most: null, range: [0, Math.max(1, (count - 1) * stride)] };
  return { data, count, stride, columns: [first, ...columns] };
}

function rangeOf(column: StudyColumn, values: Float32Array): [number, number] {
  if (column.words) return [-0.5, Math.max(column.words.length, 1) - 0.5];
  let low = column.least?.value ?? Infinity, high = column.most?.value ?? -Infinity;
  for (const x of values) {
    if (x < low) low = x;
    if (x > high) high = x;
  }
  if (!(low <= high)) return [0, 1];
  return low < high ? [low, high] : [low - (Math.abs(low) || 1) / 2, high + (Math.abs(high) || 1) / 2];
}

/** Finds a column by its key. */
export function columnOf(table: Table | null, key: string): Column | null {
  return table?.columns.find((column) => column.key === key) ?? null;
}

/** Returns the columns with several values, of which plots can be made. */
export function plottable(table: Table): Column[] {
  return table.columns.filter((column) => column.values.some((x) => !Number.isNaN(x)));
}

/** Returns for every point whether all brushes select it; null if there are no brushes. */
export function selected(table: Table, brushes: Brushes): Uint8Array | null {
  const own = [...brushes].flatMap(([key, range]) => {
    const column = columnOf(table, key);
    return column ? [{ values: column.values, range }] : [];
  });
  if (!own.length) return null;
  const found = new Uint8Array(table.count).fill(1);
  for (const { values, range: [low, high] } of own)
    for (let i = 0; i < found.length; i++) if (!(values[i]! >= low && values[i]! <= high)) found[i] = 0;
  return found;
}

/** Formats a value of a column. */
export function shownValue(column: Column, x: number): string {
  if (column.words) return column.words[Math.round(x)] ?? "";
  return shownNumber(x);
}

export function shownNumber(x: number): string {
  if (!Number.isFinite(x)) return "–";
  return x !== 0 && (Math.abs(x) >= 1e6 || Math.abs(x) < 1e-3) ? x.toExponential(2) : String(Number(x.toPrecision(5)));
}

/** Formats a duration [s]. */
export function duration(seconds: number): string {
  const all = Math.round(seconds), hours = Math.floor(all / 3600), minutes = Math.floor((all % 3600) / 60);
  return hours ? `${hours} h ${minutes} min` : minutes ? `${minutes} min ${all % 60} s` : `${all} s`;
}

/** Returns about `count` round numbers in a range, or the words of a column of words. */
export function ticks(column: Column, count: number): { at: number; text: string }[] {
  const [low, high] = column.range;
  if (column.words) {
    const step = Math.ceil(column.words.length / Math.max(count, 1));
    return column.words.flatMap((text, at) => (at % step ? [] : [{ at, text }]));
  }
  const rough = (high - low) / Math.max(count, 1), power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (rough / power > 5 ? 10 : rough / power > 2 ? 5 : rough / power > 1 ? 2 : 1);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) found.push({ at: k * step, text: shownNumber(Number((k * step).toPrecision(12))) });
  return found;
}
