import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { CurrentRequest } from "../../../core/idempotency/Reply.ts"
import { keyedRequest } from "../../support/keyedRequest.ts"
import type { InstallInput } from "../../../core/installs/InstallInput.ts"
import { putInstall } from "../../../core/installs/putInstall.ts"
import { getIntent } from "../../../core/payments/getIntent.ts"
import { Store } from "../../../core/ports/Store.ts"
import { DAY, MINUTE, SECOND, HOUR } from "../../../core/shared/Timestamp.ts"
import { cancelSubscription } from "../../../core/subscriptions/cancelSubscription.ts"
import { getInvoice, getSubscription } from "../../../core/subscriptions/listInvoices.ts"
import { lookAfterInvoice } from "../../../core/subscriptions/lookAfterInvoice.ts"
import { payInvoice } from "../../../core/subscriptions/payInvoice.ts"
import { reportUsage } from "../../../core/subscriptions/reportUsage.ts"
import { startUsage } from "../../../core/subscriptions/startUsage.ts"
import { runDue } from "../../../core/work/runDue.ts"
import { T0, uuid } from "../../support/records.ts"
import { makeScript, type Script } from "../../support/scriptedChannels.ts"
import { as, buyer, codeOf, seller } from "../../support/world.ts"
import { workWorld } from "../work/workWorld.ts"
import { invoicesOf, seedSold, service, subscribed } from "./billingWorld.ts"

const usd = (value: number) => ({ currency: "USD", value })

const paying: Script["answer"] = ({ number }) =>
  Effect.succeed({ type: "done", at: T0, trade_no: `trade of ${number}` })
const silent: Script["answer"] = () => Effect.succeed({ type: "unknown", message: "no answer" })
const declining: Script["answer"] = () => Effect.succeed({ type: "refused", message: "declined" })
const dying: Script["answer"] = () => Effect.die("the process ends here")

/** The world with the service installed, with a limit of 19.99 US dollars a payment. */
const installed = (script: Script, said: InstallInput = {}) =>
  Effect.gen(function* () {
    yield* seedSold()
    const store = yield* Store
    yield* store.commit({
      writes: [{ op: "replace", kind: "account", record: { ...seller, plan: "pro" } }],
    })
    yield* putInstall(as(buyer), service.id, { auto_pay_limit: usd(1_999), ...said })
    expect(script.mandates).toHaveLength(1)
    return store
  })

/** Lets days pass, with a worker that looks every day. */
const pass = Effect.fnUntraced(function* (days: number) {
  for (let day = 0; day < days; day++) {
    yield* TestClock.adjust(DAY)
    yield* runDue()
  }
})

const paymentsOf = Effect.fnUntraced(function* () {
  return yield* (yield* Store).listIntents({ viewer: buyer.id, limit: 1_000, now: 0 })
})

/** Counts the debits by number, so that a repeated one counts once. */
const debits = ({ calls }: Script) =>
  new Set(calls.filter(({ action }) => action === "debit").map(({ number }) => number)).size

