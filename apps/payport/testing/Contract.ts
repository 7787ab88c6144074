import { Effect, type Scope } from "effect"

/** One thing that every adapter of a port does, as any test runner takes it. */
export interface ContractCheck {
  /** What it is about, from the whole to its parts: `due work > payment_intent`. */
  readonly group: string
  readonly name: string
  /** Opens an adapter of its own, tries it and closes it. Rejects with what it did otherwise. */
  readonly run: () => Promise<void>
}

/** How often something was tried by the checks that have run, by its name; 0 is in it too. */
export interface Tried {
  readonly [name: string]: number
}

/** What an adapter of a port is held to. */
export interface Contract<Covered extends { readonly [part: string]: Tried } = {}> {
  readonly checks: ReadonlyArray<ContractCheck>
  /** What the checks that have run until now have covered. */
  readonly coverage: () => Covered
}

/** What an adapter has been tried with: calls, by its port's methods. */
export interface MethodsCovered {
  readonly [part: string]: Tried
  readonly methods: Tried
}

/** The names that nothing has tried yet. */
export const untried = (tried: Tried): ReadonlyArray<string> =>
  Object.keys(tried).filter((name) => tried[name] === 0)

/** How long a check may take, in milliseconds: an adapter that hangs fails it. */
const LONGEST = 30_000

/** Registers checks that need a port, by name, in groups that may hold others. */
export interface Check<R> {
  (name: string, test: () => Effect.Effect<void, unknown, R | Scope.Scope>): void
  readonly group: (name: string, add: () => void) => void
}

/** The checks of several parts in order, each provided with what it needs. */
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
