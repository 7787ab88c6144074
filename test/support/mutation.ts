import { Effect } from "effect"
import { expect, test } from "vitest"
import type { Contract, ContractCheck, Tried } from "../../apps/payport/testing/Contract.ts"

/**
 * Ways to make an adapter wrong, by method and description. If a description ends with something
 * that a contract covers, such as a kind, only checks that touch it run.
 */
export type Flaws<A> = {
  readonly [M in keyof A]?: { readonly [what: string]: (sound: A) => Partial<A> }
}

type Method = (...args: Args) => unknown
type Args = ReadonlyArray<unknown>

interface Mutant {
  readonly name: string
  readonly of: string
  readonly change: (method: Method) => Method | undefined
}

/** A way to be wrong that is seen in the arguments or in the answer of a call, where it is. */
interface Step {
  readonly of: string
  readonly name: string
  /** Each returns its argument if it changes nothing. */
  readonly asked?: (args: Args) => Args
  readonly answered?: (answer: unknown) => unknown
}

type Covering = Contract<{ readonly [part: string]: Tried; readonly methods: Tried }>

/** A method that always repeats its first answer. */
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

/** Flaws of any method: it is missing, answers nothing, fails, or always answers the same. */
const PLAIN: { readonly [what: string]: Mutant["change"] } = {
  "is missing": () => undefined,
  "answers nothing": () => () => Effect.void,
  breaks: () => () => Effect.die("broken"),
  "answers what it answered first": stale,
}

type Fields = { readonly [field: string]: unknown }

const isPlain = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype

type Change = (value: unknown) => unknown

const ofLists =
  (least: number, change: (list: ReadonlyArray<unknown>) => unknown): Change =>
  (value) =>
    Array.isArray(value) && value.length >= least ? change(value) : value

const withoutLastField: Change = (value) =>
  isPlain(value) ? Object.fromEntries(Object.entries(value).slice(0, -1)) : value

/** Flaws of an answer, as a whole or in its fields. */
const ANSWERS: { readonly [what: string]: Change } = {
  "answers in the opposite order": ofLists(2, (list) => list.toReversed()),
  "leaves out the last": ofLists(1, (list) => list.slice(0, -1)),
  "leaves out the first": ofLists(1, (list) => list.slice(1)),
  "has the last twice": ofLists(1, (list) => [...list, ...list.slice(-1)]),
  "forgets a field": (value) =>
    Array.isArray(value) && value.some(isPlain) ? value.map(withoutLastField) : value,
  "counts one too many": (value) => (typeof value === "number" ? value + 1 : value),
  "answers the opposite": (value) => (typeof value === "boolean" ? !value : value),
}

/** Changes the fields of an object, and returns it itself where none of them changes. */
const within =
  (change: Change): Change =>
  (value) => {
    if (!isPlain(value)) return change(value)
    const changed = Object.fromEntries(
      Object.entries(value).map(([field, held]) => [field, change(held)]),
    )
    return Object.keys(value).some((field) => changed[field] !== value[field]) ? changed : value
  }

const answerSteps = (of: string): ReadonlyArray<Step> => [
  ...Object.entries(ANSWERS).map(([what, change]) => ({
    of,
    name: `${of} ${what}`,
    answered: within(change),
  })),
  { of, name: `${of} forgets the last field`, answered: withoutLastField },
]

const mapped = (args: Args, change: (arg: unknown, place: number) => unknown): Args => {
  const changed = args.map(change)
  return changed.some((arg, place) => arg !== args[place]) ? changed : args
}

const inQueries =
  (field: string, change: (query: Fields) => Fields) =>
  (args: Args): Args =>
    mapped(args, (arg) => (isPlain(arg) && arg[field] !== undefined ? change(arg) : arg))

/**
 * A query without the field, or with its number increased by one, as for a method that ignores the
 * field.
 */
const fieldSteps = (of: string, field: string): ReadonlyArray<Step> => [
  {
    of,
    name: `${of} does not heed ${field}`,
    asked: inQueries(field, ({ [field]: _, ...others }) => others),
  },
  {
    of,
    name: `${of} takes ${field} for one more`,
    asked: inQueries(field, (query) => {
      const value = query[field]
      return typeof value === "number" ? { ...query, [field]: value + 1 } : query
    }),
  },
]

/** An argument that is a number and taken for the next. */
const argumentStep = (of: string, place: number): Step => ({
  of,
  name: `${of} takes argument ${place} for one more`,
  asked: (args) =>
    mapped(args, (arg, n) => (n === place && typeof arg === "number" ? arg + 1 : arg)),
})

const stepped =
  ({ answered = (answer) => answer, asked = (args) => args }: Step): Mutant["change"] =>
  (method) =>
  (...args) => {
    const answer = method(...asked(args))
    return Effect.isEffect(answer) ? Effect.map(answer, answered) : answer
  }

/**
 * What calls of a sound adapter reveal about a contract's checks: the steps that would make a
 * difference.
 */
class Learnt {
  readonly steps = new Map<string, Step>()
  /**
   * The checks in which each step makes a difference, and the checks that touch each covered part.
   */
  readonly places = new Map<string, Set<number>>()
  readonly took: Array<number> = []
  readonly #byMethod = new Map<string, ReadonlyArray<Step>>()

