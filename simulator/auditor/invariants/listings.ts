// Written from the promises of discovery, and not from core/listings. The shop itself says what it
// asks for, and its seller says what it is listed for.

import type { Listing } from "../../../core/listings/Listing.ts"
import { equals, type Money } from "../../../core/shared/Money.ts"
import { MINUTE, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { type Asking, LOOKED_AT_EVERY } from "../../ports/shops.ts"
import { knowledge } from "../Knowledge.ts"
import type { Rule, Rulebook } from "../Observation.ts"

/** The auditor's knowledge about listings, by their address. */
class Listed {
  /** The terms that each shop itself asks for. */
  readonly asking = new Map<string, Asking | null>()
  /** The terms that probes have seen since the last stored probe. */
  readonly seen = new Map<string, ReadonlyArray<Asking | null>>()
  readonly #stored = new Map<string, Listing>()

  of(resource: string): Listing | undefined {
    return this.#stored.get(resource)
  }

  get all(): ReadonlyArray<Listing> {
    return [...this.#stored.values()]
  }

  store(listing: Listing, isGone: boolean): void {
    const { probed_at, resource } = listing
    if (probed_at !== this.of(resource)?.probed_at) this.seen.delete(resource)
    if (isGone) this.#stored.delete(resource)
    else this.#stored.set(resource, listing)
  }
}

/** The auditor's knowledge about listings. */
export const listings = knowledge("listings", Listed, (known, { kind, op, record }) => {
  if (kind === "listing") known.store(record, op === "remove")
})

declare module "../Observation.ts" {
  interface Observations {
    /** A shop asks for other terms from now on; null if it stops answering. */
    readonly shop: { readonly resource: string; readonly asking: Asking | null }
    /** A shop was probed, and the terms that it asked for. */
    readonly probed: { readonly resource: string; readonly asking: Asking | null }
    /** The listings that a buyer was shown, in order. */
    readonly discovered: {
      readonly shown: ReadonlyArray<{
        readonly resource: string
        readonly standing: string
        readonly amount: Money
      }>
      /** The shops that a service says do not hold. */
      readonly not_held: ReadonlyArray<string>
      /**
       * The shops that have not changed for longer than a change may go unnoticed, in a world
       * without faults.
       */
      readonly known_by_now: ReadonlyArray<string>
    }
  }
}

/** The longest time until a change of a shop's terms is known, with right clocks. */
export const NOTICED_WITHIN: Timestamp = LOOKED_AT_EVERY + MINUTE

/** Whether a shop asks for exactly the terms that it is listed for. */
const isGood = ({ amount, service_id }: Listing, asking: Asking | null): boolean =>
  asking !== null && asking.pay_to === service_id && equals(asking.amount, amount)

const opened: Rule<"shop"> = ({ asking, resource }, model) => {
  model.know(listings).asking.set(resource, asking)
  return undefined
}

const looked: Rule<"probed"> = ({ asking, resource }, model) => {
  const { seen } = model.know(listings)
  seen.set(resource, [...(seen.get(resource) ?? []), asking])
  return undefined
}

/** Checks that a listing has the state that a probe has seen, and changes only by probes. */
const asSeen: Rule<"write"> = ({ write: { kind, op, record } }, model) => {
  if (kind !== "listing" || op === "remove") return undefined
  const known = model.know(listings)
  const before = known.of(record.resource)
  const { probed_at, standing } = record
  if (probed_at === (before?.probed_at ?? null)) {
    const stays = before === undefined ? standing === "unproven" : before.standing === standing
    return stays ? undefined : `is ${standing}, and nobody has looked`
  }
  const seen = known.seen.get(record.resource) ?? []
  const isSeen = seen.some((asking) => isGood(record, asking) === (standing === "live"))
  return isSeen ? undefined : `is ${standing}, which nobody has seen`
}

/** Checks that good listings come before bad ones; those never seen to hold are not shown. */
const ranked: Rule<"discovered"> = ({ known_by_now, not_held, shown }, model) => {
  const fallen = shown.findIndex(({ standing }) => standing !== "live")
  const after = fallen === -1 ? [] : shown.slice(fallen)
  const misplaced = after.find(({ standing }) => standing === "live")
  if (misplaced !== undefined) return `shows ${misplaced.resource} behind what does not hold`
  const unseen = shown.find(({ standing }) => standing === "unproven")
  if (unseen !== undefined) return `shows ${unseen.resource}, which nobody has seen to hold`
  const { all, asking } = model.know(listings)
  for (const resource of known_by_now) {
    const listing = all.find((one) => one.resource === resource)
    if (listing === undefined) continue
    const holds = isGood(listing, asking.get(resource) ?? null)
    const found = shown.find((one) => one.resource === resource)
    const isLive = found?.standing === "live" && equals(found.amount, listing.amount)
    if (holds !== isLive) return `shows ${resource} as ${found?.standing}, where it holds: ${holds}`
    if (holds === not_held.includes(resource)) return `says not_held of ${resource}: ${!holds}`
  }
  return undefined
}

/** The rules about listings and discovery. */
export const listingRules: Rulebook = {
  102: { shop: opened, probed: looked, write: asSeen, discovered: ranked },
}
