import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { createOneTime } from "../../../core/payments/createOneTime.ts"
import { voidIntent } from "../../../core/payments/endIntent.ts"
import { Store } from "../../../core/ports/Store.ts"
import { Conflict } from "../../../core/commits/Commit.ts"
import { aService, T0 } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer, callback, codeOf, deliver, seed, seller, world } from "../../support/world.ts"

const common = {
  service_id: aService({ n: 1 }).id,
  amount: { currency: "USD", value: 699 },
  description: "Summary of one paper",
} as const
const request = createIntent(as(buyer), { ...common, type: "one_time", payer_channel: "wallet_a" })
const oneTime = createOneTime(as(buyer), { ...common, payer: { agent_id: "buyer-agent" } })

const say = (out_trade_no: string, said: Partial<ReturnType<typeof callback>>) =>
  deliver(callback({ out_trade_no, trade_no: "T1", ...said }))

/** Returns the recorded messages about a payment. */
const heardOf = Effect.fnUntraced(function* (payment_intent: string) {
  const found = yield* (yield* Store).list("callback", { by: { payment_intent }, order: "oldest" })
  return found.map(({ number, result, status, times }) => [number, status, result, times].join(" "))
})

describe("what a channel says of a payment is written down", () => {
  it.effect("with what it did, and counted when it comes again", () =>
    Effect.gen(function* () {
      yield* seed()
      const { id } = yield* request
      yield* say(id, { trade_status: "SCANNED" })
      yield* say(id, { trade_status: "AUTHORIZED" })
      yield* TestClock.setTime(T0 + 5_000)
      yield* say(id, { trade_status: "AUTHORIZED" })
      yield* say(id, { trade_status: "SCANNED" })
      yield* say(id, { trade_status: "AUTHORIZED" })
      expect(yield* heardOf(id)).toEqual(["T1 SCANNED acted_on 2", "T1 AUTHORIZED acted_on 3"])
      const [, newest] = yield* (yield* Store).list("callback", { by: { payment_intent: id } })
      expect(newest).toMatchObject({ account_id: seller.id, about: "charge", channel: "wallet_a" })
      yield* voidIntent(as(seller), id)
      yield* say(id, { trade_status: "SUCCESS" })
      yield* say(id, { trade_status: "SUCCESS" })
      expect((yield* heardOf(id)).slice(2)).toEqual(["T1 SUCCESS late 2"])
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("also where it contradicts the payment, or is refused", () =>
    Effect.gen(function* () {
      yield* seed()
      const { id } = yield* request
      yield* say(id, { trade_status: "SUCCESS" })
      yield* say(id, { trade_status: "SUCCESS" })
      const wrong = say(id, { trade_status: "AUTHORIZED", total_amount: "1.00" })
      expect(yield* codeOf(wrong)).toBe("AMOUNT_MISMATCH")
      const paid = yield* oneTime
      yield* say(paid.id, { trade_status: "SUCCESS" })
      yield* say(paid.id, { trade_status: "REJECTED", trade_no: "T2" })
      expect(yield* codeOf(say(id, { trade_status: "AUTHORIZED" }))).toBe("CHANNEL_MISMATCH")
      expect(yield* heardOf(id)).toEqual([
        "T1 SUCCESS contradicts 2",
        "T1 AUTHORIZED refused 1",
        "T1 AUTHORIZED refused 1",
      ])
      expect(yield* heardOf(paid.id)).toEqual([
        "T1 SUCCESS acted_on 1",
        "T2 REJECTED nothing_new 1",
      ])
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("and acknowledged where another process counts it at the same time", () =>
    Effect.gen(function* () {
      yield* seed()
      const { id } = yield* request
      yield* say(id, { trade_status: "SCANNED" })
      const store = yield* Store
      const stale = { type: "stale_version", kind: "callback", id: "cb" } as const
      const racing = { ...store, commit: () => Effect.fail(new Conflict({ reason: stale })) }
      yield* Effect.provideService(say(id, { trade_status: "SCANNED" }), Store, racing)
      expect(yield* heardOf(id)).toEqual(["T1 SCANNED acted_on 1"])
    }).pipe(Effect.provide(world(makeScript()))),
  )
})
