import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { captureIntent } from "../../../core/payments/captureIntent.ts"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { refundIntent } from "../../../core/refunds/createRefund.ts"
import { showTimeline } from "../../../core/timeline/showTimeline.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer, callback, deliver, seed, seller, world } from "../../support/world.ts"

const paid = (out_trade_no: string, trade_status: "SCANNED" | "AUTHORIZED" | "SUCCESS") =>
  deliver(
    callback({
      out_trade_no,
      trade_status,
      total_amount: "1000.00",
      payer_id: "h",
      wallet_id: "w",
    }),
  )

it.effect("a payment of many refunds shows its oldest journals, and each of them whole", () =>
  Effect.gen(function* () {
    const service = yield* seed()
    const { id } = yield* createIntent(as(buyer), {
      service_id: service.id,
      type: "one_time",
      amount: { currency: "USD", value: 100_000 },
      description: "Many parts",
      payer_channel: "wallet_a",
    })
    yield* paid(id, "SCANNED")
    yield* paid(id, "AUTHORIZED")
    yield* captureIntent(as(seller), id, {})
    yield* paid(id, "SUCCESS")
    for (let n = 0; n < 45; n += 1) {
      yield* TestClock.adjust(1_000)
      yield* refundIntent(as(seller), id, { amount: { currency: "USD", value: 1_000 } })
    }
    const { complete, data } = yield* showTimeline(as(seller), id)
    const journals = data.flatMap((entry) => (entry.type === "journal" ? [entry.journal] : []))
    assert.isFalse(complete)
    const kinds = journals.map(([row]) => row?.kind)
    assert.deepStrictEqual(kinds.slice(0, 3), ["captured", "settled", "fees"])
    for (const rows of journals) {
      assert.strictEqual(
        rows.reduce((sum, { amount }) => sum + amount.value, 0),
        0,
        JSON.stringify(rows),
      )
    }
  }).pipe(Effect.provide(world(makeScript()))),
)
