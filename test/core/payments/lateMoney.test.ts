import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { answerOnce } from "../../../core/idempotency/answerOnce.ts"
import { CurrentRequest } from "../../../core/idempotency/Reply.ts"
import { getBalance } from "../../../core/ledger/getBalance.ts"
import { captureIntent } from "../../../core/payments/captureIntent.ts"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { createOneTime } from "../../../core/payments/createOneTime.ts"
import { voidIntent } from "../../../core/payments/endIntent.ts"
import { expireIntent } from "../../../core/payments/expireIntent.ts"
import { getIntent } from "../../../core/payments/getIntent.ts"
import { leave } from "../../../core/payments/leave.ts"
import { resolveChannelRequest } from "../../../core/dispatch/resolveChannelRequest.ts"
import { Store } from "../../../core/ports/Store.ts"
import { openRun } from "../../../core/reports/openRuns.ts"
import { reconcileDay } from "../../../core/reports/reconcileDay.ts"
import { DAY, toIso, utcDay } from "../../../core/shared/Timestamp.ts"
import { anAccount, aService, T0 } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import {
  as,
  buyer,
  callback,
  codeOf,
  deliver,
  seed,
  seller,
  walk,
  world,
} from "../../support/world.ts"

const common = {
  service_id: aService({ n: 1 }).id,
  amount: { currency: "USD", value: 699 },
  description: "Summary of one paper",
} as const
const request = createIntent(as(buyer), { ...common, type: "one_time", payer_channel: "wallet_a" })
const oneTime = createOneTime(as(buyer), { ...common, payer: { agent_id: "buyer-agent" } })

const claimed = Effect.gen(function* () {
  const store = yield* Store
  const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
  return yield* store.claimDue("channel_request", now, { limit: 50, lease: 1_000 })
})
/** Returns the channel requests that a worker claims now. */
const asked = Effect.map(claimed, (found) =>
  found.map(({ action, trade_no }) => `${action} ${trade_no}`),
)
const worked = Effect.flatMap(
  claimed,
  Effect.forEach((found) => resolveChannelRequest(found)),
)

