import { Effect } from "effect"
import type { Read, Store } from "../../ports/Store.ts"
import { wants } from "../endpoints/Endpoint.ts"
import type { Event, EventType } from "../events/Event.ts"
import type { WebhookKey } from "../keys/WebhookKey.ts"

/** What attempts ask of the store that they may ask together. */
export interface Lookups {
  readonly event: (id: string) => Read<Event | undefined>
  /** The account's newest key, which bodies are encrypted for where an endpoint has none. */
  readonly newestKey: (accountId: string) => Read<WebhookKey | undefined>
  /** Whether an endpoint of the account is told of events of that type. */
  readonly isWanted: (accountId: string, type: EventType) => Read<boolean>
}

/** The account's endpoints that want events of that type, enabled or not, oldest first. */
export const endpointsToTell = (store: Store["Service"], account_id: string, type: EventType) =>
  // An account has a few dozen at most, so that they are told apart here.
  Effect.map(store.list("endpoint", { by: { account_id }, order: "oldest" }), (all) =>
    all.filter((endpoint) => wants(endpoint, type)),
  )

/** Asks the store each time. */
export const lookups = (store: Store["Service"]): Lookups => ({
  event: (id) => store.find("event", id),
  newestKey: (account_id) =>
    Effect.map(store.list("webhook_key", { by: { account_id }, limit: 1 }), ([newest]) => newest),
  isWanted: (accountId, type) =>
    Effect.map(endpointsToTell(store, accountId, type), (found) => found.length > 0),
})

const once = <A>(read: (key: string) => Read<A>): ((key: string) => Read<A>) => {
  const asked = new Map<string, Read<A>>()
  return (key) =>
    Effect.suspend(() => {
      const known = asked.get(key)
      if (known !== undefined) return known
      return Effect.flatMap(Effect.cached(read(key)), (answer) => {
        const first = asked.get(key) ?? answer
        asked.set(key, first)
        return first
      })
    })
}

/** Asks each question once, for attempts that begin at the same time, whose events are given. */
export const sharedLookups = (store: Store["Service"], events: ReadonlyArray<Event>): Lookups => {
  const { event, isWanted, newestKey } = lookups(store)
  const known = new Map(events.map((one) => [one.id, one]))
  const wanted = new Map<EventType, (accountId: string) => Read<boolean>>()
  return {
    event: (id) => {
      const found = known.get(id)
      return found === undefined ? event(id) : Effect.succeed(found)
    },
    newestKey: once(newestKey),
    isWanted: (accountId, type) => {
      const ask = wanted.get(type) ?? once((account) => isWanted(account, type))
      wanted.set(type, ask)
      return ask(accountId)
    },
  }
}
