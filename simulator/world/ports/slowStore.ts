import { Effect } from "effect"
import type { Commit, Kind, Store, Write } from "../../../core/ports/Store.ts"
import type { Chance } from "../../random/Chance.ts"
import { type Timestamp, utcDay } from "../../../core/shared/Timestamp.ts"

type Service = Store["Service"]

/** The kinds of record whose reads and writes are slow. */
const SLOW: ReadonlySet<Kind> = new Set([
  "account",
  "service",
  "payment_intent",
  "channel_request",
  "event",
])

/** The longest wait of a single call before it acts, in milliseconds. */
export const STORE_LATENCY_LIMIT = 100

/**
 * A store that waits before it acts and answers, so that requests interleave, as over a network.
 */
export const slowStore = (store: Service, chance: Chance, mean: () => number): Service => {
  const pause = Effect.suspend(() => {
    const average = mean()
    const millis = average === 0 || chance.hits(0.5) ? 0 : chance.wait(average)
    return millis === 0 ? Effect.yieldNow : Effect.sleep(Math.min(millis, STORE_LATENCY_LIMIT))
  })
  const slow = <A, E>(self: Effect.Effect<A, E>): Effect.Effect<A, E> => Effect.andThen(pause, self)
  return {
    ...store,
    commit: (commit) => Effect.ensuring(slow(store.commit(commit)), pause),
    find: (kind, id) => (SLOW.has(kind) ? slow(store.find(kind, id)) : store.find(kind, id)),
    findBy: (kind, name) =>
      kind === "account" ? slow(store.findBy(kind, name)) : store.findBy(kind, name),
    findReply: (account, key) => slow(store.findReply(account, key)),
    searchServices: (search) => slow(store.searchServices(search)),
    list: (kind, query) =>
      kind === "service" ? slow(store.list(kind, query)) : store.list(kind, query),
    claimDue: (kind, now, options) => slow(store.claimDue(kind, now, options)),
  }
}

/** Whether the write makes something due repeatedly, for as long as there is time. */
const goesOn = (write: Write, last: Timestamp): boolean =>
  (write.kind === "reconciliation_run" &&
    write.op === "insert" &&
    write.record.day > utcDay(last)) ||
  (write.kind === "billing_cycle" && (write.record.due_at ?? 0) > last)

/**
 * A store in which no channel statement for a day after the world's last is due, and no account
 * statement for a month after it. Each makes the next one due, so a world would never come to rest.
 */
export const endingCalendar = (
  store: Store["Service"],
  lastDay: () => Timestamp | undefined,
): Store["Service"] => {
  const cut = (commit: Commit): Commit => {
    const last = lastDay()
    if (last === undefined) return commit
    const writes = commit.writes.map((write) =>
      goesOn(write, last)
        ? ({ ...write, record: { ...write.record, due_at: null } } as Write)
        : write,
    )
    return { ...commit, writes }
  }
  return { ...store, commit: (commit) => store.commit(cut(commit)) }
}
