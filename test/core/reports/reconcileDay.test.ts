import { describe, expect, it } from "@effect/vitest"
import { Clock, Effect, Exit, type Layer } from "effect"
import { TestClock } from "effect/testing"
import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import { ChannelRefusal, Channels, type StatementLine } from "../../../core/ports/Channels.ts"
import { Store, StoreUnavailable } from "../../../core/ports/Store.ts"
import { openRun } from "../../../core/reports/openRuns.ts"
import { reconcileDay } from "../../../core/reports/reconcileDay.ts"
import type { ReconciliationRun } from "../../../core/reports/ReconciliationRun.ts"
import {
  DAY,
  HOUR,
  MINUTE,
  SECOND,
  type Timestamp,
  utcDay,
} from "../../../core/shared/Timestamp.ts"
import type { Refund } from "../../../core/refunds/Refund.ts"
import { channelRequestIn, aJournal, id, intentIn, refundIn, T0 } from "../../support/records.ts"
import { makeScript, type Script } from "../../support/scriptedChannels.ts"
import { world } from "../../support/world.ts"

const TODAY = utcDay(T0)
const NOON = T0 + 12 * HOUR
const amount = { currency: "USD", value: 699 }
const account_id = id("acct", 1)

/** Books payment n, taken at that time, in that state. */
const booked = (n: number, at: Timestamp = NOON, status: Taken = "succeeded") =>
  Effect.flatMap(Store, ({ commit }) =>
    commit({
      writes: [{ op: "insert", kind: "payment_intent", record: known(n, status, at) }],
      postings: aJournal({ n, created_at: at }),
    }),
  )

type Taken = "succeeded" | "captured" | "failed"

const known = (n: number, status: Taken, at: Timestamp): PaymentIntent => ({
  ...intentIn(status, { n, amount, channel: "wallet_a", payee_account_id: account_id }),
  created_at: at - HOUR,
  ...(status === "captured" && { captured_at: at }),
})

/** Books refund n of payment 1. */
const refunded = (n: number, given: Pick<Refund, "amount" | "created_at">) =>
  Effect.flatMap(Store, ({ commit }) => {
    const record = { ...refundIn("succeeded", { n }), ...given }
    return commit({
      writes: [{ op: "insert", kind: "refund", record }],
      postings: aJournal({
        n: n + 10,
        amount: -given.amount.value,
        kind: "refund_succeeded",
        payment_intent: id("pi", 1),
        refund: record.id,
        created_at: given.created_at,
      }),
    })
  })

/** The line about it in the channel's statement. */
const line = (n: number, said: Partial<StatementLine> = {}): StatementLine => ({
  kind: "payment",
  out_trade_no: id("pi", n),
  trade_no: `trade-${n}`,
  number: null,
  amount,
  status: "settled",
  at: NOON,
  ...said,
})

/** Statements of these lines, each of the day that it is dated. */
const shows = (script: Script, ...lines: ReadonlyArray<StatementLine>) => {
  script.lines = (channel, day) => ({
    lines: channel === "wallet_a" ? lines.filter(({ at }) => utcDay(at) === day) : [],
    next: null,
  })
}

const runs = Effect.gen(function* () {
  const listed = yield* (yield* Store).listRuns("2000-01-01", "2100-01-01")
  return listed.filter(({ channel }) => channel === "wallet_a")
})

const runFor = (day: string) =>
  Effect.flatMap(runs, (all) => {
    const run = all.find((one) => one.day === day)
    return run === undefined ? Effect.die(`There is no run for ${day}.`) : Effect.succeed(run)
  })

const claim = Effect.gen(function* () {
  const now = yield* Clock.currentTimeMillis
  return yield* (yield* Store).claimDue("reconciliation_run", now, {
    limit: 50,
    lease: 30 * SECOND,
  })
})

/** A worker at a time. */
const work = (at: Timestamp) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(at)
    for (const run of yield* claim) yield* reconcileDay(run)
  })

const found = Effect.gen(function* () {
  const store = yield* Store
  const all = yield* store.listDiscrepancies({ account_id, from: 0, to: T0 + 99 * DAY, limit: 999 })
  return all.map(({ actual, expected, kind, payment_intent }) => {
    const n = Number.parseInt(payment_intent.slice(-12), 16)
    return `${kind} ${n}: ${expected || "nothing"}, ${actual || "nothing"}`
  })
})

