import { Effect } from "effect"
import { DueWork } from "../ports/DueWork.ts"
import { Store } from "../ports/Store.ts"

/**
 * Returns when the next work of any kind falls due, claimed work included; undefined without any.
 */
export const nextDueAt = Effect.fnUntraced(function* () {
  const store = yield* Store
  const items = yield* DueWork
  const own = yield* store.nextDueAt()
  if (items.length === 0) return own
  const times = [own, ...(yield* Effect.all(items.map((item) => item.nextDueAt)))]
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
})
