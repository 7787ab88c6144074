import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { answerOnce } from "../../../core/idempotency/answerOnce.ts"
import { captureIntent } from "../../../core/payments/captureIntent.ts"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { createRefund } from "../../../core/refunds/createRefund.ts"
import { listRefunds } from "../../../core/refunds/listRefunds.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer, codeOf, seed, seller, walk, world } from "../../support/world.ts"

const usd = (value: number) => ({ currency: "USD", value })

describe("a refund whose process crashes between its commit and the channel's call", () => {
  const script = makeScript()
  it.effect("is gone on with by the retry, under the same number", () =>
    Effect.gen(function* () {
      const service = yield* seed()
      const { id } = yield* createIntent(as(buyer), {
        service_id: service.id,
        type: "one_time",
        amount: usd(699),
        description: "One answer",
        payer_channel: "wallet_a",
      })
      yield* walk(id, "SCANNED", "AUTHORIZED")
      yield* captureIntent(as(seller), id)
      script.calls.length = 0

      const once = answerOnce(
        {
          account_id: seller.id,
          key: "refund-1",
          request: `POST /v1/refunds ${id}`,
          render: (view) => JSON.stringify(view),
          optimistic: false,
        },
        createRefund(as(seller), { payment_intent: id, amount: usd(200) }),
      )
      const well = script.answer
      script.answer = () => Effect.die("the process is gone")
      yield* Effect.exit(once)
      script.answer = well
      expect(yield* codeOf(once)).toBe("IDEMPOTENCY_KEY_IN_PROGRESS")
      yield* TestClock.adjust("31 seconds")
      const retried = yield* once
      expect(JSON.parse(retried.text)).toMatchObject({ status: "succeeded", amount: usd(200) })
      expect(script.calls).toHaveLength(2)
      expect(script.calls[1]?.number).toBe(script.calls[0]?.number)
      expect(yield* once).toEqual({ text: retried.text, replayed: true })
      const { data } = yield* listRefunds(as(seller), { payment_intent: id, limit: 20 })
      expect(data).toHaveLength(1)
    }).pipe(Effect.provide(world(script))),
  )
})