const FIRST = T0 + DAY + 2 * HOUR

type Services = Layer.Success<ReturnType<typeof world>>

const test = (name: string, body: (script: Script) => Effect.Effect<void, unknown, Services>) =>
  it.effect(name, () => {
    const script = makeScript()
    const prepared = Effect.andThen(TestClock.setTime(T0), openRun("wallet_a", TODAY))
    return Effect.andThen(prepared, body(script)).pipe(Effect.provide(world(script)))
  })

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

describe("a day of a channel", () => {
  test("agrees with the books, and is compared four times", (script) =>
    Effect.gen(function* () {
      yield* booked(1)
      shows(script, line(1))
      for (let day = 0; day < 6; day++) yield* work(FIRST + day * DAY)
      expect(yield* found).toEqual([])
      expect(yield* runFor(TODAY)).toMatchObject({
        runs: 4,
        due_at: null,
        result: { lines: 1, booked: 1, discrepancies: 0, unstored: 0, unknown: 0 },
      })
      expect((yield* runs).map(({ day }) => day)).toHaveLength(7)
    }))

  test("tells of lines that are dropped, changed or made up, until they are put right", (script) =>
    Effect.gen(function* () {
      for (const n of upTo(4)) yield* booked(n)
      const made = line(5, { out_trade_no: "an order of somebody else" })
      shows(
        script,
        line(2, { amount: { currency: "USD", value: 700 } }),
        line(3, { status: "failed" }),
        line(4),
        line(4),
        made,
      )
      yield* work(FIRST)
      expect((yield* found).toSorted()).toEqual([
        "amount_mismatch 2: 6.99 USD, 7.00 USD",
        "missing_at_channel 1: 6.99 USD, nothing",
        "missing_at_service 4: nothing, 6.99 USD",
        "status_mismatch 3: settled, failed",
      ])
      const { result } = yield* runFor(TODAY)
      expect(result).toMatchObject({ lines: 5, booked: 4, discrepancies: 4, unknown: 1 })
      expect(result?.unknown_lines).toEqual([made])
      shows(script, ...upTo(4).map((n) => line(n)))
      yield* work(FIRST + DAY)
      expect(yield* found).toEqual([])
    }))

  test("has the lines that its channel or we have dated otherwise", (script) =>
    Effect.gen(function* () {
      yield* booked(1, T0)
      yield* booked(2, T0 + DAY - 1)
      yield* booked(3, T0 + DAY)
      shows(
        script,
        line(1, { at: T0 - 1 }),
        line(2, { at: T0 + DAY }),
        line(3, { at: T0 + DAY - 1 }),
      )
      yield* openRun("wallet_a", utcDay(T0 - 1))
      for (let day = 0; day < 5; day++) yield* work(FIRST + day * DAY)
      expect(yield* found).toEqual([])
      const counts = (yield* runs).slice(0, 3).map(({ day, result }) => [day, result])
      expect(counts).toMatchObject([
        [utcDay(T0 - 1), { lines: 1, booked: 0 }],
        [TODAY, { lines: 1, booked: 2 }],
        [utcDay(T0 + DAY), { lines: 1, booked: 1 }],
      ])
    }))

  test("finds a line that a channel has dated before us, whose clock is ahead", (script) =>
    Effect.gen(function* () {
      yield* booked(1, T0 + 20 * MINUTE)
      shows(script, line(1, { at: T0 - 10 * MINUTE }))
      yield* Effect.andThen(TestClock.setTime(T0), openRun("wallet_a", utcDay(T0 - 1)))
      for (let day = 0; day < 3; day++) yield* work(FIRST + day * DAY)
      expect(yield* found).toEqual([])
    }))

  test("finds money that was taken again on another day, for each of its lines", (script) =>
    Effect.gen(function* () {
      yield* booked(1)
      yield* booked(2, T0 + DAY - 1)
      const again = [NOON, NOON + DAY, NOON + 2 * DAY].map((at) => line(1, { at }))
      const dearer = { currency: "USD", value: 700 }
      shows(
        script,
        ...again,
        line(2, { at: T0 + DAY }),
        line(2, { at: NOON + 2 * DAY, amount: dearer }),
      )
      for (let day = 0; day < 8; day++) yield* work(FIRST + day * DAY)
      expect((yield* found).toSorted()).toEqual([
        "missing_at_service 1: nothing, 6.99 USD",
        "missing_at_service 1: nothing, 6.99 USD",
        "missing_at_service 2: nothing, 7.00 USD",
      ])
      const counts = (yield* runs).slice(0, 3).map(({ result }) => result?.discrepancies)
      expect(counts).toEqual([0, 1, 2])
    }))

  test("finds a refund that was made three times, each on a day of its own", (script) =>
    Effect.gen(function* () {
      yield* booked(1)
      const given = { amount: { currency: "USD", value: 200 }, created_at: NOON }
      yield* refunded(1, given)
      const made = [NOON, NOON + DAY, NOON + 2 * DAY].map((at) =>
        line(1, { amount: given.amount, kind: "refund", number: id("creq", 1), at }),
      )
      shows(script, line(1), ...made)
      for (let day = 0; day < 8; day++) yield* work(FIRST + day * DAY)
      expect(yield* found).toEqual([
        "missing_at_service 1: nothing, 2.00 USD",
        "missing_at_service 1: nothing, 2.00 USD",
      ])
    }))

  test("finds one of two lines that lie on both sides of the day of their row", (script) =>
    Effect.gen(function* () {
      yield* Effect.andThen(TestClock.setTime(T0), openRun("wallet_a", utcDay(T0 - 1)))
      yield* booked(1, T0)
      shows(script, line(1, { at: T0 - 1 }), line(1, { at: T0 + DAY }))
      for (let day = 0; day < 8; day++) yield* work(FIRST + day * DAY)
      expect(yield* found).toEqual(["missing_at_service 1: nothing, 6.99 USD"])
    }))

  test("keeps the lines of its statement that have the date of another day", (script) =>
    Effect.gen(function* () {
      const elsewhere = [T0 - 2 * HOUR, T0 - 90 * DAY, T0 + 90 * DAY]
      const { commit } = yield* Store
      for (const n of [7, 8, 9]) {
        const said = { n, amount, channel: "wallet_a", payee_account_id: account_id }
        const record = intentIn("capturing", said)
        yield* commit({ writes: [{ op: "insert", kind: "payment_intent", record }] })
      }
      const strange = elsewhere.map((at) => line(1, { at, out_trade_no: "nobody's" }))
      const lines = [...elsewhere.map((at, n) => line(7 + n, { at })), ...strange]
      script.lines = (channel, day) => ({
        lines: channel === "wallet_a" && day === TODAY ? lines : [],
        next: null,
      })
      for (let day = 0; day < 6; day++) yield* work(FIRST + day * DAY)
      const { result } = yield* runFor(TODAY)
      expect(result).toMatchObject({ lines: 6, discrepancies: 3, unknown: 3 })
      expect(result?.unknown_lines).toEqual(strange)
      const query = { account_id, from: T0, to: T0 + DAY, limit: 9 }
      const told = yield* (yield* Store).listDiscrepancies(query)
      expect(
        told.map(({ kind, payment_intent }) => `${kind} ${payment_intent}`).toSorted(),
      ).toEqual([7, 8, 9].map((n) => `missing_at_service ${id("pi", n)}`))
    }))

  for (const hours of [14, 8, -5, -8, -12])
    test(`agrees with a channel whose days are ${hours} h ahead`, (script) =>
      Effect.gen(function* () {
        yield* Effect.andThen(TestClock.setTime(T0), openRun("wallet_a", utcDay(T0 - 1)))
        const times = upTo(8).map((n) => T0 - DAY + n * 6 * HOUR)
        for (const [n, at] of times.entries()) yield* booked(n + 1, at)
        const lines = times.map((at, n) => line(n + 1, { at }))
        const again = line(2, { at: T0 - 7 * HOUR })
        script.lines = (channel, day) => ({
          lines:
            channel === "wallet_a"
              ? [...lines, again].filter(({ at }) => utcDay(at + hours * HOUR) === day)
              : [],
          next: null,
        })
        for (let day = -1; day < 8; day++) yield* work(FIRST + day * DAY)
        expect(yield* found).toEqual(["missing_at_service 2: nothing, 6.99 USD"])
      }))

  test("leaves out what has been in flight for less than 24 hours", (script) =>
    Effect.gen(function* () {
      const late = T0 + DAY - 1
      const { commit } = yield* Store
      const capturing = intentIn("capturing", { n: 1, amount, channel: "wallet_a" })
      const request = channelRequestIn("unknown", {
        n: 7,
        action: "refund",
        due_at: T0 + 365 * DAY,
      })
      yield* commit({
        writes: [
          { op: "insert", kind: "payment_intent", record: capturing },
          { op: "insert", kind: "channel_request", record: request },
        ],
      })
      yield* booked(2, late, "captured")
      shows(
        script,
        line(1, { at: late }),
        line(2, { at: late }),
        line(2, { at: late, kind: "refund", number: id("creq", 7) }),
      )
      yield* work(FIRST)
      expect(yield* found).toEqual([])
      yield* work(FIRST + DAY)
      expect((yield* found).toSorted()).toEqual([
        "missing_at_service 1: nothing, 6.99 USD",
        "missing_at_service 2: nothing, 6.99 USD",
        "status_mismatch 2: pending, settled",
      ])
    }))

  test("has refunds by their request's number", (script) =>
    Effect.gen(function* () {
      yield* booked(1)
      const given = { amount: { currency: "USD", value: 200 }, created_at: NOON }
      for (const n of [1, 2]) yield* refunded(n, given)
      const refund = (n: number) =>
        line(1, { ...given, kind: "refund", number: id("creq", n), at: NOON })
      shows(script, line(1), refund(2), refund(1))
      yield* work(FIRST)
      expect(yield* found).toEqual([])
      shows(script, line(1), refund(2), refund(3))
      yield* work(FIRST + DAY)
      expect((yield* found).toSorted()).toEqual([
        "missing_at_channel 1: 2.00 USD, nothing",
        "missing_at_service 1: nothing, 2.00 USD",
      ])
    }))

  test("keeps no more than 500 discrepancies and 100 lines of nobody's", (script) =>
    Effect.gen(function* () {
      for (const n of upTo(600)) yield* booked(n)
      const strange = upTo(150).map((n) => line(n, { out_trade_no: `order ${n}` }))
      shows(script, ...strange)
      yield* work(FIRST)
      expect(yield* found).toHaveLength(500)
      const { result } = yield* runFor(TODAY)
      expect(result).toMatchObject({ discrepancies: 600, unstored: 100, unknown: 150 })
      expect(result?.unknown_lines).toHaveLength(100)
    }))

  test("is nobody's any more once its account has erased its payments", (script) =>
    Effect.gen(function* () {
      yield* booked(1)
      yield* booked(2)
      shows(script, line(2))
      yield* work(FIRST)
      expect(yield* found).toHaveLength(1)
      yield* (yield* Store).eraseAccountData(account_id)
      yield* work(FIRST + DAY)
      expect(yield* found).toEqual([])
      expect((yield* runFor(TODAY)).result).toMatchObject({ discrepancies: 0, unknown: 0 })
    }))
})

