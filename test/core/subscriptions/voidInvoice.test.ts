import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { CurrentRequest } from "../../../core/idempotency/Reply.ts"
import { putInstall } from "../../../core/installs/putInstall.ts"
import { getIntent } from "../../../core/payments/getIntent.ts"
import { Store } from "../../../core/ports/Store.ts"
import { DAY, MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import { getInvoice, getSubscription } from "../../../core/subscriptions/listInvoices.ts"
import { payInvoice } from "../../../core/subscriptions/payInvoice.ts"
import { reportUsage } from "../../../core/subscriptions/reportUsage.ts"
import { getTab, startUsage } from "../../../core/subscriptions/startUsage.ts"
import { voidInvoice } from "../../../core/subscriptions/voidInvoice.ts"
import { runDue } from "../../../core/work/runDue.ts"
import { keyedRequest } from "../../support/keyedRequest.ts"
import { T0, uuid } from "../../support/records.ts"
import { makeScript, type Script } from "../../support/scriptedChannels.ts"
import { as, buyer, codeOf, seller, stranger } from "../../support/world.ts"
import { workWorld } from "../work/workWorld.ts"
import { invoicesOf, paid, seedSold, service, subscribed, told } from "./billingWorld.ts"

const paying: Script["answer"] = ({ number }) =>
  Effect.succeed({ type: "done", at: T0, trade_no: `trade of ${number}` })
const silent: Script["answer"] = () => Effect.succeed({ type: "unknown", message: "no answer" })

const forgive = (id: string) => voidInvoice(as(seller), id)
const statusOf = (id: string) =>
  Effect.map(getInvoice(as(buyer), id), ({ status }: { readonly status: string }) => status)

const pass = Effect.fnUntraced(function* (days: number) {
  for (let day = 0; day < days; day++) {
    yield* TestClock.adjust(DAY)
    yield* runDue()
  }
})

const used = (idempotency_key: string, quantity: number | string = 400) =>
  reportUsage(as(seller), service.id, { agent_id: "buyer-agent", quantity, idempotency_key })

/** Plays a test in a world of its own. */
const inWorld = <A, E>(
  name: string,
  test: (script: Script) => Effect.Effect<A, E, Effect.Services<ReturnType<typeof runDue>> | Store>,
) => {
  const script = makeScript()
  return it.effect(name, () => test(script).pipe(Effect.provide(workWorld({ script }))))
}

describe("an invoice that its seller voids", () => {
  inWorld("is owed no more, and its link cannot be paid: late money goes back", (script) =>
    Effect.gen(function* () {
      yield* seedSold()
      const { id, latest_invoice: invoice, payment } = yield* subscribed()
      expect(yield* forgive(invoice)).toMatchObject({ id: invoice, status: "void" })
      expect(yield* told(invoice)).toStrictEqual(["invoice.created", "invoice.voided"])
      expect((yield* getIntent(as(buyer), payment.id)).status).toBe("voided")
      yield* runDue()
      expect(script.calls.map(({ action }) => action)).toStrictEqual(["close"])

      yield* paid(payment.id)
      yield* runDue()
      expect(script.calls.map(({ action }) => action)).toStrictEqual(["close", "refund"])
      expect(yield* statusOf(invoice)).toBe("void")
      expect(yield* codeOf(payInvoice(as(buyer), invoice))).toBe("INVALID_TRANSITION")

      // Neither overdue nor given up later, and the next period is billed.
      yield* pass(31)
      expect(yield* statusOf(invoice)).toBe("void")
      expect((yield* getSubscription(as(buyer), id)).status).toBe("active")
      expect((yield* invoicesOf()).map(({ status }) => status)).toStrictEqual(["open", "void"])
    }),
  )

  inWorld("is voided once, however often it is asked, also under a key", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const { latest_invoice: invoice } = yield* subscribed()
      const keyed = keyedRequest("void-1", uuid(777), null)
      const first = yield* Effect.provideService(forgive(invoice), CurrentRequest, keyed)
      expect(keyed.progress.state).toBe("answered")
      const others = yield* Effect.all([forgive(invoice), forgive(invoice)], {
        concurrency: "unbounded",
      })
      expect(others).toStrictEqual([first, first])
      expect(yield* told(invoice)).toStrictEqual(["invoice.created", "invoice.voided"])
    }),
  )

  inWorld("is voided by the seller that it is owed to alone, and not once it is paid", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const { latest_invoice: invoice, payment } = yield* subscribed()
      expect(yield* codeOf(voidInvoice(as(buyer), invoice))).toBe("FORBIDDEN")
      expect(yield* codeOf(voidInvoice(as(stranger), invoice))).toBe("NOT_FOUND")
      expect(yield* codeOf(voidInvoice(as(seller), `inv_${uuid(9)}`))).toBe("NOT_FOUND")
      yield* paid(payment.id)
      expect(yield* statusOf(invoice)).toBe("paid")
      expect(yield* codeOf(forgive(invoice))).toBe("INVALID_TRANSITION")
    }),
  )

  inWorld("that was given up lets the agent open its tab again", () =>
    Effect.gen(function* () {
      yield* seedSold()
      yield* startUsage(as(buyer), service.id, {})
      yield* used("a")
      yield* pass(46)
      const [owed] = yield* invoicesOf()
      const { id = "" } = owed ?? {}
      expect(owed?.status).toBe("uncollectible")
      expect(yield* codeOf(startUsage(as(buyer), service.id, {}))).toBe("INVOICE_UNPAID")
      const payment = yield* payInvoice(as(buyer), id)
      expect(yield* forgive(id)).toMatchObject({ status: "void" })
      expect((yield* getIntent(as(buyer), payment.id)).status).toBe("voided")
      expect((yield* startUsage(as(buyer), service.id, {})).status).toBe("open")
    }),
  )

  inWorld("has its past due subscription recover with the last that is overdue", () =>
    Effect.gen(function* () {
      yield* seedSold()
      const { id } = yield* subscribed("day")
      yield* pass(8)
      const overdue = (yield* invoicesOf()).slice(-2)
      expect((yield* getSubscription(as(buyer), id)).status).toBe("past_due")
      const states: Array<string> = []
      for (const invoice of overdue) {
        yield* forgive(invoice.id)
        states.push((yield* getSubscription(as(buyer), id)).status)
      }
      expect(states).toStrictEqual(["past_due", "active"])
      expect((yield* told(id)).at(-1)).toBe("subscription.recovered")
    }),
  )

  inWorld("takes what is carried with it, and a bill that is left stays carried", () =>
    Effect.gen(function* () {
      yield* seedSold({
        pricing: { cumulative: { unit: "request", rate: "0.4", billing_cycle: "monthly" } },
      })
      yield* startUsage(as(buyer), service.id, {})
      const carried = Effect.map(getTab(as(buyer), service.id, {}), (tab) => tab.carried)
      yield* used("a", 1)
      yield* pass(31)
      const [left] = yield* invoicesOf()
      expect(yield* forgive(left?.id ?? "")).toStrictEqual(left)
      expect(yield* carried).toStrictEqual([{ currency: "USD", value: "0.4" }])
      yield* used("b", 10)
      yield* pass(28)
      const [next] = yield* invoicesOf()
      expect(next).toMatchObject({ status: "open", amount: { value: 4 }, lines: [{}, {}] })
      yield* forgive(next?.id ?? "")
      expect(yield* carried).toBeUndefined()
    }),
  )
})

