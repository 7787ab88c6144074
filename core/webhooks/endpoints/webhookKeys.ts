import { Clock, Effect } from "effect"
import { byKey, logged } from "../../accountLog/logged.ts"
import type { Caller } from "../../accounts/Account.ts"
import { HOLDINGS, tooMany } from "../../accounts/Holding.ts"
import { replyWith, retryConflict } from "../../idempotency/requestKey.ts"
import { Store } from "../../ports/Store.ts"
import type { PageQuery } from "../../shared/Page.ts"
import { readOwn, readPage } from "../../shared/ownRecords.ts"
import { makeEndpointKey } from "./makeEndpointKey.ts"
import { freePlace } from "./Place.ts"
import { type WebhookKey, webhookKeyView } from "../keys/WebhookKey.ts"
import type { WebhookKeyInput } from "./WebhookKeyInput.ts"

/**
 * Registers a public key of the caller's account, which is used from now on (Webhook management).
 * Earlier keys stay until they are deleted: deliveries made for them are still encrypted for them.
 *
 * Fails with `PLAN_LIMIT_EXCEEDED` if the account has as many as its plan allows.
 */
export const addWebhookKey = Effect.fn("addWebhookKey")(function* (
  caller: Caller,
  input: WebhookKeyInput,
) {
  const { account } = caller
  const store = yield* Store
  const fields: Omit<WebhookKey, "place"> = {
    ...(yield* makeEndpointKey(input.public_key)),
    version: 1,
    account_id: account.id,
    label: input.label ?? null,
    created_at: yield* Clock.currentTimeMillis,
  }
  return yield* retryConflict(
    Effect.gen(function* () {
      const all = yield* store.list("webhook_key", { by: { account_id: account.id } })
      const place = freePlace(all, HOLDINGS[account.plan].webhook_keys, fields.id)
      if (place === undefined) return yield* tooMany(account, "webhook_keys")
      const record: WebhookKey = { ...fields, place }
      const view = webhookKeyView(record)
      yield* store.commit({
        writes: [
          { op: "insert", kind: "webhook_key", record },
          yield* logged(byKey(caller), "webhook_key.created", record.id, {
            fingerprint: record.fingerprint,
          }),
        ],
        ...(yield* replyWith(view)),
      })
      return view
    }),
  )
})

/** Returns a page of the public keys of the caller's account, newest first. The first is in use. */
export const listWebhookKeys = Effect.fn("listWebhookKeys")(function* (
  { account }: Caller,
  query: PageQuery,
) {
  const page = yield* readPage("webhook_key", { account_id: account.id }, query, "webhook key")
  return { ...page, data: page.data.map(webhookKeyView) }
})

/**
 * Removes a public key. Nothing is encrypted for it any more. Deliveries made for it are not sent.
 * Fails with `NOT_FOUND`.
 */
export const deleteWebhookKey = Effect.fn("deleteWebhookKey")(function* (
  caller: Caller,
  id: string,
) {
  const store = yield* Store
  return yield* retryConflict(
    Effect.gen(function* () {
      const record = yield* readOwn("webhook_key", caller.account.id, id, "webhook key")
      const { fingerprint } = record
      yield* store.commit({
        writes: [
          { op: "remove", kind: "webhook_key", record },
          yield* logged(byKey(caller), "webhook_key.deleted", id, { fingerprint }),
        ],
      })
      return { id, deleted: true } as const
    }),
  )
})
