import { Effect, type Scope } from "effect"

/** One check that every adapter of a port has to pass, for any test runner. */
export interface ContractCheck {
  /** The subject of the check, from the whole to its parts: `due work > payment_intent`. */
  readonly group: string
  readonly name: string
  /** Opens its own adapter, checks it and closes it. Rejects with the deviation. */
  readonly run: () => Promise<void>
}

/** How often the checks so far have tried something, by its name; untried names have 0. */
export interface Tried {
  readonly [name: string]: number
}

/** The checks for the adapters of a port. */
export interface Contract<Covered extends { readonly [part: string]: Tried } = {}> {
  readonly checks: ReadonlyArray<ContractCheck>
  /** Returns what the checks have covered so far. */
  readonly coverage: () => Covered
}

/** The calls by the port's methods. */
export interface MethodsCovered {
  readonly [part: string]: Tried
  readonly methods: Tried
}

/** The names that nothing has tried yet. */
export const untried = (tried: Tried): ReadonlyArray<string> =>
  Object.keys(tried).filter((name) => tried[name] === 0)

/**
 * Time limit of a check, in milliseconds; an adapter that hangs fails. The longest takes three
 * seconds, and a loaded machine may be ten times slower.
 */
const LONGEST = 50_000

/** Registers checks that need a port, by name, in groups that may contain groups. */
export interface Check<R> {
  (name: string, test: () => Effect.Effect<void, unknown, R | Scope.Scope>): void
  readonly group: (name: string, add: () => void) => void
}

/** Collects the checks of several parts in order, and provides each with its port. */
export const collect = <R>(
  provide: <E>(test: Effect.Effect<void, E, R>) => Effect.Effect<void, unknown>,
  parts: ReadonlyArray<(check: Check<R>) => unknown>,
): ReadonlyArray<ContractCheck> => {
  const checks: Array<ContractCheck> = []
  const path: Array<string> = []
  const add = (name: string, test: () => Effect.Effect<void, unknown, R | Scope.Scope>) => {
    const checked = Effect.suspend(test).pipe(Effect.scoped, provide, Effect.timeout(LONGEST))
    checks.push({ group: path.join(" > "), name, run: () => Effect.runPromise(checked) })
  }
  const group = (name: string, fill: () => void) => {
    path.push(name)
    fill()
    path.pop()
  }
  const check: Check<R> = Object.assign(add, { group })
  for (const part of parts) part(check)
  return checks
}
