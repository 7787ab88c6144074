import { Clock, Effect } from "effect"
import { audited } from "../audit/audited.ts"
import { openCycle } from "./BillingCycle.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { Ids } from "../ports/Ids.ts"
import { Installation } from "../ports/Installation.ts"
import { type KeyChange, Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { catchConflict, isKeyTaken } from "../commits/catchConflict.ts"
import { Failure } from "../shared/Failure.ts"
import { lookOf } from "../shared/Look.ts"
import {
  type Account,
  accountView,
  agentLook,
  agentName,
  type NewAccountView,
  webhookSecretPlace,
} from "./Account.ts"
import type { AccountInput } from "./AccountInput.ts"
import { hasKeyFormat, issuedKeyView } from "./ApiKey.ts"
import { hold } from "./Holding.ts"
import { CurrentKeyLifetime, firstExpiry } from "./KeyRules.ts"
import { makeKey } from "./makeKey.ts"

const agentTaken = () =>
  new Failure({
    code: "AGENT_ID_TAKEN",
    message: "Another account has this agent_id or one that looks like it. Choose another one.",
    field: "agent_id",
  })

const badKey = () =>
  new Failure({
    code: "INVALID_REQUEST",
    message:
      "The key must be sk_ or ag_sk_, followed by test_ (live_ in live mode) and 43 base64url " +
      "characters.",
    field: "key",
  })

/**
 * Creates an account with a webhook secret and its first key, which only this response shows. `key`
 * sets the first key instead of a random one.
 *
 * Fails with `AGENT_ID_TAKEN` when another account has the agent, or one whose name looks alike.
 */
export const createAccount = Effect.fn("createAccount")(function* (
  input: AccountInput,
  key?: string,
) {
  const { mode } = yield* Installation
  if (key !== undefined && !hasKeyFormat(key, mode)) return yield* badKey()
  const store = yield* Store
  const vault = yield* Vault
  const ids = yield* Ids
  const id = `acct_${ids.uuid()}`
  const account: Account = {
    id,
    version: 1,
    name: input.name,
    kind: input.kind,
    agent_id: input.agent_id,
    merchant_account: input.merchant_account ?? null,
    plan: input.plan ?? "starter",
    webhook_secret: vault.seal(webhookSecretPlace(id), `whsec_${vault.token()}`),
    previous_webhook_secrets: [],
    created_at: yield* Clock.currentTimeMillis,
    suspended_at: null,
  }
  const lifetime = yield* CurrentKeyLifetime
  const expires_at = key === undefined ? firstExpiry(account.created_at, lifetime) : null
  const first = yield* makeKey(account, { expires_at, text: key })
  const view: typeof NewAccountView.Type = {
    ...accountView(account),
    api_key: issuedKeyView(first.record, first.text),
  }

  yield* retryConflict(
    Effect.gen(function* () {
      const { agent_id } = account
      if ((yield* store.findBy("account", { agent_id })) !== undefined) return yield* agentTaken()
      const opened = store.commit({
        writes: [
          { op: "insert", kind: "account", record: account },
          { op: "insert", kind: "api_key", record: first.record },
          { op: "insert", kind: "billing_cycle", record: openCycle(account, account.created_at) },
        ],
        reservations: [hold(account, "api_keys")],
        keys: [agentName(agent_id), agentLook(lookOf(agent_id))].map((name): KeyChange => ({
          op: "claim",
          key: name,
          owner: id,
        })),
        ...(yield* replyWith(view)),
        ...(yield* audited("account.created", id, { kind: account.kind, plan: account.plan })),
      })
      yield* opened.pipe(catchConflict(isKeyTaken(agentLook("")), agentTaken))
    }),
  )
  return view
})
