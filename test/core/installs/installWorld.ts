import { Effect } from "effect"
import type { Account } from "../../../core/accounts/Account.ts"
import { putInstall } from "../../../core/installs/putInstall.ts"
import { createOneTime } from "../../../core/payments/createOneTime.ts"
import { Store } from "../../../core/ports/Store.ts"
import { aService } from "../../support/records.ts"
import { as, buyer, seed, seller } from "../../support/world.ts"

export const service_id = aService({ n: 1 }).id

export const usd = (value: number) => ({ currency: "USD", value })

/** The world's accounts and service; the seller is on the plan pro. */
export const opened = Effect.gen(function* () {
  yield* seed()
  const store = yield* Store
  yield* store.commit({
    writes: [{ op: "replace", kind: "account", record: { ...seller, plan: "pro" } }],
  })
  return store
})

/** Installs the service for the buyer's agent. */
export const install = (said: Parameters<typeof putInstall>[2] = {}) =>
  putInstall(as(buyer), service_id, { auto_pay_limit: usd(500), ...said })

/** A One-Time payment by the buyer's agent. */
export const pay = (value: number, said: object = {}, account: Account = buyer) =>
  createOneTime(as(account), {
    service_id,
    amount: usd(value),
    description: "Summary of one paper",
    payer: { agent_id: "buyer-agent" },
    ...said,
  })
