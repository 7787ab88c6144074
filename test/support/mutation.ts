import { Effect } from "effect"
import { expect, test } from "vitest"
import type { Contract, ContractCheck, Tried } from "../../apps/payport/testing/Contract.ts"

/** How an adapter is made a wrong one, by what is wrong; by the method in which it is. */
export type Flaws<A> = {
  readonly [M in keyof A]: { readonly [name: string]: (sound: A) => Partial<A> }
}

interface Mutant<A> {
  readonly name: string
  readonly of: string
  readonly change: (adapter: A) => A
}

type Covering = Contract<{ readonly [part: string]: Tried; readonly methods: Tried }>

/** For each method the checks that call it, those that took the least time first. */
const checksByMethod = async ({ checks, coverage }: Covering) => {
  const found = new Map<string, Array<{ readonly place: number; readonly took: number }>>()
  for (const [place, { run }] of checks.entries()) {
    const [before, begun] = [coverage().methods, performance.now()]
    await run()
    const took = performance.now() - begun
    for (const [method, calls] of Object.entries(coverage().methods)) {
      if (calls === before[method]) continue
      found.set(method, [...(found.get(method) ?? []), { place, took }])
    }
  }
  for (const places of found.values()) places.sort((a, b) => a.took - b.took)
  return found
}

const fails = ({ run }: ContractCheck): Promise<boolean> =>
  run().then(
    () => false,
    () => true,
  )

/** Whether any of the checks fails, at the first that does. */
const isNoticed = async (
  { checks }: Covering,
  places: ReadonlyArray<{ readonly place: number }>,
): Promise<boolean> => {
  for (const { place } of places) {
    const check = checks[place]
    if (check !== undefined && (await fails(check))) return true
  }
  return false
}

type Method = (...args: ReadonlyArray<unknown>) => unknown

/** A method that answers for ever what it has answered first. */
const stale = (method: Method): Method => {
  let first: Effect.Effect<unknown> | undefined
  return (...args) =>
    Effect.suspend(
      () =>
        first ??
        Effect.tap(method(...args) as Effect.Effect<unknown>, (answer) =>
          Effect.sync(() => (first = Effect.succeed(answer))),
        ),
    )
}

/** What goes wrong with any method: it is not there, says nothing, breaks, or says one thing. */
const PLAIN: { readonly [name: string]: (method: Method) => Method | undefined } = {
  "is missing": () => undefined,
  "answers nothing": () => () => Effect.void,
  breaks: () => () => Effect.die("broken"),
  "answers what it answered first": stale,
}

const plainMutants = <A extends object>(of: string): ReadonlyArray<Mutant<A>> =>
  Object.entries(PLAIN).map(([what, make]) => ({
    of,
    name: `${of} ${what}`,
    change: (sound) => ({ ...sound, [of]: make(Reflect.get(sound, of) as Method) }),
  }))

const ownMutants = <A extends object>(flaws: Flaws<A>): ReadonlyArray<Mutant<A>> =>
  Object.entries(flaws).flatMap(([of, made]) =>
    Object.entries(made as Flaws<A>[keyof A]).map(([what, make]) => ({
      of,
      name: `${of} ${what}`,
      change: (sound: A) => ({ ...sound, ...make(sound) }),
    })),
  )

/**
 * Holds a contract to noticing each of its port's methods where it is wrong: in every plain way but
 * those that are `harmless`, and in those of `flaws`. Stops at the first check that fails.
 */
export const noticesMutants = <A extends object>(
  contract: (change: (adapter: A) => A) => Covering,
  flaws: Flaws<A>,
  harmless: ReadonlyArray<string> = [],
): void => {
  const methods = Object.keys(contract((sound) => sound).coverage().methods)
  const plain = methods.flatMap((of) => plainMutants<A>(of))
  const mutants = [...plain.filter(({ name }) => !harmless.includes(name)), ...ownMutants(flaws)]
  test(`${mutants.length} wrong adapters are noticed`, { timeout: 120_000 }, async () => {
    const places = await checksByMethod(contract((sound) => sound))
    const survivors: Array<string> = []
    for (const { change, name, of } of mutants) {
      if (!(await isNoticed(contract(change), places.get(of) ?? []))) survivors.push(name)
    }
    expect(survivors).toEqual([])
  })
}
