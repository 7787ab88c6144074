import { Effect } from "effect"
import type { Read, Store } from "../../ports/Store.ts"
import { type Endpoint, wants } from "../endpoints/Endpoint.ts"
import type { Event, EventType } from "../events/Event.ts"
import type { WebhookKey } from "../keys/WebhookKey.ts"

/** What attempts ask of the store that they may ask together. */
export interface Lookups {
  readonly event: (id: string) => Read<Event | undefined>
  /** The account's endpoints, enabled or not, oldest first: a few dozen at most. */
  readonly endpoints: (accountId: string) => Read<ReadonlyArray<Endpoint>>
  /** The account's newest key, which bodies are encrypted for where an endpoint has none. */
  readonly newestKey: (accountId: string) => Read<WebhookKey | undefined>
}

/** The account's endpoints that want events of that type, enabled or not, oldest first. */
export const endpointsToTell = (
  { endpoints }: Pick<Lookups, "endpoints">,
  accountId: string,
  type: EventType,
) => Effect.map(endpoints(accountId), (all) => all.filter((endpoint) => wants(endpoint, type)))

/** Asks the store each time. */
export const lookups = (store: Store["Service"]): Lookups => ({
  event: (id) => store.find("event", id),
  endpoints: (account_id) => store.list("endpoint", { by: { account_id }, order: "oldest" }),
  newestKey: (account_id) =>
    Effect.map(store.list("webhook_key", { by: { account_id }, limit: 1 }), ([newest]) => newest),
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
  const { endpoints, event, newestKey } = lookups(store)
  const known = new Map(events.map((one) => [one.id, one]))
  return {
    event: (id) => {
      const found = known.get(id)
      return found === undefined ? event(id) : Effect.succeed(found)
    },
    endpoints: once(endpoints),
    newestKey: once(newestKey),
  }
}