  note(name: string, place: number): void {
    this.places.set(name, (this.places.get(name) ?? new Set()).add(place))
  }

  /** Returns the method, with its calls and answers recorded. */
  heard(of: string, method: Method, place: () => number): Method {
    return (...args) => {
      const steps = this.#stepsFor(of, args)
      for (const step of steps) {
        if (step.asked !== undefined && step.asked(args) !== args) this.note(step.name, place())
      }
      const answer = method(...args)
      if (!Effect.isEffect(answer)) return answer
      return Effect.map(answer, (value) => {
        for (const step of steps) {
          const isChanged = step.answered !== undefined && step.answered(value) !== value
          if (isChanged) this.note(step.name, place())
        }
        return value
      })
    }
  }

  #stepsFor(of: string, args: Args): ReadonlyArray<Step> {
    const known = this.#byMethod.get(of) ?? answerSteps(of)
    const fields = args.flatMap((arg) => (isPlain(arg) ? Object.keys(arg) : []))
    const numbers = args.flatMap((arg, place) => (typeof arg === "number" ? [place] : []))
    const further = [
      ...fields.flatMap((field) => fieldSteps(of, field)),
      ...numbers.map((place) => argumentStep(of, place)),
    ].filter(({ name }) => !known.some((step) => step.name === name))
    const steps = further.length === 0 ? known : [...known, ...further]
    this.#byMethod.set(of, steps)
    for (const step of steps) this.steps.set(step.name, step)
    return steps
  }

  /** Returns the checks that a mutant may fail, the quickest first. */
  checksFor(name: string, of: string): ReadonlyArray<number> {
    const all = this.places.get(of) ?? new Set<number>()
    const about = this.places.get(name) ?? this.places.get(name.split(" ").at(-1) ?? "") ?? all
    return [...all]
      .filter((place) => about.has(place))
      .toSorted((a, b) => (this.took[a] ?? 0) - (this.took[b] ?? 0))
  }
}

/** Runs the checks once on a sound adapter, and learns how they call it. */
const learn = async <A extends object>(
  contract: (change: (adapter: A) => A) => Covering,
): Promise<Learnt> => {
  const learnt = new Learnt()
  let now = 0
  const { checks, coverage } = contract((sound) => {
    const methods = Object.entries(sound).map(([of, method]) => [
      of,
      learnt.heard(of, method as Method, () => now),
    ])
    return Object.fromEntries(methods) as A
  })
  for (const [place, { run }] of checks.entries()) {
    now = place
    const [before, begun] = [coverage(), performance.now()]
    await run()
    learnt.took.push(performance.now() - begun)
    for (const [part, tried] of Object.entries(coverage())) {
      for (const [name, times] of Object.entries(tried)) {
        if (times !== before[part]?.[name]) learnt.note(name, place)
      }
    }
  }
  return learnt
}

const fails = ({ run }: ContractCheck): Promise<boolean> =>
  run().then(
    () => false,
    () => true,
  )

/** Whether any of the checks fails; stops at the first. */
const isNoticed = async (
  checks: ReadonlyArray<ContractCheck>,
  places: ReadonlyArray<number>,
): Promise<boolean> => {
  for (const place of places) {
    const check = checks[place]
    if (check !== undefined && (await fails(check))) return true
  }
  return false
}

/**
 * Checks that a contract notices each wrong method of its port. Mutants are made from a method's
 * recorded calls and answers, so that a new method is covered, too; `flaws` adds others. `harmless`
 * names those that no caller can notice. Of the checks in which a mutant makes a difference, it
 * runs until the first fails.
 */
export const noticesMutants = <A extends object>(
  contract: (change: (adapter: A) => A) => Covering,
  flaws: Flaws<A>,
  harmless: ReadonlyArray<RegExp> = [],
): void => {
  test("every wrong adapter is noticed", { timeout: 120_000 }, async () => {
    const learnt = await learn(contract)
    const methods = Object.keys(contract((sound) => sound).coverage().methods)
    const survivors: Array<string> = []
    const hunt = async (name: string, of: string, change: (sound: A) => A) => {
      const { checks } = contract(change)
      if (!(await isNoticed(checks, learnt.checksFor(name, of)))) survivors.push(name)
    }
    const changed = (of: string, change: Mutant["change"]) => (sound: A) => ({
      ...sound,
      [of]: change(Reflect.get(sound, of) as Method),
    })
    for (const of of methods) {
      for (const [what, change] of Object.entries(PLAIN)) {
        await hunt(`${of} ${what}`, of, changed(of, change))
      }
    }
    for (const step of learnt.steps.values()) {
      if (learnt.places.has(step.name))
        await hunt(step.name, step.of, changed(step.of, stepped(step)))
    }
    for (const [of, made] of Object.entries(flaws)) {
      for (const [what, make] of Object.entries(made as NonNullable<Flaws<A>[keyof A]>)) {
        await hunt(`${of} ${what}`, of, (sound) => ({ ...sound, ...make(sound) }))
      }
    }
    expect(survivors.filter((name) => !harmless.some((one) => one.test(name)))).toEqual([])
    const outdated = harmless.filter((one) => !survivors.some((name) => one.test(name)))
    expect(outdated, "harmless no more").toEqual([])
    expect(
      methods.filter((of) => !learnt.places.has(of)),
      "never called",
    ).toEqual([])
  })
}
