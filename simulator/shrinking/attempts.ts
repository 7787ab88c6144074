import { SIMPLER } from "./simpler.ts"
import {
  atWorst,
  faultsOn,
  type Kind,
  KINDS,
  onlyThese,
  type Thing,
  thingsOf,
  type Whole,
  without,
  withoutInPlace,
} from "./Thing.ts"

/** A script that may be smaller, and the attempts that follow if it fails, too. */
export interface Attempt {
  readonly script: Whole
  readonly next: () => Attempts
}

/**
 * The attempts as long as none fails, the largest reductions first. They need no results, so they
 * can be read ahead. A failing attempt has its own attempts that follow.
 */
export type Attempts = Generator<Attempt, void, void>

const FEW = 3

/** With more things than this, no two are removed together: there would be too many pairs. */
const PAIRED = 12

const pairsOf = (things: ReadonlyArray<Thing>): ReadonlyArray<ReadonlyArray<Thing>> =>
  things.flatMap((one, n) => things.slice(n + 1).map((other) => [one, other]))

/** Whether there are few payments and faults. */
export const isSmall = (script: Whole): boolean =>
  script.payments.length < FEW && faultsOn(script).length < FEW

/** Things of a kind to remove, and the attempts that follow, told whether anything has helped. */
interface Fewer {
  readonly kind: Kind
  readonly leaveOut: typeof without
  readonly after: (best: Whole, helped: boolean) => Attempts
}

/** The position in the removal: so many at once, from that one on. */
interface Place {
  readonly size: number
  readonly from: number
  readonly helped: boolean
}

/** Removes all things of a kind, then halves, and so on down to single ones. */
function* fewerOf(best: Whole, fewer: Fewer, place: Place): Attempts {
  const { after, kind, leaveOut } = fewer
  const all = thingsOf(best, kind)
  let { from, size } = place
  while (size >= 1) {
    for (let start = from; start < all.length; start += size) {
      const at = { size, from: start, helped: true }
      const script = leaveOut(best, all.slice(start, start + size))
      yield { script, next: () => fewerOf(script, fewer, at) }
    }
    from = 0
    size = size === 1 ? 0 : Math.ceil(size / 2)
  }
  yield* after(best, place.helped)
}

const allOf = (best: Whole, kind: Kind, helped: boolean): Place => ({
  size: thingsOf(best, kind).length,
  from: 0,
  helped,
})

/** Removes things of each kind, from the nth kind on. */
const fewer = (best: Whole, helped = false, n = 0): Attempts => {
  const kind = KINDS[n]
  if (kind === undefined) return helped ? fewer(best) : fewerInPlace(best)
  const after = (left: Whole, has: boolean) => fewer(left, has, n + 1)
  return fewerOf(best, { kind, leaveOut: without, after }, allOf(best, kind, helped))
}

/** Removes payments without changing the times of the others. */
const fewerInPlace = (best: Whole): Attempts => {
  if (best.payments.length < FEW) return shorter(best)
  const after = (left: Whole, helped: boolean) => (helped ? fewer(left) : shorter(left))
  const how = { kind: "payment", leaveOut: withoutInPlace, after } as const
  return fewerOf(best, how, allOf(best, "payment", false))
}

/** Simplifies plans: of all payments at once, then one after the other. */
function* shorter(best: Whole): Attempts {
  for (const form of SIMPLER) {
    const script = { ...best, payments: best.payments.map(form) }
    yield { script, next: () => shorterFrom(script, 0, true) }
  }
  yield* shorterFrom(best, 0, false)
}

function* shorterFrom(best: Whole, first: number, helped: boolean): Attempts {
  for (const [n, plan] of [...best.payments.entries()].slice(first)) {
    for (const form of SIMPLER) {
      const script = { ...best, payments: best.payments.with(n, form(plan)) }
      yield { script, next: () => shorterFrom(script, n, true) }
    }
  }
  yield* helped ? fewer(best) : onlyTwo(best)
}

/**
 * Keeps only one or two payments or faults, if removing single ones did not help: faults as they
 * are, or at their worst.
 */
function* onlyTwo(best: Whole): Attempts {
  for (const kind of ["payment", "fault"] as const) {
    const things = thingsOf(best, kind)
    if (things.length < FEW || things.length > PAIRED) continue
    const sets = [...things.map((one) => [one]), ...pairsOf(things)]
    const kept = sets.map((set) => onlyThese(best, kind, set))
    const worse = kind === "fault" ? kept.map(atWorst) : []
    for (const script of [...kept, ...worse]) yield { script, next: () => fewer(script) }
  }
  yield* pairs(best)
}

/** Removes two things at once, if one hides the effect of the other. */
function* pairs(best: Whole): Attempts {
  const things = KINDS.filter((kind) => kind !== "part").flatMap((kind) => thingsOf(best, kind))
  if (isSmall(best) || things.length > PAIRED) return
  for (const pair of pairsOf(things)) {
    const script = without(best, pair)
    yield { script, next: () => fewer(script) }
  }
}

/** Yields all attempts to make a script smaller; after one that has helped, it starts again. */
export function* attempts(best: Whole): Attempts {
  // If a payment shows the failure as well as a part, the payment is easier to read.
  const bare = without(best, thingsOf(best, "part"))
  yield { script: bare, next: () => fewer(bare) }
  yield* fewer(best)
}