describe("an invoice that is being charged", () => {
  /** Subscribes with an install that pays, whose charge has no known outcome. */
  const charged = (script: Script) =>
    Effect.gen(function* () {
      yield* seedSold()
      const record = { ...seller, plan: "pro" } as const
      yield* (yield* Store).commit({ writes: [{ op: "replace", kind: "account", record }] })
      const auto_pay_limit = { currency: "USD", value: 1_999 }
      yield* putInstall(as(buyer), service.id, { auto_pay_limit })
      script.answer = silent
      const { latest_invoice, payment } = yield* subscribed()
      const refused = yield* Effect.flip(forgive(latest_invoice))
      expect(refused).toMatchObject({
        code: "INVALID_TRANSITION",
        details: { invoice: latest_invoice, action: "void", payment_intent: payment.id },
        // So it is not kept under a key, under which the seller asks again later.
        retry_after: 60,
      })
      return latest_invoice
    })

  inWorld("is not voided, and paid when the channel tells so", (script) =>
    Effect.gen(function* () {
      const invoice = yield* charged(script)
      script.asked = paying
      yield* TestClock.adjust(MINUTE)
      yield* runDue()
      expect(yield* statusOf(invoice)).toBe("paid")
      expect(yield* codeOf(forgive(invoice))).toBe("INVALID_TRANSITION")
    }),
  )

  inWorld("is voided once it turns out that nothing was charged", (script) =>
    Effect.gen(function* () {
      const invoice = yield* charged(script)
      script.answer = () => Effect.succeed({ type: "refused", message: "declined" })
      for (let n = 0; n < 4; n++) {
        yield* TestClock.adjust(30 * SECOND)
        yield* runDue()
      }
      expect(yield* statusOf(invoice)).toBe("open")
      expect(yield* forgive(invoice)).toMatchObject({ status: "void" })
      yield* pass(2)
      expect(script.calls.filter(({ action }) => action === "refund")).toHaveLength(0)
    }),
  )

  /** A second process that does something between what the first has read and its commit. */
  const meanwhile = <A, E, R>(
    first: Effect.Effect<A, E, R | Store>,
    isCommitOf: (id: string) => boolean,
    second: Effect.Effect<unknown, unknown, R | Store>,
  ) =>
    Effect.gen(function* () {
      const store = yield* Store
      let isDone = false
      const commit: Store["Service"]["commit"] = (commit) => {
        const writes = commit.writes.some(({ record }) => isCommitOf(record.id))
        if (isDone || !writes) return store.commit(commit)
        isDone = true
        const other = Effect.provideService(second, Store, store)
        return Effect.andThen(Effect.exit(other) as Effect.Effect<unknown>, store.commit(commit))
      }
      const result = yield* Effect.provideService(first, Store, { ...store, commit })
      expect(isDone).toBe(true)
      return result
    })

  inWorld(
    "by a second process while it is voided is paid or void, and charged for the one alone",
    (script) =>
      Effect.gen(function* () {
        yield* seedSold()
        const record = { ...seller, plan: "pro" } as const
        yield* (yield* Store).commit({ writes: [{ op: "replace", kind: "account", record }] })
        const isOf = (id: string) => (written: string) => written === id
        const auto_pay_limit = { currency: "USD", value: 1_999 }

        // The charge comes first: the void reads it, and is refused.
        const one = yield* subscribed("day")
        yield* putInstall(as(buyer), service.id, { auto_pay_limit })
        yield* pass(2)
        const [, later] = yield* invoicesOf({ status: "open" })
        expect(later?.id).toBeUndefined()
        expect(yield* statusOf(one.latest_invoice)).toBe("open")
        const pay = payInvoice(as(buyer), one.latest_invoice)
        const lost = meanwhile(forgive(one.latest_invoice), isOf(one.latest_invoice), pay)
        expect(yield* codeOf(lost)).toBe("INVALID_TRANSITION")
        expect(yield* statusOf(one.latest_invoice)).toBe("paid")

        // The void comes first: nothing is charged.
        yield* putInstall(as(buyer), service.id, { auto_pay_limit: null })
        const two = yield* subscribed("year")
        yield* putInstall(as(buyer), service.id, {
          auto_pay_limit: { currency: "USD", value: 9_900 },
        })
        yield* pass(2)
        const before = script.calls.length
        const late = meanwhile(
          payInvoice(as(buyer), two.latest_invoice),
          isOf(two.latest_invoice),
          forgive(two.latest_invoice),
        )
        expect(yield* codeOf(late)).toBe("INVALID_TRANSITION")
        expect(yield* statusOf(two.latest_invoice)).toBe("void")
        expect(script.calls).toHaveLength(before)
      }),
  )
})
