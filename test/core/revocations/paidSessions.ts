import { Clock, Effect } from "effect"
import { Store } from "../../../core/ports/Store.ts"
import type { RevocationPolicy } from "../../../core/registry/Pricing.ts"
import { registerAccessItem } from "../../../core/revocations/registerAccessItem.ts"
import { aService, intentIn } from "../../support/records.ts"
import { makeScript, type Script } from "../../support/scriptedChannels.ts"
import { as, buyer, seller } from "../../support/world.ts"

/** An amount in dollars' minor units. */
export const usd = (value: number) => ({ currency: "USD", value })

/** What the payment took. */
export const WHOLE = 699

/** Registers a session that a payment bought. */
export const registered = (payment_intent: string, id: string, type = "session") =>
  registerAccessItem(as(seller), { payment_intent, type, id, scopes: ["all"] })

/** Stores a paid payment whose service's policy revokes its sessions, with session `s1`. */
export const paid = Effect.fnUntraced(function* (
  default_targets: RevocationPolicy["default_targets"] = [{ type: "session" }],
) {
  const store = yield* Store
  const captured_at = yield* Clock.currentTimeMillis
  const parties = { account_id: buyer.id, payee_account_id: seller.id }
  const intent = { ...intentIn("captured", { ...parties, amount: usd(WHOLE) }), captured_at }
  const revocation_policy = { auto_revoke_on_refund: true, default_targets }
  const service = aService({ account_id: seller.id, revocation_policy })
  yield* store.commit({
    writes: [
      { op: "insert", kind: "account", record: seller },
      { op: "insert", kind: "account", record: buyer },
      { op: "insert", kind: "service", record: service },
      { op: "insert", kind: "payment_intent", record: intent },
    ],
  })
  yield* registered(intent.id, "s1")
  return intent.id
})

/** Channels that answer no refund at once. */
export const pendingRefunds = (): Script => ({
  ...makeScript(),
  answer: () => Effect.succeed({ type: "pending" }),
})
