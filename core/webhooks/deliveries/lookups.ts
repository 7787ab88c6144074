import { Effect } from "effect"
import type { Read, Store } from "../../ports/Store.ts"
import { type Endpoint, wants } from "../endpoints/Endpoint.ts"
import type { Event, EventType } from "../events/Event.ts"
import { accountSecrets, endpointSecrets } from "./signingSecrets.ts"
import type { WebhookKey } from "../keys/WebhookKey.ts"

/** What attempts ask of the store that they may ask together. */
export interface Lookups {
  readonly event: (id: string) => Read<Event | undefined>
  /** The account's endpoints, enabled or not, oldest first: a few dozen at most. */
  readonly endpoints: (accountId: string) => Read<ReadonlyArray<Endpoint>>
  /** The secrets that sign now, opened. */
  readonly endpointSecrets: typeof endpointSecrets
  readonly accountSecrets: typeof accountSecrets
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
  endpointSecrets,
  accountSecrets,
  event: (id) => store.find("event", id),
  endpoints: (account_id) => store.list("endpoint", { by: { account_id }, order: "oldest" }),
  newestKey: (account_id) =>
    Effect.map(store.list("webhook_key", { by: { account_id }, limit: 1 }), ([newest]) => newest),
})

const once = <Asked, A, E, R>(
  nameOf: (asked: Asked) => string,
  read: (asked: Asked) => Effect.Effect<A, E, R>,
): ((about: Asked) => Effect.Effect<A, E, R>) => {
  const asked = new Map<string, Effect.Effect<A, E, R>>()
  return (about) =>
    Effect.suspend(() => {
      const key = nameOf(about)
      const known = asked.get(key)
      if (known !== undefined) return known
      return Effect.flatMap(Effect.cached(read(about)), (answer) => {
        const first = asked.get(key) ?? answer
        asked.set(key, first)
        return first
      })
    })
}

const itself = (id: string): string => id

const versionOf = ({ id, version }: { readonly id: string; readonly version: number }): string =>
  `${id} ${version}`

/** Asks each question once, for attempts that begin at the same time, whose events are given. */
export const sharedLookups = (store: Store["Service"], events: ReadonlyArray<Event>): Lookups => {
  const { endpoints, event, newestKey } = lookups(store)
  const known = new Map(events.map((one) => [one.id, one]))
  return {
    event: (id) => {
      const found = known.get(id)
      return found === undefined ? event(id) : Effect.succeed(found)
    },
    endpoints: once(itself, endpoints),
    newestKey: once(itself, newestKey),
    endpointSecrets: once(versionOf, endpointSecrets),
    accountSecrets: once(versionOf, accountSecrets),
  }
}
