// The state of the page: one value per key. Parts of the page that show a value listen to changes of its key.

export type Stop = () => void;

export class Store<T extends object> {
  private readonly listeners = new Map<keyof T, Set<(value: never) => void>>();

  constructor(private readonly values: T) {}

  get<K extends keyof T>(key: K): T[K] {
    return this.values[key];
  }

  /** Sets a value and, if it has changed, calls its listeners at once. */
  set<K extends keyof T>(key: K, value: T[K]): void {
    if (Object.is(this.values[key], value)) return;
    this.values[key] = value;
    for (const listener of [...(this.listeners.get(key) ?? [])]) (listener as (value: T[K]) => void)(value);
  }

  /** Sets some fields of a value that is an object. */
  patch<K extends keyof T>(key: K, fields: Partial<T[K]>): void {
    this.set(key, { ...this.values[key], ...fields });
  }

  /** Calls the listener with each new value, and if `now` is true also with the present value. Returns a function that removes the listener. */
  on<K extends keyof T>(key: K, listener: (value: T[K]) => void, now = false): Stop {
    const all = this.listeners.get(key) ?? new Set();
    this.listeners.set(key, all);
    all.add(listener as (value: never) => void);
    if (now) listener(this.values[key]);
    return () => all.delete(listener as (value: never) => void);
  }
}
