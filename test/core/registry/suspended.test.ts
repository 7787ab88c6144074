import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { putInstall } from "../../../core/installs/putInstall.ts"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { createOneTime } from "../../../core/payments/createOneTime.ts"
import { Store } from "../../../core/ports/Store.ts"
import { startUsage } from "../../../core/subscriptions/startUsage.ts"
import { T0 } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer, codeOf, seller, stranger, world } from "../../support/world.ts"
import {
  invoicesOf,
  pass,
  seedSold,
  service,
  subscribed,
  subscriptionsOf,
} from "../subscriptions/billingWorld.ts"

const suspend = Effect.fnUntraced(function* (suspended_at: number | null) {
  const store = yield* Store
  const account = yield* Effect.fromNullishOr(yield* store.find("account", seller.id))
  const record = { ...account, suspended_at }
  yield* store.commit({ writes: [{ op: "replace", kind: "account", record }] })
})

const sale = {
  service_id: service.id,
  amount: { currency: "USD", value: 699 },
  description: "An answer",
}

it.effect("A suspended seller gets no new payments, and what was subscribed continues", () =>
  Effect.gen(function* () {
    yield* seedSold()
    yield* putInstall(as(buyer), service.id, { auto_pay_limit: { currency: "USD", value: 5_000 } })
    expect((yield* subscribed("pro")).payment.status).toBe("completed")
    yield* suspend(T0)

    const tells = (failure: unknown) =>
      expect(failure).toMatchObject({
        code: "SERVICE_NOT_ACTIVE",
        message: expect.stringContaining("suspended by the operator"),
        details: { seller: "suspended" },
      })
    const payer = { agent_id: "buyer-agent" }
    tells(yield* Effect.flip(createOneTime(as(buyer), { ...sale, payer })))
    tells(yield* Effect.flip(createIntent(as(stranger), { ...sale, type: "one_time" })))
    tells(yield* Effect.flip(subscribed("year")))
    tells(yield* Effect.flip(startUsage(as(buyer), service.id, {})))
    tells(yield* Effect.flip(putInstall(as(stranger), service.id, {})))

    yield* pass(32)
    expect((yield* subscriptionsOf()).map(({ status }) => status)).toStrictEqual(["active"])
    expect((yield* invoicesOf()).map(({ status }) => status)).toStrictEqual(["paid", "paid"])
    yield* suspend(null)
    expect(yield* codeOf(startUsage(as(buyer), service.id, {}))).toBe("succeeded")
  }).pipe(Effect.provide(world(makeScript())), Effect.orDie),
)