describe("invoices of an install that pays", () => {
  it.effect("are paid by themselves for a year, each once", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const store = yield* installed(script)
      const first = yield* subscribed()
      expect(first.payment).toMatchObject({ status: "completed", auto_paid: true })
      expect(first.payment).not.toHaveProperty("deeplink")
      yield* pass(365)
      const invoices = yield* invoicesOf()
      expect(invoices).toHaveLength(13)
      expect(new Set(invoices.map(({ status }) => status))).toStrictEqual(new Set(["paid"]))
      const payments = yield* paymentsOf()
      expect(payments.map(({ status }) => status)).toStrictEqual(Array(13).fill("completed"))
      expect(new Set(payments.map(({ invoice }) => invoice)).size).toBe(13)
      expect(debits(script)).toBe(13)
      expect(script.charges).toStrictEqual([])
      expect(yield* getSubscription(as(buyer), first.id)).toMatchObject({ status: "active" })
      const events = yield* store.list("event", { by: { account_id: seller.id }, limit: 1_000 })
      expect(events.filter(({ type }) => type === "invoice.paid")).toHaveLength(13)
    }).pipe(Effect.provide(workWorld({ script })))
  })

  it.effect("are priced by what they are for, and use is paid as well", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      yield* installed(script)
      yield* startUsage(as(buyer), service.id, {})
      const used = { agent_id: "buyer-agent", quantity: 400, idempotency_key: "use-1" }
      yield* reportUsage(as(seller), service.id, used)
      yield* pass(31)
      const [invoice] = yield* invoicesOf()
      expect(invoice).toMatchObject({ status: "paid", amount: usd(100), subscription: null })
      const [payment] = yield* paymentsOf()
      expect(payment).toMatchObject({ status: "completed", auto_paid: true, amount: usd(100) })
    }).pipe(Effect.provide(workWorld({ script })))
  })

  it.effect.each([
    ["it is above the limit", { auto_pay_limit: usd(1_998) }],
    ["the limit is in another currency", { auto_pay_limit: { currency: "EUR", value: 5_000 } }],
    ["it would pass the spend cap", { spend_cap: { amount: usd(1_998), period: "daily" } }],
  ] as const)("ask the person where %s", ([_why, said]) => {
    const script = makeScript()
    return Effect.gen(function* () {
      yield* installed(script, said)
      const { latest_invoice, payment } = yield* subscribed()
      expect(payment).toMatchObject({ status: "pending", deeplink: expect.any(String) })
      expect(debits(script)).toBe(0)
      expect(yield* getInvoice(as(buyer), latest_invoice)).toMatchObject({ status: "open" })
      expect(yield* paymentsOf()).toHaveLength(1)
    }).pipe(Effect.provide(workWorld({ script })))
  })

  it.effect("keep to the spend cap: those beyond it ask the person", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      yield* installed(script, { spend_cap: { amount: usd(4_000), period: "monthly" } })
      const once = Effect.tap(subscribed(), ({ id }) =>
        cancelSubscription(as(buyer), id, { now: "true" }),
      )
      const made = [yield* once, yield* once, yield* once]
      expect(made.map(({ payment }) => payment.status)).toStrictEqual([
        "completed",
        "completed",
        "pending",
      ])
    }).pipe(Effect.provide(workWorld({ script })))
  })

  it.effect("ask the person again when a declined charge had no link", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      yield* installed(script)
      yield* subscribed()
      yield* pass(29)
      script.answer = declining
      script.refuse = () => "generation_failed"
      yield* pass(3)
      const [unasked] = yield* invoicesOf({ status: "open" })
      const [failed] = yield* paymentsOf()
      expect(failed).toMatchObject({ status: "failed", invoice: unasked?.id })
      script.refuse = () => undefined
      yield* pass(1)
      const [asked] = yield* paymentsOf()
      expect(asked).toMatchObject({ status: "pending", deeplink: expect.any(String) })
      expect(asked?.invoice).toBe(unasked?.id)
      expect(debits(script)).toBe(2)
      yield* pass(2)
      expect(debits(script)).toBe(2)
    }).pipe(Effect.provide(workWorld({ script })))
  })

  it.effect("ask the person when a charge has not reached its channel for a day", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      yield* installed(script)
      yield* subscribed()
      script.answer = silent
      yield* pass(33)
      const [asked, charged] = yield* paymentsOf()
      expect(asked).toMatchObject({ status: "pending", deeplink: expect.any(String) })
      expect(charged).toMatchObject({ deeplink: null, invoice: asked?.invoice })
      expect(debits(script)).toBe(2)
    }).pipe(Effect.provide(workWorld({ script })))
  })

  it.effect.each(["rate_limited", "down"] as const)(
    "are charged once their channel, which is %s for a moment, takes debits again",
    (health) => {
      const script = makeScript()
      return Effect.gen(function* () {
        yield* installed(script)
        yield* subscribed()
        const [mandate] = script.mandates
        script.health = (channel) => (channel === mandate?.channel ? health : "up")
        yield* pass(31)
        expect(yield* invoicesOf({ status: "open" })).toMatchObject([{ payment_intent: null }])
        expect(script.charges).toStrictEqual([])
        script.health = () => "up"
        yield* TestClock.adjust(HOUR)
        yield* runDue()
        expect(yield* invoicesOf({ status: "open" })).toStrictEqual([])
        expect(debits(script)).toBe(2)
      }).pipe(Effect.provide(workWorld({ script })))
    },
  )

  it.effect("ask the person once the install is gone", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      yield* installed(script)
      yield* subscribed()
      yield* putInstall(as(buyer), service.id, { auto_pay_limit: null })
      yield* pass(31)
      const [renewal] = yield* invoicesOf()
      expect(renewal?.status).toBe("open")
      expect(debits(script)).toBe(1)
    }).pipe(Effect.provide(workWorld({ script })))
  })
})

