// Norms of walking in the header of a motion. Python makes them (gait/report/walk_page.py).

import type { Packed } from "../motion";

export type Side = "l" | "r";
export const SIDES: Side[] = ["l", "r"];

/** Mean and standard deviation of people over the gait cycle, at even phases from 0 to 1. */
export interface NormCurve {
  name: string;
  title: string;
  unit: string;
  mean: number[];
  sd: number[];
}

export interface PageNorms {
  /** Body weight [N]. */
  weight: number;
  /** The pelvis and its laboratory axes, as columns in the frame of its link. */
  pelvis: { link: number; axes: number[][] };
  /** Indices of the links of each leg. */
  sides: Record<Side, { thigh: number; shank: number; foot: number; toes: number }>;
  curves: NormCurve[];
  /** Speed of the walk [m/s]. */
  speed: number;
  source: string;
  /** One cycle of the reference gait from a strike of the left foot, without the distance walked, and its stride [m]. */
  ghost: { poses: Packed; stride: number } | null;
}
