// Evaluates a formula of t in order to draw it. The server decides whether it is valid; a formula that cannot be parsed here is not drawn.

const FUNCTIONS: Record<string, (x: number) => number> = { sin: Math.sin, cos: Math.cos, tan: Math.tan, exp: Math.exp, log: Math.log, sqrt: Math.sqrt, abs: Math.abs, tanh: Math.tanh };
const BINARY: Record<string, [binds: number, (a: number, b: number) => number]> = { "+": [1, (a, b) => a + b], "-": [1, (a, b) => a - b], "*": [2, (a, b) => a * b], "/": [2, (a, b) => a / b], "**": [4, Math.pow], "^": [4, Math.pow] };

type Value = (t: number) => number;

/** Returns the formula as a function of t, or null if it cannot be parsed. */
export function formulaOf(text: string): Value | null {
  const tokens = text.match(/\d+\.?\d*(?:e[+-]?\d+)?|\.\d+|[a-z_]+|\*\*|[-+*/^()]/gi) ?? [];
  if (tokens.join("") !== text.replace(/\s+/g, "")) return null;
  let at = 0;
  const one = (): Value => {
    const token = tokens[at++] ?? "";
    if (token === "-") {
      const inner = level(3);
      return (t) => -inner(t);
    }
    if (token === "(") {
      const inner = level(0);
      if (tokens[at++] !== ")") throw new Error("a bracket is open");
      return inner;
    }
    if (/^[\d.]/.test(token)) return () => Number(token);
    if (token === "t") return (t) => t;
    if (token === "pi") return () => Math.PI;
    const known = FUNCTIONS[token];
    if (!known || tokens[at] !== "(") throw new Error("not known");
    const inner = one();
    return (t) => known(inner(t));
  };
  const level = (least: number): Value => {
    let left = one();
    for (let operator = BINARY[tokens[at] ?? ""]; operator && operator[0] >= least; operator = BINARY[tokens[at] ?? ""]) {
      at++;
      const [binds, apply] = operator, a = left, b = level(binds === 4 ? binds : binds + 1);
      left = (t) => apply(a(t), b(t));
    }
    return left;
  };
  try {
    const whole = level(0);
    return at === tokens.length ? whole : null;
  } catch {
    return null;
  }
}