describe("an invoice whose charge is declined", () => {
  it.effect(
    "keeps its payment with a link, becomes past due, and can be charged on request",
    () => {
      const script = makeScript()
      return Effect.gen(function* () {
        yield* installed(script)
        script.answer = declining
        const { id, latest_invoice, payment } = yield* subscribed()
        expect(payment).toMatchObject({ status: "pending", deeplink: expect.any(String) })
        expect((yield* getInvoice(as(buyer), latest_invoice)).payment_intent).toBe(payment.id)
        expect((yield* payInvoice(as(buyer), latest_invoice)).id).toBe(payment.id)
        yield* pass(7)
        expect((yield* getSubscription(as(buyer), id)).status).toBe("past_due")
        expect(debits(script)).toBe(1)
        script.answer = paying
        const second = yield* payInvoice(as(buyer), latest_invoice)
        expect(second).toMatchObject({ status: "completed", auto_paid: true })
        expect((yield* getInvoice(as(buyer), latest_invoice)).status).toBe("paid")
        expect((yield* getSubscription(as(buyer), id)).status).toBe("active")
        expect(yield* paymentsOf()).toHaveLength(2)
      }).pipe(Effect.provide(workWorld({ script })))
    },
  )
})

describe("an invoice whose charge has no known outcome", () => {
  const unknown = (script: Script) =>
    Effect.gen(function* () {
      yield* installed(script)
      script.answer = silent
      const made = yield* subscribed()
      expect(made.payment).toMatchObject({ status: "pending", channel_outcome: "unknown" })
      expect(made.payment).not.toHaveProperty("deeplink")
      return made
    })

  it.effect("is paid when the channel tells, and has no second payment meanwhile", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const { latest_invoice, payment } = yield* unknown(script)
      expect((yield* payInvoice(as(buyer), latest_invoice)).id).toBe(payment.id)
      script.asked = paying
      yield* TestClock.adjust(MINUTE)
      yield* runDue()
      expect((yield* getInvoice(as(buyer), latest_invoice)).status).toBe("paid")
      expect(yield* paymentsOf()).toHaveLength(1)
      expect(debits(script)).toBe(1)
    }).pipe(Effect.provide(workWorld({ script })))
  })

  it.effect("is charged again under its number when the channel never heard of it", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const { latest_invoice } = yield* unknown(script)
      script.answer = paying
      for (let n = 0; n < 4; n++) {
        yield* TestClock.adjust(30 * SECOND)
        yield* runDue()
      }
      expect((yield* getInvoice(as(buyer), latest_invoice)).status).toBe("paid")
      expect(script.calls).toHaveLength(2)
      expect(debits(script)).toBe(1)
      expect(yield* paymentsOf()).toHaveLength(1)
    }).pipe(Effect.provide(workWorld({ script })))
  })

  it.effect("is neither voided nor given up before that is known", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const { id, latest_invoice } = yield* unknown(script)
      script.asked = silent
      const cancel = cancelSubscription(as(buyer), id, { now: "true" })
      expect(yield* codeOf(cancel)).toBe("INVALID_TRANSITION")
      yield* pass(20)
      expect((yield* getSubscription(as(buyer), id)).status).toBe("past_due")
      expect((yield* getInvoice(as(buyer), latest_invoice)).status).toBe("open")
      script.asked = paying
      yield* pass(2)
      expect((yield* getInvoice(as(buyer), latest_invoice)).status).toBe("paid")
      expect((yield* getSubscription(as(buyer), id)).status).toBe("active")
      expect(debits(script)).toBe(1)
    }).pipe(Effect.provide(workWorld({ script })))
  })

  it.effect("decides whether the subscription has ended, so that cancelling waits for it", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const { id } = yield* unknown(script)
      script.asked = silent
      yield* pass(20)
      // The first period is over, and whether another begins depends on the charge.
      yield* TestClock.adjust(20 * DAY)
      for (const now of ["true", "false"] as const) {
        const late = yield* Effect.flip(cancelSubscription(as(buyer), id, { now }))
        expect(late).toMatchObject({ code: "INVALID_TRANSITION", retry_after: 60 })
      }
      script.asked = paying
      yield* pass(2)
      const ended = yield* cancelSubscription(as(buyer), id, { now: "true" })
      expect(ended).toMatchObject({ status: "cancelled", cancel_reason: "requested" })
      expect(yield* invoicesOf({ status: "paid" })).not.toHaveLength(0)
    }).pipe(Effect.provide(workWorld({ script })))
  })

  it.effect("is given up when it turns out that it was not charged", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const { id, latest_invoice } = yield* unknown(script)
      script.asked = silent
      yield* pass(20)
      script.asked = () => Effect.succeed({ type: "not_found" })
      yield* pass(2)
      expect((yield* getInvoice(as(buyer), latest_invoice)).status).toBe("uncollectible")
      expect((yield* getSubscription(as(buyer), id)).status).toBe("cancelled")
      expect(script.calls).toHaveLength(1)
    }).pipe(Effect.provide(workWorld({ script })))
  })
})

