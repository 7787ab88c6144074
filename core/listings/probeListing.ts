import { Clock, Effect, Metric } from "effect"
import { Installation } from "../ports/Installation.ts"
import { ResourceProbe } from "../ports/ResourceProbe.ts"
import { Store } from "../ports/Store.ts"
import { DAY } from "../shared/Timestamp.ts"
import type { Listing } from "./Listing.ts"
import { afterProbe, findingOf, lastFinding } from "./Probe.ts"
import { ClockMovedFrom, ProbeInterval } from "./ProbeInterval.ts"

const probes = Metric.counter("payport_listing_probes_total", {
  description: "Listed resources asked for their price, by finding.",
  incremental: true,
})

const ask = Effect.fnUntraced(function* (listing: Listing, agent_id: string) {
  const { method, probe_url: url } = listing
  const { mode } = yield* Installation
  const answer = yield* (yield* ResourceProbe).ask({ url, method })
  const finding = findingOf(listing, { network: `payport:${mode}`, agent_id }, answer)
  yield* Metric.update(Metric.withAttributes(probes, { finding: finding.type }), 1)
  return finding
})

/**
 * Requests a listed resource without paying and records the result; a worker calls it with the
 * claimed record. Removes the listing with its service, and after a long time without confirmation.
 * Fails with `Conflict` when the listing has changed meanwhile: it becomes due again.
 */
export const probeListing = Effect.fn("probeListing")(function* (listing: Listing) {
  const store = yield* Store
  const kind = "listing"
  if (listing.due_at === null || (yield* Clock.currentTimeMillis) < listing.due_at) return
  const service = yield* store.find("service", listing.service_id)
  const account = yield* store.find("account", listing.account_id)
  if (account === undefined || service === undefined || service.status === "deleted") {
    return yield* store.commit({ writes: [{ op: "remove", kind, record: listing }] })
  }
  const movedFrom = yield* ClockMovedFrom
  const isAsked = movedFrom !== null && (listing.probed_at ?? -1) > movedFrom
  const known = isAsked ? lastFinding(listing) : undefined
  const finding = known ?? (yield* ask(listing, account.agent_id))
  const now = yield* Clock.currentTimeMillis
  const interval = known === undefined ? yield* ProbeInterval : DAY
  const record = afterProbe(listing, finding, now, interval)
  yield* store.commit({
    writes: [
      record === null ? { op: "remove", kind, record: listing } : { op: "replace", kind, record },
    ],
  })
})
