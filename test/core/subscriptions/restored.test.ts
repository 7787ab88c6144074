import { describe, expect, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import type { TradeAnswer } from "../../../core/gateway/Charge.ts"
import { putInstall } from "../../../core/installs/putInstall.ts"
import { Ids } from "../../../core/ports/Ids.ts"
import { Store } from "../../../core/ports/Store.ts"
import { uuidAt } from "../../../core/shared/Id.ts"
import { DAY, HOUR } from "../../../core/shared/Timestamp.ts"
import { reportUsage } from "../../../core/subscriptions/reportUsage.ts"
import { startUsage } from "../../../core/subscriptions/startUsage.ts"
import { runDue } from "../../../core/work/runDue.ts"
import { makeScript, type Script } from "../../support/scriptedChannels.ts"
import { as, buyer, seller } from "../../support/world.ts"
import { workWorld } from "../work/workWorld.ts"
import { invoicesOf, seedSold, service, subscribed } from "./billingWorld.ts"

const installed = Effect.gen(function* () {
  yield* seedSold()
  const auto_pay_limit = { currency: "USD", value: 5_000 }
  yield* putInstall(as(buyer), service.id, { auto_pay_limit })
})

const subscription = Effect.andThen(installed, subscribed())

const used = Effect.gen(function* () {
  yield* installed
  yield* startUsage(as(buyer), service.id, {})
  const use = { agent_id: "buyer-agent", quantity: 400, idempotency_key: "use-1" }
  yield* reportUsage(as(seller), service.id, use)
})

const paymentsOf = Effect.gen(function* () {
  return yield* (yield* Store).listIntents({ viewer: buyer.id, limit: 100, now: 0 })
})

interface Lived {
  readonly payments: Effect.Success<typeof paymentsOf>
  readonly invoices: Effect.Success<ReturnType<typeof invoicesOf>>
}

const debitsOf = ({ calls }: Script) => calls.filter(({ action }) => action === "debit")

/** Lets the channel know what it was paid, whatever the service knows. */
const withBooks = (): Script => {
  const script = makeScript()
  script.known = ({ charge_id }): TradeAnswer => {
    const paid = debitsOf(script).find((call) => call.charge_id === charge_id)
    if (paid === undefined) return { type: "not_found" }
    const { amount, number, out_trade_no } = paid
    const trade = { out_trade_no, amount, refunded: 0, trade_no: `trade of ${number}` }
    return { type: "known", trade: { ...trade, status: "settled" } }
  }
  return script
}

/**
 * Lives `before` and the next month's charge, and again from the state after `before`, as on a
 * database that was restored to then: its worker comes hours later. Returns both ends.
 */
const livedTwice = <E, R>(
  before: Effect.Effect<unknown, E, R>,
  script: Script,
  afterwards: Effect.Effect<void> = Effect.void,
) => {
  const lived = (late: number) =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const hex = (n: number) => n.toString(16).padStart(19, "0")
      let drawn = 0
      const uuid = () => uuidAt(clock.currentTimeMillisUnsafe(), hex((drawn += 1)))
      return yield* Effect.provideService(living(late), Ids, { uuid })
    }).pipe(Effect.provide(workWorld({ script })))
  const living = (late: number) =>
    Effect.gen(function* () {
      yield* before
      yield* TestClock.adjust(31 * DAY + late)
      yield* runDue()
      return { payments: yield* paymentsOf, invoices: yield* invoicesOf() }
    })
  return Effect.gen(function* () {
    const first = yield* lived(0)
    yield* afterwards
    const made = debitsOf(script).length
    const second = yield* lived(3 * HOUR)
    return { first, second, again: debitsOf(script).slice(made) }
  })
}

/** The payment of a subscription's second period. */
const renewalOf = ({ invoices, payments }: Lived) => {
  const invoice = invoices.toSorted((a, b) => (a.period_start < b.period_start ? 1 : -1))[0]
  return payments.find(({ id }) => id === invoice?.payment_intent)
}

describe("a charge that a restored database does not know", () => {
  it.effect("of a renewal is not made again, and its payment is the same", () => {
    const script = withBooks()
    return Effect.gen(function* () {
      const { again, first, second } = yield* livedTwice(subscription, script)
      const renewed = renewalOf(first)
      expect(first.payments).toHaveLength(2)
      expect(renewed).toMatchObject({ status: "completed", auto_paid: true })
      // Subscribing is a request, which the test repeats.
      expect(again.filter(({ out_trade_no }) => out_trade_no === renewed?.id)).toStrictEqual([])
      expect(again).toHaveLength(1)
      const { id, status, trade_no } = renewalOf(second) ?? {}
      expect({ id, status, trade_no }).toStrictEqual({
        id: renewed?.id,
        status: "completed",
        trade_no: renewed?.trade_no,
      })
      const paid = { id: renewed?.invoice, status: "paid" }
      expect(second.invoices).toContainEqual(expect.objectContaining(paid))
    })
  })

  it.effect("of a tab is not made again", () => {
    const script = withBooks()
    return Effect.gen(function* () {
      const { again, first, second } = yield* livedTwice(used, script)
      expect(first.payments).toHaveLength(1)
      expect(again).toStrictEqual([])
      expect(second.payments[0]).toMatchObject({ id: first.payments[0]?.id, status: "completed" })
    })
  })

  it.effect("is not made while the channel does not say whether it was paid", () => {
    const script = withBooks()
    return Effect.gen(function* () {
      const silence = Effect.sync(() => {
        script.known = () => ({ type: "unknown", message: "no answer" })
      })
      const { again, second } = yield* livedTwice(used, script, silence)
      expect(again).toStrictEqual([])
      expect(second.payments[0]).toMatchObject({ status: "debiting", channel_outcome: "unknown" })
    })
  })

  it.effect("is made where the channel does not know of it either", () => {
    const script = withBooks()
    return Effect.gen(function* () {
      const lost = Effect.sync(() => {
        script.calls.length = 0
      })
      const { again, second } = yield* livedTwice(used, script, lost)
      expect(again).toHaveLength(1)
      expect(second.payments[0]).toMatchObject({ status: "completed" })
    })
  })
})
