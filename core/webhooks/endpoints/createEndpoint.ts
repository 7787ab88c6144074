import { Clock, Effect } from "effect"
import { byKey, logged } from "../../accountLog/logged.ts"
import type { Caller } from "../../accounts/Account.ts"
import { HOLDINGS, tooMany } from "../../accounts/Holding.ts"
import { replyWith, retryConflict } from "../../idempotency/requestKey.ts"
import { Ids } from "../../ports/Ids.ts"
import { Store } from "../../ports/Store.ts"
import { Vault } from "../../ports/Vault.ts"
import {
  type Endpoint,
  endpointSecretPlace,
  endpointView,
  type NewEndpointView,
} from "./Endpoint.ts"
import type { EndpointInput } from "./EndpointInput.ts"
import { makeEndpointKey } from "./makeEndpointKey.ts"
import { checkReceiver, newestKey } from "./ownEndpoint.ts"
import { freePlace } from "./Place.ts"

/**
 * Registers a receiver (Webhook management). The answer shows the secret that signs its webhooks,
 * this once.
 *
 * Fails with `PLAN_LIMIT_EXCEEDED` if the account has as many as its plan allows.
 */
export const createEndpoint = Effect.fn("createEndpoint")(function* (
  caller: Caller,
  input: EndpointInput,
) {
  const { account } = caller
  const store = yield* Store
  const vault = yield* Vault
  const ids = yield* Ids
  yield* checkReceiver(input.url)
  const id = `we_${ids.uuid()}`
  const secret = `whsec_${vault.token()}`
  const now = yield* Clock.currentTimeMillis
  const fields: Omit<Endpoint, "place"> = {
    id,
    version: 1,
    account_id: account.id,
    url: input.url,
    description: input.description ?? null,
    enabled_events: input.enabled_events,
    status: "enabled",
    disabled_reason: null,
    disabled_at: null,
    first_failure_at: null,
    secret: vault.seal(endpointSecretPlace(id), secret),
    previous_secrets: [],
    encryption: input.encryption ? yield* makeEndpointKey(input.encryption.public_key) : null,
    created_at: now,
    updated_at: now,
  }

  return yield* retryConflict(
    Effect.gen(function* () {
      const all = yield* store.list("endpoint", { by: { account_id: account.id } })
      const place = freePlace(all, HOLDINGS[account.plan].webhook_endpoints, id)
      if (place === undefined) return yield* tooMany(account, "webhook_endpoints")
      const record: Endpoint = { ...fields, place }
      const view: typeof NewEndpointView.Type = {
        ...endpointView(record, yield* newestKey(account.id)),
        secret,
      }
      yield* store.commit({
        writes: [
          { op: "insert", kind: "endpoint", record },
          yield* logged(byKey(caller), "webhook_endpoint.created", id, { url: record.url }),
        ],
        ...(yield* replyWith(view)),
      })
      return view
    }),
  )
})
