// Programs of the graphics card, and what they draw into.

const LIGHT = unit([0.22, 0.18, 1.0]); // towards the light that throws the shadow
const SOLID = `#version 300 es
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 across;
layout(location = 2) in float end;
uniform mat4 camera, pose;
uniform vec3 size, light;
uniform float reach, grow; // half a capsule's length; by how much the outline is larger
uniform vec3 shadow; // x, y, radius of the ground that catches it; radius 0 draws the solid itself
out vec3 normal;
void main() {
  normal = normalize(mat3(pose) * (across / size));
  vec3 at = (pose * vec4(corner * size + vec3(0, 0, end * reach), 1)).xyz + grow * normal;
  vec2 below = at.xy - at.z * light.xy / light.z;
  gl_Position = shadow.z > 0.0 ? vec4((below - shadow.xy) / shadow.z, 0, 1) : camera * vec4(at, 1);
}`;
const SHADE = `#version 300 es
precision highp float;
in vec3 normal;
uniform vec3 colour, toward, key; // toward: from the figure to the eye
uniform float grow;
out vec4 pixel;
void main() {
  vec3 n = normalize(normal);
  float lit = max(dot(n, key), 0.0), facing = max(dot(n, toward), 0.0);
  float shine = pow(max(dot(n, normalize(key + toward)), 0.0), 28.0);
  float bright = 0.50 + 0.20 * (0.5 + 0.5 * n.z) + 0.46 * lit;
  vec3 shade = colour * bright * (0.76 + 0.24 * sqrt(facing)) + (1.0 - lit) * vec3(-0.015, -0.005, 0.03) + 0.13 * shine;
  pixel = vec4(grow > 0.0 ? 0.45 * colour * colour : shade, 1);
}`;
const PLANE = `#version 300 es
layout(location = 0) in vec3 corner;
uniform mat4 camera;
uniform vec3 spread; // x, y, radius of the ground that is shown
out vec2 at;
void main() {
  at = spread.xy + spread.z * corner.xy;
  gl_Position = camera * vec4(at, 0, 1);
}`;
const GROUND = `#version 300 es
precision highp float;
in vec2 at;
uniform vec3 spread, shadow, ground, line;
uniform float cell, blur;
uniform sampler2D mask;
out vec4 pixel;
float lines(vec2 p) {
  vec2 wide = fwidth(p), near = abs(fract(p - 0.5) - 0.5) / wide;
  vec2 seen = clamp(1.3 - near, 0.0, 1.0) * clamp(1.4 - 3.0 * wide, 0.0, 1.0);
  return max(seen.x, seen.y);
}
void main() {
  float away = length(at - spread.xy) / spread.z;
  float alpha = 1.0 - smoothstep(0.35, 1.0, away);
  vec2 spot = 0.5 + 0.5 * (at - shadow.xy) / shadow.z;
  float dark = 0.0, step = exp2(blur) / 1024.0;
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++)
      dark += textureLod(mask, spot + step * vec2(i, j), blur).r * exp2(-2.0 - float(abs(i) + abs(j)));
  vec3 colour = mix(ground, line, 0.45 * lines(at / cell) + 0.55 * lines(at / cell / 4.0));
  colour *= 1.0 - 0.45 * clamp(dark, 0.0, 1.0) * vec3(1.0, 0.94, 0.84);
  pixel = vec4(colour, 1) * alpha;
}`;

const canvas = document.getElementById("view");
const gl = canvas.getContext("webgl2", { antialias: true });
if (!gl) {
  const sorry = document.createElement("p");
  sorry.className = "sorry";
  sorry.textContent = "This page draws with WebGL 2, which this browser does not offer.";
  document.body.append(sorry);
  throw new Error(sorry.textContent);
}

function program(vertex, fragment) {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  const places = {};
  return {
    use: () => gl.useProgram(made),
    set(values) { // numbers, vectors of three, matrices of sixteen
      for (const [name, value] of Object.entries(values)) {
        const at = (places[name] ??= gl.getUniformLocation(made, name));
        if (typeof value === "number") gl.uniform1f(at, value);
        else if (value.length === 3) gl.uniform3fv(at, value);
        else gl.uniformMatrix4fv(at, false, value);
      }
    },
  };
}

function loaded({ vertices, corners }) {
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(vertices), gl.STATIC_DRAW);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(corners), gl.STATIC_DRAW);
  for (const [i, size, start] of [[0, 3, 0], [1, 3, 12], [2, 1, 24]]) {
    gl.enableVertexAttribArray(i);
    gl.vertexAttribPointer(i, size, gl.FLOAT, false, 28, start);
  }
  return () => {
    gl.bindVertexArray(array);
    gl.drawElements(gl.TRIANGLES, corners.length, gl.UNSIGNED_SHORT, 0);
  };
}

const solid = program(SOLID, SHADE), plane = program(PLANE, GROUND);
const meshes = { ball: loaded(ball(36)), bead: loaded(ball(12)), cylinder: loaded(cylinder(36)), box: loaded(box()) };
const sheet = loaded(grid(1, 1, (i, j) => [2 * i - 1, 2 * j - 1, 0, 0, 0, 1, 0]));

const MASK = 1024; // pixels of the shadow, each way
const mask = gl.createTexture();
gl.bindTexture(gl.TEXTURE_2D, mask);
gl.texStorage2D(gl.TEXTURE_2D, 11, gl.RGBA8, MASK, MASK);
gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
const behind = gl.createFramebuffer();
gl.bindFramebuffer(gl.FRAMEBUFFER, behind);
gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, mask, 0);
