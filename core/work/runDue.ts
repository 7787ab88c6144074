import { Clock, Effect } from "effect"
import { DueWork } from "../ports/DueWork.ts"
import { Store } from "../ports/Store.ts"
import { type Lanes, makeLanes } from "./lanes.ts"

/** After this many rounds, work that keeps falling due is left. */
const ROUNDS = 200

/**
 * Does everything that is due now, and what falls due at once because of it. Returns how many
 * pieces of work it did. A piece that fails is logged and stops no other. Work that another worker
 * holds is left to it. A caller that comes back passes its own lanes, because they know the
 * receivers.
 */
export const runDue = Effect.fn("runDue")(function* (
  lanes: ReadonlyArray<Lanes[number]> = makeLanes(),
) {
  const store = yield* Store
  const items = yield* DueWork
  let ran = 0
  for (let round = 0; round < ROUNDS; round++) {
    const now = yield* Clock.currentTimeMillis
    const kinds = yield* store.dueKinds(now)
    let found = 0
    for (const lane of lanes) {
      if (!kinds.has(lane.kind)) continue
      const jobs = yield* lane.claim(now, lane.width)
      found += jobs.length
      const done = yield* Effect.all(jobs, { concurrency: lane.width })
      ran += done.filter(Boolean).length
    }
    for (const item of items) {
      const did = yield* item.runDue(now)
      found += did
      ran += did
    }
    if (found === 0) break
  }
  return ran
})
