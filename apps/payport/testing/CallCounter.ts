import type { Tried } from "./Contract.ts"

/** Counts the calls of a port's methods. */
export class CallCounter {
  readonly #calls: Map<string, number>

  constructor(methods: ReadonlyArray<string>) {
    this.#calls = new Map(methods.map((name) => [name, 0]))
  }

  readonly counted = (): Tried => Object.fromEntries(this.#calls)

  /** Returns the same adapter with counted calls. A missing method is missing here, too. */
  readonly watch = <A extends object>(adapter: A): A =>
    // The proxy is not over the adapter itself, since a frozen adapter's methods cannot be
    // replaced.
    new Proxy({} as A, {
      get: (_, name): unknown => {
        const own: unknown = Reflect.get(adapter, name)
        if (typeof own !== "function" || typeof name !== "string") return own
        const count = this.#calls.get(name)
        if (count !== undefined) this.#calls.set(name, count + 1)
        return own.bind(adapter) as unknown
      },
    })
}