describe("a crash while an invoice is being charged", () => {
  it.effect("has the retry under its key go on with the same subscription and number", () => {
    const script = makeScript()
    script.answer = dying
    return Effect.gen(function* () {
      yield* installed(script)
      const first = keyedRequest("subscribe-1", uuid(777), null)
      yield* Effect.exit(Effect.provideService(subscribed(), CurrentRequest, first))
      expect(first.progress.state).toBe("running")
      script.answer = paying
      const again = keyedRequest("subscribe-1", uuid(778), first.progress.holder)
      const made = yield* Effect.provideService(subscribed(), CurrentRequest, again)
      expect(made.payment).toMatchObject({ id: `pi_${first.progress.holder}`, status: "completed" })
      expect(yield* invoicesOf({ status: "paid" })).toHaveLength(1)
      expect(debits(script)).toBe(1)
    }).pipe(Effect.provide(workWorld({ script })))
  })

  it.effect("leaves a renewal's charge to another worker", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      yield* installed(script)
      yield* subscribed()
      script.answer = dying
      yield* TestClock.adjust(31 * DAY)
      yield* Effect.exit(runDue())
      const [renewal] = yield* invoicesOf()
      expect(renewal?.status).toBe("open")
      script.asked = paying
      yield* TestClock.adjust(MINUTE)
      yield* runDue()
      expect(yield* invoicesOf({ status: "paid" })).toHaveLength(2)
      expect(yield* paymentsOf()).toHaveLength(2)
      expect(debits(script)).toBe(2)
    }).pipe(Effect.provide(workWorld({ script })))
  })

  it.effect("or two workers, charge it once", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const store = yield* installed(script)
      yield* putInstall(as(buyer), service.id, { auto_pay_limit: null })
      const { latest_invoice } = yield* subscribed()
      yield* putInstall(as(buyer), service.id, { auto_pay_limit: usd(1_999) })
      yield* TestClock.adjust(2 * DAY)
      yield* runDue()
      const open = yield* store.find("invoice", latest_invoice)
      if (open?.status !== "open") return expect.unreachable("the invoice is open")
      const fresh = { ...open, version: open.version + 1, collection: "new", due_at: T0 } as const
      yield* store.commit({
        writes: [{ op: "replace", kind: "invoice", record: { ...fresh, version: open.version } }],
      })
      const workers = Array.from({ length: 6 }, () => Effect.exit(lookAfterInvoice(fresh)))
      const payers = Array.from({ length: 3 }, () =>
        Effect.exit(payInvoice(as(buyer), latest_invoice)),
      )
      yield* Effect.all([...workers, ...payers], { concurrency: "unbounded" })
      yield* runDue()
      expect((yield* getInvoice(as(buyer), latest_invoice)).status).toBe("paid")
      const completed = (yield* paymentsOf()).filter(({ status }) => status === "completed")
      expect(completed).toHaveLength(1)
      expect(debits(script)).toBe(1)
      const payment = completed[0]?.id ?? ""
      expect(yield* getIntent(as(buyer), payment)).toMatchObject({ auto_paid: true })
    }).pipe(Effect.provide(workWorld({ script })))
  })
})