describe("who compares a day", () => {
  test("does it once, when two do at the same time", (script) =>
    Effect.gen(function* () {
      yield* booked(1)
      shows(script)
      yield* TestClock.setTime(FIRST)
      const [run] = yield* claim
      if (run === undefined) return expect.unreachable("the run is due")
      const both = [reconcileDay(run), reconcileDay(run)].map((one) => Effect.exit(one))
      const exits = yield* Effect.all(both, { concurrency: 2 })
      expect(exits.filter(Exit.isSuccess)).toHaveLength(1)
      expect(yield* found).toHaveLength(1)
      expect((yield* runFor(TODAY)).runs).toBe(1)
    }))

  test("keeps it for as long as its statement takes", () =>
    Effect.gen(function* () {
      const lines = upTo(20).map((n) => line(n))
      for (const n of upTo(20)) yield* booked(n)
      yield* TestClock.setTime(FIRST)
      const [run] = yield* claim
      if (run === undefined) return expect.unreachable("the run is due")
      const stolen: Array<ReconciliationRun> = []
      const slow = Channels.of({
        ...(yield* Channels),
        statement: (_channel, _day, cursor) =>
          Effect.gen(function* () {
            yield* TestClock.adjust(2 * MINUTE)
            stolen.push(...(yield* claim).filter(({ id: other }) => other === run.id))
            const n = Number(cursor ?? 0)
            return { lines: lines.slice(n, n + 1), next: n < 19 ? String(n + 1) : null }
          }).pipe(Effect.provideService(Store, store), Effect.orDie),
      })
      const store = yield* Store
      yield* reconcileDay(run).pipe(Effect.provideService(Channels, slow))
      expect(stolen).toEqual([])
      expect((yield* runFor(TODAY)).result).toMatchObject({
        lines: 20,
        booked: 20,
        discrepancies: 0,
      })
    }))

  for (const step of [1, 2, 3]) {
    test(`is somebody else where a worker dies at its commit ${step}`, (script) =>
      Effect.gen(function* () {
        yield* booked(1)
        shows(script)
        yield* TestClock.setTime(FIRST)
        const [run] = yield* claim
        if (run === undefined) return expect.unreachable("the run is due")
        const store = yield* Store
        let commits = 0
        const dying = Store.of({
          ...store,
          commit: (commit) =>
            ++commits === step
              ? Effect.fail(new StoreUnavailable({ outcome: "not_stored", cause: "it is dead" }))
              : store.commit(commit),
        })
        const died = yield* Effect.exit(reconcileDay(run).pipe(Effect.provideService(Store, dying)))
        expect(Exit.isFailure(died)).toBe(true)
        expect(yield* found).toEqual([])
        yield* work(FIRST + 5 * MINUTE)
        expect(yield* found).toEqual(["missing_at_channel 1: 6.99 USD, nothing"])
        expect((yield* runFor(TODAY)).runs).toBe(1)
        expect(yield* runFor(utcDay(T0 + DAY))).toMatchObject({ runs: 0 })
      }))
  }

  test("reads many payments a few hundred at a time, and none by itself", (script) =>
    Effect.gen(function* () {
      for (const n of upTo(1_200)) yield* booked(n)
      shows(script, ...upTo(1_200).map((n) => line(n)))
      yield* TestClock.setTime(FIRST)
      const [run] = yield* claim
      if (run === undefined) return expect.unreachable("the run is due")
      const store = yield* Store
      const asked: Array<number> = []
      const counting = Store.of({
        ...store,
        find: (kind, id) =>
          kind === "payment_intent" || kind === "refund"
            ? Effect.die(`one ${kind} by itself`)
            : store.find(kind, id),
        findMany: (kind, ids) => {
          if (kind === "payment_intent") asked.push(ids.length)
          return store.findMany(kind, ids)
        },
      })
      yield* reconcileDay(run).pipe(Effect.provideService(Store, counting))
      expect(asked).toEqual([500, 500, 200])
      expect((yield* runFor(TODAY)).result).toMatchObject({ booked: 1_200, discrepancies: 0 })
    }))

  test("asks again where there is no statement, and opens the next day all the same", (script) =>
    Effect.gen(function* () {
      yield* booked(1)
      yield* TestClock.setTime(FIRST)
      const channels = yield* Channels
      const [run] = yield* claim
      if (run === undefined) return expect.unreachable("the run is due")
      const message = "The channel is away."
      const away = Channels.of({
        ...channels,
        statement: () => Effect.fail(new ChannelRefusal({ reason: "down", message })),
      })
      yield* reconcileDay(run).pipe(Effect.provideService(Channels, away))
      expect(yield* runFor(TODAY)).toMatchObject({
        runs: 0,
        attempts: 1,
        failure: `down: ${message}`,
        result: null,
        due_at: FIRST + MINUTE,
      })
      expect(yield* runFor(utcDay(T0 + DAY))).toMatchObject({ runs: 0 })
      shows(script, line(1))
      yield* work(FIRST + MINUTE)
      expect(yield* runFor(TODAY)).toMatchObject({ runs: 1, attempts: 0, failure: null })
    }))

  const refusesMoreThan = (most: string, lines: ReadonlyArray<StatementLine>) =>
    test(`refuses a statement of more than ${most}`, (script) =>
      Effect.gen(function* () {
        script.lines = () => ({ lines, next: "and on" })
        yield* work(FIRST)
        const { failure } = yield* runFor(TODAY)
        expect(failure).toBe(
          `nonsense: The statement of ${TODAY} does not end: it has more than ${most}.`,
        )
      }))
  refusesMoreThan("10000 pages", [])
  refusesMoreThan(
    "1000000 lines",
    upTo(1_000).map((n) => line(n)),
  )
})
