// The connection to the server: commands, replies and events are JSON, live frames are binary messages. It reconnects by itself.

import type { Commands, Events, Refusal } from "./messages";
import type { Stop } from "./store";

type Kind = keyof Commands;

/** A failed command, with the link, joint and time that the server names. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly link: string | null = null,
    readonly joint: string | null = null,
    readonly time: number | null = null,
  ) {
    super(message);
  }
}

export type Status = "connecting" | "open" | "waiting" | "closed" | "none";
type Waiting = { resolve: (result: unknown) => void; reject: (error: Error) => void };
type Listener = (event: never) => void;

const RETRY_DELAYS = [300, 600, 1200, 2500, 5000]; // [ms] before the next attempt

const TOKEN = "anthropi-token";
let known: string | null = null;

/** The token of this server: from the address, or kept from an earlier load. The storage belongs to host and port, so no other server can read it. */
function ownToken(): string {
  known ??= new URLSearchParams(location.search).get("token");
  try {
    if (known) localStorage.setItem(TOKEN, known);
    else known = localStorage.getItem(TOKEN);
  } catch {
    // the browser has no storage: a reloaded page needs the address with the token
  }
  return known ?? "";
}

/** Requests a file from the server, with the token. */
export function fetchOwn(address: string, init: RequestInit = {}): Promise<Response> {
  return fetch(address, { ...init, headers: { ...init.headers, "X-Token": ownToken() } });
}

export class Connection {
  status: Status = "none";
  /** Carries out commands in a page without a server, such as a live page. */
  local: ((kind: string, fields: Record<string, unknown>) => unknown) | null = null;
  private socket: WebSocket | null = null;
  private sequence: number | null = null;
  private next = 1;
  private tries = 0;
  private readonly waiting = new Map<number, Waiting>();
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly watchers = new Set<(status: Status) => void>();
  private readonly frames = new Set<(frame: ArrayBuffer) => void>();

  /** Connects; a page without a server (an exported file) never calls this. */
  open(): void {
    const token = ownToken();
    const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws?token=${encodeURIComponent(token)}`;
    this.change("connecting");
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.tries = 0;
      if (location.search) history.replaceState(null, "", location.pathname + location.hash); // hides the token
      this.change("open");
    };
    socket.onmessage = ({ data }) => (typeof data === "string" ? this.receive(data) : this.show(data as ArrayBuffer));
    socket.onclose = ({ code }) => this.lost(code);
    this.socket = socket;
  }

  /** Sends a command and waits for its reply: `await send("lock_joint", { figure: 1, name: "l_knee", locked: true })`. */
  send<K extends Kind>(kind: K, fields: Commands[K]["fields"]): Promise<Commands[K]["result"]> {
    if (this.local) return Promise.resolve(this.local(kind, fields as Record<string, unknown>) as Commands[K]["result"]);
    if (this.socket?.readyState !== WebSocket.OPEN)
      return Promise.reject(new CommandError(this.status === "none" ? "This page plays an exported motion and has no server." : "The page is not connected to the server. Wait until it has reconnected."));
    const id = this.next++;
    const text = JSON.stringify({ id, kind, ...fields });
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
      this.socket!.send(text);
    });
  }

  /** Sends a command of a slider or drag without waiting for its reply. It is skipped if too many earlier messages are unsent. */
  post<K extends Kind>(kind: K, fields: Commands[K]["fields"]): void {
    if (this.local) this.local(kind, fields as Record<string, unknown>);
    else if (this.socket?.readyState === WebSocket.OPEN && this.socket.bufferedAmount < 65536) this.socket.send(JSON.stringify({ id: this.next++, kind, ...fields }));
  }

  /** Calls the listener with each event of a kind. */
  on<K extends keyof Events>(kind: K, listener: (event: Events[K]) => void): Stop {
    const all = this.listeners.get(kind) ?? new Set();
    this.listeners.set(kind, all);
    all.add(listener as Listener);
    return () => all.delete(listener as Listener);
  }

  onFrame(listener: (frame: ArrayBuffer) => void): Stop {
    this.frames.add(listener);
    return () => this.frames.delete(listener);
  }

  onStatus(listener: (status: Status) => void): Stop {
    this.watchers.add(listener);
    listener(this.status);
    return () => this.watchers.delete(listener);
  }

  /** Passes a live frame to the listeners and acknowledges it when it is drawn, so that the server sends only as many frames as can be shown. */
  private show(frame: ArrayBuffer): void {
    this.frames.forEach((listener) => listener(frame));
    const asked = this.sequence !== null;
    this.sequence = new DataView(frame).getUint32(0, true);
    if (asked) return;
    requestAnimationFrame(() => {
      if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(`{"kind":"frame_seen","sequence":${this.sequence}}`);
      this.sequence = null;
    });
  }

  private receive(json: string): void {
    const message = JSON.parse(json) as Record<string, unknown>;
    const id = message["id"];
    if (typeof id !== "number") {
      this.listeners.get(String(message["kind"]))?.forEach((listener) => listener(message as never));
      return;
    }
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (message["ok"] === true) return waiting?.resolve(message["result"]);
    const { message: text = "The command failed.", link, joint, time } = (message["error"] ?? {}) as Partial<Refusal>;
    if (waiting) waiting.reject(new CommandError(text, link || null, joint || null, time ?? null));
    else this.listeners.get("problem")?.forEach((listener) => listener({ message: text, link: link ?? "", joint: joint ?? "", time: time ?? null, task: 0, level: "error" } as never));
  }

  private lost(code: number): void {
    for (const { reject } of this.waiting.values()) reject(new CommandError("The connection to the server was lost. The page reconnects by itself."));
    this.waiting.clear();
    if (code === 1008 || code === 4401 || code === 4403) return this.change("closed"); // refused: a new token is needed
    this.change("waiting");
    setTimeout(() => this.open(), RETRY_DELAYS[Math.min(this.tries++, RETRY_DELAYS.length - 1)]);
  }

  private change(status: Status): void {
    this.status = status;
    this.watchers.forEach((watcher) => watcher(status));
  }
}
