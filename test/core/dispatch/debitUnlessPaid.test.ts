import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { describe } from "vitest"
import type { TradeAnswer } from "../../../core/gateway/Charge.ts"
import { debitUnlessPaid } from "../../../core/payments/debit.ts"
import { channelRequestIn } from "../../../apps/payport/testing/records/channels.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { world } from "../../support/world.ts"

const request = channelRequestIn("outstanding", { action: "debit" })
const { amount, payment_intent: out_trade_no } = request

const trade = { out_trade_no, amount, refunded: 0, trade_no: "trade-1" }

const calls = { type: "done", trade_no: `trade of ${request.id}` }
const paid = { type: "done", trade_no: "trade-1" }

describe("a debit that its channel may have made before", () => {
  const answers: ReadonlyArray<readonly [string, TradeAnswer, object, number]> = [
    ["is made where it does not know the charge", { type: "not_found" }, calls, 1],
    [
      "is made where the charge is unpaid",
      { type: "known", trade: { ...trade, status: "unpaid" } },
      calls,
      1,
    ],
    [
      "is made, for its refusal, where the charge was closed",
      { type: "known", trade: { ...trade, status: "closed", reason: "CLOSED" } },
      calls,
      1,
    ],
    [
      "is not made where it is being settled",
      { type: "known", trade: { ...trade, status: "paid" } },
      paid,
      0,
    ],
    [
      "is not made where the money came, and went back since",
      { type: "known", trade: { ...trade, status: "settled", refunded: amount.value } },
      paid,
      0,
    ],
    [
      "waits where the channel does not answer",
      { type: "unknown", message: "no answer" },
      { type: "unknown", message: "no answer" },
      0,
    ],
  ]
  it.effect.each(answers)("%s", ([_what, answer, outcome, called]) => {
    const script = makeScript()
    script.known = () => answer
    return Effect.gen(function* () {
      expect(yield* debitUnlessPaid(request)).toMatchObject(outcome)
      expect(script.calls).toHaveLength(called)
    }).pipe(Effect.provide(world(script)))
  })
})
