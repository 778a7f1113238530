// Colours of the stage in the two themes.

export interface Palette {
  /** Colours of the haze above the ground, of the sky high above, and of the glow at the horizon. */
  sky: [haze: string, top: string, glow: string];
  ground: string;
  line: string;
  /** Numbers on the ground. */
  label: string;
  shadow: number;
  key: [string, number];
  fill: [string, string, number];
  rim: [string, number];
  mark: string;
  force: string;
  com: string;
  cop: string;
  leg: string;
  limit: string;
  thing: string;
  bone: string;
  ghost: string;
}

export const PALETTES: Record<"dark" | "light", Palette> = {
  dark: {
    sky: ["#262d38", "#10141b", "#3a4554"],
    ground: "#232932", line: "#4a5567", label: "#8593a8", shadow: 0.5,
    key: ["#fff4e6", 2.1], fill: ["#d3dfee", "#737b8a", 1.75], rim: ["#8fb8d8", 1.1],
    mark: "#6fd0e0", force: "#f0b95c", com: "#ffd27d", cop: "#f08a6c", leg: "#9ad0a0", limit: "#9c8cf0",
    thing: "#77839a", bone: "#c9d0da", ghost: "#8fa3bd",
  },
  light: {
    sky: ["#eef2f7", "#bccbdd", "#ffffff"],
    ground: "#e6ebf1", line: "#aab6c6", label: "#7787a0", shadow: 0.26,
    key: ["#fffaf2", 2.2], fill: ["#ffffff", "#c9d0da", 2.0], rim: ["#cfe2f2", 0.8],
    mark: "#1296ad", force: "#d98a1f", com: "#d9931c", cop: "#d2553a", leg: "#3f9a56", limit: "#6a58d0",
    thing: "#97a3b6", bone: "#8f99a8", ghost: "#7f92ab",
  },
};
