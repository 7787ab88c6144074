/** A model that is explored from some of its starts. */
export interface Exploration {
  readonly model: "Lifecycles" | "Races" | "Store"
  /** A set of states, in Quint. */
  readonly starts: string
  /** The fields that the rules read; empty for all. */
  readonly judged: ReadonlyArray<string>
}

const JUDGED = ["db", "asked", "acknowledged", "refused"]

/** The plans of `Store.qnt`. */
const PLANS = ["take", "both", "name", "guard", "remove", "heir", "spend"] as const
const KEYED: ReadonlySet<string> = new Set(["take", "name", "spend"])

interface StoreStart {
  readonly plans: readonly [string, string]
  readonly together: boolean
  readonly sameKey: boolean
  readonly faults: number
}

/** Two writers of the store's model, in one process or in two. */
export const store = ({ faults, plans, sameKey, together }: StoreStart): Exploration => {
  const [one, other] = plans
  return {
    model: "Store",
    starts: `Set(start("${one}", "${other}", ${together}, ${sameKey}, ${faults}))`,
    judged: JUDGED,
  }
}

/** Deciders of the races' model. */
export const races = (names: ReadonlyArray<string>, faults: number): Exploration => ({
  model: "Races",
  starts: `Set(start(Set(${names.map((name) => `"${name}"`).join(", ")}), ${faults}))`,
  judged: [],
})

export const lifecycles: Exploration = { model: "Lifecycles", starts: "starts", judged: [] }

const pairs = PLANS.flatMap((one, n) => PLANS.slice(n).map((other) => [one, other] as const))

/** Every pair of plans, in one process and in two, under one Idempotency-Key where both have it. */
const storePairs = (faults: number): ReadonlyArray<Exploration> =>
  pairs.flatMap((plans) => {
    const keys = plans.every((plan) => KEYED.has(plan)) ? [false, true] : [false]
    return keys.flatMap((sameKey) =>
      [true, false].map((together) => store({ plans, together, sameKey, faults })),
    )
  })

/** The explorations of a quick run: each model, and each part of a commit. */
export const QUICK: ReadonlyArray<Exploration> = [
  lifecycles,
  races(["capture", "void"], 0),
  races(["capture", "expiry"], 0),
  store({ plans: ["take", "spend"], together: true, sameKey: false, faults: 0 }),
  store({ plans: ["take", "take"], together: true, sameKey: true, faults: 1 }),
  store({ plans: ["both", "guard"], together: false, sameKey: false, faults: 0 }),
  store({ plans: ["remove", "heir"], together: false, sameKey: false, faults: 0 }),
]

/** The explorations of a whole run. */
export const WHOLE: ReadonlyArray<Exploration> = [
  lifecycles,
  races(["capture", "void", "expiry"], 1),
  races(["capture", "recapture", "void"], 1),
  races(["capture", "void"], 2),
  ...storePairs(1),
]
