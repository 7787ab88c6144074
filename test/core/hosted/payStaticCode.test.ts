import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { readBill } from "../../../core/billing/readBill.ts"
import { payStaticCode } from "../../../core/hosted/payStaticCode.ts"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { expireIntent } from "../../../core/payments/expireIntent.ts"
import { leave } from "../../../core/payments/leave.ts"
import { Store } from "../../../core/ports/Store.ts"
import { monthOf } from "../../../core/shared/Month.ts"
import { moveService } from "../../../core/registry/moveService.ts"
import { MINUTE } from "../../../core/shared/Timestamp.ts"
import { T0 } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, seed, seller, world } from "../../support/world.ts"

/** The QR codes on the seller's bill of the month. */
const billed = Effect.map(
  readBill({ account_id: seller.id, month: monthOf(T0), plan: "starter", opened_at: T0 }),
  ({ charges }) => charges.find(({ operation }) => operation === "qr-generation")?.count,
)

const SEEN = { label: "One answer", amount: { currency: "USD", value: 699 } }

const scan = (service: string, attempt: string) =>
  payStaticCode(service, { price: SEEN, attempt: attempt.padEnd(22, "_") })

describe("a printed code", () => {
  it.effect("costs its seller nothing for the codes that whoever scans it makes, ever", () =>
    Effect.gen(function* () {
      const accepted_channels = ["wallet_a", "wallet_b"]
      const { id: service_id } = yield* seed({ qr_mode: "static", accepted_channels })
      const store = yield* Store
      const own = {
        service_id,
        type: "one_time" as const,
        amount: { currency: "USD", value: 699 },
        description: "One",
      }
      yield* createIntent(as(seller), own)
      const scanned = [yield* scan(service_id, "first"), yield* scan(service_id, "second")]
      expect(yield* scan(service_id, "second")).toBe(scanned[1])
      const intents = yield* store.findMany("payment_intent", scanned)
      expect(intents.map(({ offers }) => offers.length)).toEqual([2, 2])
      expect(yield* billed).toBe(2)
      yield* TestClock.adjust(16 * MINUTE)
      for (const intent of intents) yield* expireIntent(intent)
      yield* leave(yield* store.findMany("payment_intent", scanned))
      expect(yield* store.findMany("payment_intent", scanned)).toEqual([])
      expect(yield* billed).toBe(2)
      yield* scan(service_id, "third")
      yield* store.eraseAccountData(seller.id)
      expect(yield* billed).toBe(2)
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("answers an attempt that has made its payment once its service is paused", () =>
    Effect.gen(function* () {
      const { id } = yield* seed({ qr_mode: "static" })
      const scanned = yield* scan(id, "first")
      yield* moveService(as(seller), id, "pause")
      expect(yield* scan(id, "first")).toBe(scanned)
      const refusal = yield* Effect.flip(scan(id, "second"))
      expect(refusal).toMatchObject({ code: "SERVICE_NOT_ACTIVE" })
    }).pipe(Effect.provide(world(makeScript()))),
  )
})
