import { Effect } from "effect"
import type { Read, Store } from "../../ports/Store.ts"
import type { ConsumerList, CONSUMERS } from "../consumers/ConsumerList.ts"
import { type Endpoint, wants } from "../endpoints/Endpoint.ts"
import type { Event, EventType } from "../events/Event.ts"
import { accountSecrets, endpointSecrets } from "./signingSecrets.ts"
import type { WebhookKey } from "../keys/WebhookKey.ts"

/** Reads that attempts can share. */
export interface Lookups {
  readonly event: (id: string) => Read<Event | undefined>
  /** The endpoint as it is when the attempt begins. */
  readonly endpoint: (id: string) => Read<Endpoint | undefined>
  /** The account's endpoints, enabled or not, oldest first: a few dozen at most. */
  readonly endpoints: (accountId: string) => Read<ReadonlyArray<Endpoint>>
  /** The list of consumers; undefined if there never was one. */
  readonly consumers: (id: typeof CONSUMERS) => Read<ConsumerList | undefined>
  /** The secrets that sign now, in plain text. */
  readonly endpointSecrets: typeof endpointSecrets
  readonly accountSecrets: typeof accountSecrets
  /** The account's newest key. Bodies are encrypted for it if their endpoint has no key. */
  readonly newestKey: (accountId: string) => Read<WebhookKey | undefined>
}

/** Returns the account's endpoints that want events of that type, enabled or not, oldest first. */
export const endpointsToTell = (
  { endpoints }: Pick<Lookups, "endpoints">,
  accountId: string,
  type: EventType,
) => Effect.map(endpoints(accountId), (all) => all.filter((endpoint) => wants(endpoint, type)))

/** Returns reads that ask the store each time. */
export const lookups = (store: Store["Service"]): Lookups => ({
  endpointSecrets,
  accountSecrets,
  event: (id) => store.find("event", id),
  endpoint: (id) => store.find("endpoint", id),
  consumers: (id) => store.find("consumer_list", id),
  endpoints: (account_id) => store.list("endpoint", { by: { account_id }, order: "oldest" }),
  newestKey: (account_id) =>
    Effect.map(store.list("webhook_key", { by: { account_id }, limit: 1 }), ([newest]) => newest),
})

const once = <Asked, A, E, R>(
  nameOf: (asked: Asked) => string,
  read: (asked: Asked) => Effect.Effect<A, E, R>,
): ((about: Asked) => Effect.Effect<A, E, R>) => {
  const asked = new Map<string, Effect.Effect<A, E, R>>()
  const begin = (key: string, about: Asked) =>
    Effect.flatMap(Effect.cached(read(about)), (answer) => {
      const first =
        asked.get(key) ??
        // Once the answer is known, later reads return it directly.
        Effect.tap(answer, (found) => Effect.sync(() => asked.set(key, Effect.succeed(found))))
      asked.set(key, first)
      return first
    })
  return (about) => {
    const key = nameOf(about)
    return asked.get(key) ?? Effect.suspend(() => asked.get(key) ?? begin(key, about))
  }
}

const itself = (id: string): string => id

const versionOf = ({ id, version }: { readonly id: string; readonly version: number }): string =>
  `${id} ${version}`

/** Returns reads that ask the store once, for attempts that begin together with these events. */
export const sharedLookups = (store: Store["Service"], events: ReadonlyArray<Event>): Lookups => {
  const { consumers, endpoint, endpoints, event, newestKey } = lookups(store)
  const known = new Map(events.map((one) => [one.id, one]))
  return {
    event: (id) => {
      const found = known.get(id)
      return found === undefined ? event(id) : Effect.succeed(found)
    },
    endpoint: once(itself, endpoint),
    consumers: once(itself, consumers),
    endpoints: once(itself, endpoints),
    newestKey: once(itself, newestKey),
    endpointSecrets: once(versionOf, endpointSecrets),
    accountSecrets: once(versionOf, accountSecrets),
  }
}
