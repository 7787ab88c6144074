import { Effect } from "effect"
import type { Store } from "../../core/ports/Store.ts"
import type { Chance } from "../random/Chance.ts"

type Service = Store["Service"]

/** No single call to the store waits longer than this before it acts, in milliseconds. */
export const STORE_LATENCY_LIMIT = 100

/**
 * A store that takes its time before it acts and before it answers, so that requests come between
 * each other's reads and commits as they do over a network.
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
    findAccount: (id) => slow(store.findAccount(id)),
    findAccountByAgent: (id) => slow(store.findAccountByAgent(id)),
    findService: (id) => slow(store.findService(id)),
    findIntent: (id) => slow(store.findIntent(id)),
    findReply: (account, key) => slow(store.findReply(account, key)),
    findChannelRequest: (id) => slow(store.findChannelRequest(id)),
    findEvent: (id) => slow(store.findEvent(id)),
    searchServices: (search) => slow(store.searchServices(search)),
    listActiveServices: (query) => slow(store.listActiveServices(query)),
    claimDue: (kind, now, options) => slow(store.claimDue(kind, now, options)),
  }
}
