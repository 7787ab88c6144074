import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { showUsage } from "../../../core/billing/showUsage.ts"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { createOneTime } from "../../../core/payments/createOneTime.ts"
import { voidIntent } from "../../../core/payments/endIntent.ts"
import { getIntent } from "../../../core/payments/getIntent.ts"
import { Store } from "../../../core/ports/Store.ts"
import { DAY, HOUR, MINUTE } from "../../../core/shared/Timestamp.ts"
import { runDue } from "../../../core/work/runDue.ts"
import { T0 } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer, codeOf, seed, seller, walk } from "../../support/world.ts"
import { workWorld } from "../work/workWorld.ts"

const amount = { currency: "USD", value: 699 }

const script = makeScript()
const fresh = Effect.suspend(() => {
  script.known = () => ({ type: "not_found" })
  return seed()
})

const request = Effect.flatMap(fresh, ({ id }) =>
  createIntent(as(seller), { service_id: id, type: "one_time", amount, description: "One" }),
)
const link = Effect.flatMap(fresh, ({ id }) =>
  createOneTime(as(buyer), {
    service_id: id,
    amount,
    description: "One",
    metadata: { order: 1 },
    payer: { agent_id: "buyer-agent" },
  }),
)

/** A worker that is there all the time, until then. */
const until = Effect.fnUntraced(function* (end: number) {
  for (const at of [MINUTE, 15 * MINUTE, HOUR, DAY, 2 * DAY, 20 * DAY, end]) {
    if (at > end) continue
    yield* TestClock.setTime(T0 + at)
    for (let round = 0; round < 3; round += 1) yield* runDue()
  }
})

const stored = (id: string) => Effect.flatMap(Store, (store) => store.find("payment_intent", id))
const codes = (month: string) =>
  Effect.map(
    showUsage(as(seller), { month }),
    ({ operations }) => operations.find(({ operation }) => operation === "qr-generation")?.count,
  )

const inWorld = Effect.provide(workWorld({ script }))

describe("a payment that nobody has begun to make", () => {
  it.effect("leaves 30 days after it has expired, and no sooner", () =>
    Effect.gen(function* () {
      const { id } = yield* request
      const made = yield* codes("2026-01")
      expect(made).toBeGreaterThan(0)
      yield* until(30 * DAY + 14 * MINUTE)
      expect(yield* getIntent(as(seller), id)).toMatchObject({ status: "expired" })
      yield* until(30 * DAY + 15 * MINUTE)
      expect(yield* codeOf(getIntent(as(seller), id))).toBe("NOT_FOUND")
      // Its codes were made, and stay on the bill of their month.
      expect(yield* codes("2026-01")).toBe(made)
    }).pipe(inWorld),
  )

  it.effect("leaves so after it was voided, by a link too, and makes room for its name", () =>
    Effect.gen(function* () {
      const { id } = yield* link
      yield* voidIntent(as(buyer), id)
      yield* until(31 * DAY)
      expect(yield* stored(id)).toBeUndefined()
    }).pipe(inWorld),
  )

  it.effect("stays while its channels have not said that nobody has paid", () =>
    Effect.gen(function* () {
      const { id } = yield* request
      script.known = () => ({ type: "unknown", message: "It does not answer." })
      yield* until(60 * DAY)
      expect(yield* stored(id)).toMatchObject({ status: "expired" })
    }).pipe(inWorld),
  )
})

describe("a payment that somebody has begun to make", () => {
  it.effect("stays when it was scanned and then expired", () =>
    Effect.gen(function* () {
      const { id } = yield* request
      yield* walk(id, "SCANNED")
      yield* until(60 * DAY)
      expect(yield* stored(id)).toMatchObject({ status: "expired" })
    }).pipe(inWorld),
  )

  it.effect("stays when it is authorized and expires", () =>
    Effect.gen(function* () {
      const { id } = yield* request
      yield* walk(id, "SCANNED", "AUTHORIZED")
      yield* until(60 * DAY)
      expect(yield* stored(id)).toMatchObject({ status: "expired" })
    }).pipe(inWorld),
  )
})