describe("money that comes too late or twice", () => {
  it.effect("a trade that pays one payment is not refunded for another", () =>
    Effect.gen(function* () {
      yield* seed()
      const paid = yield* oneTime
      yield* deliver(callback({ out_trade_no: paid.id, trade_no: "T", trade_status: "SUCCESS" }))
      const ended = yield* oneTime
      yield* voidIntent(as(buyer), ended.id)
      yield* asked
      const crossed = callback({ out_trade_no: ended.id, trade_no: "T", trade_status: "SUCCESS" })
      expect(yield* codeOf(deliver(crossed))).toBe("CHANNEL_MISMATCH")
      expect(yield* asked).toEqual([])
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("the authorization of a payment that was voided is released once", () =>
    Effect.gen(function* () {
      yield* seed()
      const { id } = yield* request
      yield* walk(id, "AUTHORIZED")
      yield* voidIntent(as(seller), id)
      expect(yield* asked).toEqual(["release trade-1"])
      yield* walk(id, "AUTHORIZED")
      expect(yield* asked).toEqual([])
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("a second trade for a paid payment goes back", () =>
    Effect.gen(function* () {
      yield* seed()
      const { id } = yield* oneTime
      yield* deliver(callback({ out_trade_no: id, trade_no: "T1", trade_status: "SUCCESS" }))
      yield* deliver(callback({ out_trade_no: id, trade_no: "T2", trade_status: "SUCCESS" }))
      yield* deliver(callback({ out_trade_no: id, trade_no: "T2", trade_status: "SUCCESS" }))
      expect(yield* asked).toEqual(["refund T2"])
      expect(yield* getIntent(as(buyer), id)).toMatchObject({ channel_txn_id: "T1" })
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("keeps its payment, if it comes while the payment is being removed", () =>
    Effect.gen(function* () {
      yield* seed()
      const { id } = yield* oneTime
      yield* voidIntent(as(buyer), id)
      yield* worked
      const store = yield* Store
      const ended = (yield* store.find("payment_intent", id))!
      const paid = deliver(callback({ out_trade_no: id, trade_no: "T", trade_status: "SUCCESS" }))
      // Its books and requests have been read, and the money is reported before they are removed.
      const paidFirst = yield* Effect.map(
        Effect.context<Effect.Services<typeof paid>>(),
        (services) => Effect.orDie(Effect.provideContext(paid, services)),
      )
      const removal = leave([ended]).pipe(
        Effect.provideService(Store, {
          ...store,
          commit: (one) => Effect.andThen(paidFirst, store.commit(one)),
        }),
      )
      expect(yield* Effect.flip(removal)).toMatchObject({ reason: { type: "stale_version" } })
      expect(yield* store.find("payment_intent", id)).toBeDefined()
      expect(yield* asked).toEqual(["refund T"])
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("another trade's closing does not fail an authorized payment", () =>
    Effect.gen(function* () {
      yield* seed()
      const { id } = yield* request
      yield* walk(id, "AUTHORIZED")
      yield* deliver(callback({ out_trade_no: id, trade_no: "T2", trade_status: "CLOSED" }))
      expect(yield* getIntent(as(buyer), id)).toMatchObject({ status: "authorized" })
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("a hold on a One-Time payment is let go when it expires", () =>
    Effect.gen(function* () {
      yield* seed()
      const { id } = yield* oneTime
      yield* walk(id, "AUTHORIZED")
      yield* TestClock.adjust("5 minutes")
      const stored = yield* (yield* Store).find("payment_intent", id)
      if (stored === undefined) return expect.unreachable("the payment is stored")
      yield* expireIntent(stored)
      expect(yield* asked).toEqual(["release trade-1"])
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("a hold that was taken already is asked back, and what is refused is noted", () => {
    const script = makeScript()
    script.answer = () => Effect.succeed({ type: "refused", message: "not so" })
    return Effect.gen(function* () {
      yield* seed()
      const { id } = yield* request
      yield* walk(id, "AUTHORIZED", "SUCCESS")
      yield* voidIntent(as(seller), id)
      yield* worked
      yield* worked
      yield* worked
      expect(script.calls.map(({ action, trade_no }) => `${action} ${trade_no}`)).toEqual([
        "release trade-1",
        "refund trade-1",
      ])
      expect(new Set(script.calls.map(({ number }) => number)).size).toBe(2)
    }).pipe(Effect.provide(world(script)))
  })
})

describe("a hold that was taken although it was to be released", () => {
  const taken = (id: string) => Effect.asVoid(walk(id, "SUCCESS"))
  const work = () => Effect.asVoid(worked)
  /** A voided payment whose hold the channel does not release, but may refund. */
  const scripted = (refund: "done" | "refused") => {
    const script = makeScript()
    script.answer = ({ action, number }) =>
      Effect.succeed(
        action === "release" || refund === "refused"
          ? { type: "refused", message: "not so" }
          : { type: "done", at: 0, trade_no: number },
      )
    return script
  }
  const voided = Effect.gen(function* () {
    yield* seed()
    const { id } = yield* request
    yield* walk(id, "AUTHORIZED")
    yield* voidIntent(as(seller), id)
    return id
  })
  const books = Effect.gen(function* () {
    const store = yield* Store
    const rows = yield* store.listBalances(seller.id)
    const kinds = rows.map(({ amount, kind, ledger_account }) => [kind, ledger_account, amount])
    return kinds.filter(([, account]) => account === "channel_clearing")
  })
  const noted = Effect.gen(function* () {
    const store = yield* Store
    const query = { account_id: seller.id, from: 0, to: T0 + DAY, limit: 10 }
    const found = yield* store.listDiscrepancies(query)
    return found.map((one) => `${one.kind} of ${one.payment_intent}, ${one.expected}`)
  })
  const into = ["late_payment", "channel_clearing", 699]
  const out = ["late_payment_returned", "channel_clearing", -699]
  const refunds = (script: ReturnType<typeof makeScript>) =>
    script.calls.filter(({ action }) => action === "refund").length

  const cases = [
    ["told before the refusal", [taken, work, work], [into, out]],
    ["told between refusal and refund", [work, taken, work], [into, out]],
    ["told after the refund", [work, work, taken, work], [into, out]],
    ["never told", [work, work, work], [into, out]],
  ] as const
  it.effect.each(cases)("is given back once: %s", ([, steps, posted]) => {
    const script = scripted("done")
    return Effect.gen(function* () {
      const id = yield* voided
      for (const step of steps) yield* step(id)
      yield* taken(id)
      yield* worked
      expect(refunds(script)).toBe(1)
      expect(yield* books).toEqual(posted)
      expect(yield* noted).toEqual([`late_payment of ${id}, voided`])
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("agrees with the channel's statement, whoever told of it", () => {
    const script = scripted("done")
    return Effect.gen(function* () {
      const id = yield* voided
      yield* worked
      yield* worked
      const [refunded] = script.calls.filter(({ action }) => action === "refund")
      const line = { out_trade_no: id, trade_no: "trade-1", amount: common.amount, at: T0 }
      const lines = [
        { ...line, kind: "payment", number: null, status: "settled" },
        { ...line, kind: "refund", number: refunded?.number ?? "", status: "settled" },
      ] as const
      script.lines = (_, day) => ({ lines: day === utcDay(T0) ? lines : [], next: null })
      yield* TestClock.adjust("2 days")
      yield* openRun("wallet_a", utcDay(T0))
      const [run] = yield* (yield* Store).listRuns(utcDay(T0), utcDay(T0))
      if (run === undefined) return expect.unreachable("the run is open")
      yield* reconcileDay(run)
      const [done] = yield* (yield* Store).listRuns(utcDay(T0), utcDay(T0))
      expect(done?.result).toMatchObject({ lines: 2, booked: 2, discrepancies: 0, unknown: 0 })
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("is noted once where the same money was given back under another name", () => {
    const script = scripted("done")
    return Effect.gen(function* () {
      const id = yield* voided
      yield* worked
      const store = yield* Store
      const key = `discrepancy:late_payment:${id}:wallet_a:trade-1:SUCCESS`
      yield* store.commit({ writes: [], keys: [{ op: "claim", key, owner: "disc_other" }] })
      yield* worked
      expect(yield* claimed).toEqual([])
      expect(yield* books).toEqual([into, out])
      expect(yield* noted).toEqual([])
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("is held in the books for as long as the channel keeps it", () => {
    const script = scripted("refused")
    return Effect.gen(function* () {
      const id = yield* voided
      yield* taken(id)
      for (let n = 0; n < 3; n++) yield* worked
      expect(refunds(script)).toBe(1)
      expect(yield* books).toEqual([into])
      const { balances } = yield* getBalance(as(seller))
      expect(balances).toMatchObject([{ currency: "USD", available: 0, returning: 699 }])
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("is asked for anew where it was refused before it was taken", () => {
    const script = scripted("refused")
    return Effect.gen(function* () {
      const id = yield* voided
      for (let n = 0; n < 3; n++) yield* worked
      expect(refunds(script)).toBe(1)
      script.answer = ({ number }) => Effect.succeed({ type: "done", at: 0, trade_no: number })
      yield* taken(id)
      yield* taken(id)
      yield* worked
      expect(refunds(script)).toBe(2)
      expect(yield* books).toEqual([into, out])
    }).pipe(Effect.provide(world(script)))
  })
})

describe("what crosses a capture on its way", () => {
  it.effect("a settlement that failed before the capture's answer came", () => {
    const script = makeScript()
    script.answer = () => Effect.succeed({ type: "unknown", message: "timeout" })
    script.asked = () => Effect.succeed({ type: "done", at: T0, trade_no: "trade-1" })
    return Effect.gen(function* () {
      yield* seed()
      const { id } = yield* request
      yield* walk(id, "AUTHORIZED")
      yield* captureIntent(as(seller), id)
      yield* walk(id, "SETTLEMENT_FAILED")
      yield* TestClock.adjust("20 seconds")
      yield* worked
      expect(yield* getIntent(as(seller), id)).toMatchObject({
        status: "failed",
        failure_code: "SETTLEMENT_FAILED",
      })
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("a refusal of what has succeeded meanwhile is not told", () => {
    const script = makeScript()
    const layer = world(script)
    return Effect.gen(function* () {
      yield* seed()
      const { id } = yield* request
      yield* walk(id, "AUTHORIZED")
      const services =
        yield* Effect.context<
          Parameters<typeof walk> extends never ? never : Effect.Services<ReturnType<typeof walk>>
        >()
      script.answer = () =>
        walk(id, "SUCCESS").pipe(
          Effect.provide(services),
          Effect.orDie,
          Effect.as({ type: "refused", message: "captured before" } as const),
        )
      expect((yield* captureIntent(as(seller), id)).status).toBe("succeeded")
    }).pipe(Effect.provide(layer))
  })

  it.effect("a clock that is set back leaves the times in order", () =>
    Effect.gen(function* () {
      yield* seed()
      const { id } = yield* request
      yield* TestClock.setTime(T0 + 60_000)
      yield* walk(id, "SCANNED")
      yield* TestClock.setTime(T0 + 1_000)
      yield* walk(id, "AUTHORIZED")
      expect(yield* captureIntent(as(seller), id)).toMatchObject({
        scanned_at: toIso(T0 + 60_000),
        authorized_at: toIso(T0 + 60_000),
        captured_at: toIso(T0 + 60_000),
      })
    }).pipe(Effect.provide(world(makeScript()))),
  )
})

describe("who stands in whose way", () => {
  it.effect("another seller cannot use up a buyer's One-Time payment", () =>
    Effect.gen(function* () {
      yield* seed()
      const other = anAccount({ n: 9, kind: "seller", agent_id: "other-seller" })
      yield* (yield* Store).commit({ writes: [{ op: "insert", kind: "account", record: other }] })
      const input = { ...common, payer: { agent_id: "buyer-agent" }, metadata: { order: 1 } }
      yield* createOneTime(as(other), input)
      expect((yield* createOneTime(as(buyer), input)).status).toBe("pending")
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("one channel that is left after the others refused is the payment's channel", () => {
    const script = makeScript()
    script.refuse = ({ channel }) => (channel === "wallet_b" ? "down" : undefined)
    return Effect.gen(function* () {
      yield* seed({ accepted_channels: ["wallet_a", "wallet_b"], default_channel: null })
      const made = yield* createIntent(as(buyer), { ...common, type: "one_time" })
      expect(made).toMatchObject({ channel: "wallet_a", qr: { charge_id: expect.any(String) } })
      expect(made).not.toHaveProperty("channels")
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("an answer that is found after a conflict is kept like any other", () =>
    Effect.gen(function* () {
      yield* seed()
      const { id } = yield* request
      const store = yield* Store
      const alone = voidIntent(as(buyer), id).pipe(Effect.provideService(CurrentRequest, null))
      let raced = false
      const racing = Store.of({
        ...store,
        commit: (commit) => {
          if (raced || commit.reply === undefined) return store.commit(commit)
          raced = true
          return Effect.andThen(
            Effect.orDie(Effect.provideContext(alone, services)),
            store.commit(commit),
          )
        },
      })
      const services = yield* Effect.context<Effect.Services<typeof alone>>()
      const keyed = {
        account_id: buyer.id,
        key: "k",
        request: "POST void",
        render: (view: unknown) => JSON.stringify(view),
        optimistic: false,
      }
      const first = yield* answerOnce(keyed, voidIntent(as(buyer), id)).pipe(
        Effect.provideService(Store, racing),
      )
      expect(raced).toBe(true)
      expect(yield* answerOnce(keyed, voidIntent(as(buyer), id))).toEqual({
        text: first.text,
        replayed: true,
      })
    }).pipe(Effect.provide(world(makeScript()))),
  )
})
