import { expect, test } from "vitest"
import { manifest, until } from "../apps/server/service.ts"
import { askDatabase } from "../support/askDatabase.ts"
import { type Answered, call, openShop, simulated } from "../support/shop.ts"
import { twoProcesses } from "../support/twoProcesses.ts"

const RACERS = 200
const DEPOSIT = { currency: "USD", value: 500 }
const HOOKS = "http://127.0.0.1:9/hooks"

type Processes = Awaited<ReturnType<typeof twoProcesses>>

/** A session whose deposit its payer has authorized, drawn from and closed at both processes. */
const deposited = async ({ services }: Processes, service_id: string) => {
  const bound = { service_id, amount: DEPOSIT, resource: "session papers" }
  const opened = await call(services[0], "seller", { path: "/v1/payment-challenges", body: bound })
  const { id, token } = opened.body["payment_intent"] as { readonly [field: string]: string }
  expect((await call(services[1], "buyer", simulated(String(id), "pay"))).status).toBe(200)
  const proof = { ...bound, token }
  const at = (n: number) => services[n % 2] ?? services[0]
  return {
    id: String(id),
    draw: (n: number, spent: number) =>
      call(at(n), "seller", {
        path: `/v1/payment-challenges/${id}/draw`,
        body: { ...proof, price: 100, spent },
      }),
    close: (n: number, once?: string) =>
      call(at(n), "seller", {
        path: `/v1/payment-challenges/${id}/close`,
        body: proof,
        ...(once !== undefined && { once }),
      }),
  }
}

/** Runs the racers at the same time, and returns their answers. */
const race = (racer: (n: number) => Promise<Answered>) =>
  Promise.all(Array.from({ length: RACERS }, (_, n) => racer(n)))

const passed = (answers: ReadonlyArray<Answered>) => answers.filter(({ status }) => status < 300)

/** Checks that the refusals are only those that a race may cause. */
const expectRefused = (answers: ReadonlyArray<Answered>) => {
  const codes = new Set(
    answers.filter(({ status }) => status >= 300).map(({ body }) => body["code"]),
  )
  for (const code of [
    "PAYMENT_PROOF_INVALID",
    "PAYMENT_PROOF_USED",
    "PAYMENT_REQUIRED",
    "PAYMENT_UNRESOLVED",
    "TEMPORARILY_UNAVAILABLE",
    "IDEMPOTENCY_KEY_IN_PROGRESS",
  ]) {
    codes.delete(code)
  }
  expect([...codes]).toEqual([])
}

/** Returns the moved amounts of a deposit, at the channel and in our own records. */
const moved = async ({ database }: Processes, payment: string) => {
  const [row] = await askDatabase(
    database,
    `SELECT i.status, c.drawn::int AS drawn, c.closed_at IS NOT NULL AS closed,
        i.refunded_value::int AS refunded,
        (SELECT count(*)::int FROM refunds r WHERE r.payment_intent = i.id) AS refunds,
        (SELECT count(*)::int FROM channel_requests q
          WHERE q.payment_intent = i.id AND q.action = 'capture') AS captures,
        (SELECT count(*)::int FROM channel_requests q
          WHERE q.payment_intent = i.id AND q.action = 'refund') AS given_back
      FROM payment_intents i JOIN challenges c ON c.id = i.id
      WHERE i.id = '${payment.slice(3)}'`,
  )
  return row ?? {}
}

test("200 who draw at two processes never draw a sum twice or above the deposit", async () => {
  const processes = await twoProcesses()
  const { draw, id } = await deposited(processes, await openShop(processes.services[0], HOOKS))
  const drawn: Array<number> = []
  // Each round has every sum, and two above the deposit: some are out of their turn.
  for (let round = 0; round < 3 || drawn.length < 5; round++) {
    const answers = await race((n) => draw(n, 100 * (1 + (n % 7))))
    expectRefused(answers)
    for (const { body } of passed(answers)) {
      drawn.push((body["drawn"] as { readonly value: number }).value)
    }
  }
  expect(drawn.toSorted((a, b) => a - b)).toEqual([100, 200, 300, 400, 500])
  expect(await moved(processes, id)).toMatchObject({ drawn: 500, refunds: 0, captures: 1 })
}, 120_000)

test("200 who draw from and close a session at two processes leave no cent twice", async () => {
  const processes = await twoProcesses()
  const session = await deposited(processes, await openShop(processes.services[0], HOOKS))
  expect((await session.draw(0, 100)).status).toBe(200)
  const answers = await race((n) =>
    n % 4 === 0
      ? session.draw(n >> 2, 200 + 100 * ((n >> 2) % 3))
      : session.close(n >> 1, n % 4 === 1 ? "closing" : undefined),
  )
  expectRefused(answers)
  const told = await session.close(1)
  expect(told.status).toBe(200)
  const refund = told.body["refund"]
  expect(refund).toMatch(/^ref_/)
  // Under the key of before, and of every racer that was answered, it is the same refund.
  expect((await session.close(0, "closing")).body).toEqual(told.body)
  const closes = passed(answers).filter(({ body }) => "refund" in body)
  expect(new Set(closes.map(({ body }) => body["refund"]))).toEqual(new Set([refund]))
  const draws = passed(answers).length - closes.length
  await until(
    () =>
      call(processes.services[0], "seller", {
        method: "GET",
        path: `/v1/refunds/${String(refund)}`,
      }),
    ({ body }) => body["status"] === "succeeded",
  )
  const drawn = 100 + 100 * draws
  expect(await moved(processes, session.id)).toMatchObject({
    closed: true,
    drawn,
    refunded: DEPOSIT.value - drawn,
    refunds: 1,
    captures: 1,
    given_back: 1,
  })
}, 120_000)

test("200 who open and close a session at two processes take it or release it", async () => {
  const processes = await twoProcesses()
  const session = await deposited(processes, await openShop(processes.services[0], HOOKS))
  const answers = await race((n) =>
    n % 4 < 2 ? session.draw(n, 100) : session.close(n, n % 4 === 2 ? "closing" : undefined),
  )
  expectRefused(answers)
  const draws = passed(answers).filter(({ body }) => "drawn" in body).length
  expect(draws).toBeLessThanOrEqual(1)
  const told = await session.close(0)
  const { captures, refunded, refunds, status } = await moved(processes, session.id)
  if (status === "voided") {
    expect([draws, told.body["refund"], captures, refunds]).toEqual([0, null, 0, 0])
  } else {
    expect(told.body["refund"]).toMatch(/^ref_/)
    expect([captures, refunds, refunded]).toEqual([1, 1, DEPOSIT.value - 100 * draws])
  }
}, 120_000)

test("200 who show a subscription's proof at two processes are let through once", async () => {
  const { services } = await twoProcesses()
  const at = (n: number) => services[n % 2] ?? services[0]
  const plan = { plan_id: "pro", name: "Pro", amount: 1, currency: "USD", interval: "monthly" }
  const sold = manifest(HOOKS)
  const registered = await call(services[0], "seller", {
    path: "/v1/services",
    body: {
      ...sold,
      payment_methods: { one_time: true, subscription: true },
      pricing: { ...sold.pricing, subscription: [{ ...plan, features: ["read"] }] },
    },
  })
  const service_id = String(registered.body["id"])
  const activated = { method: "PATCH", path: `/v1/services/${service_id}/activate` }
  expect((await call(services[1], "seller", activated)).status).toBe(200)
  const begun = await race((n) =>
    call(at(n), "buyer", {
      path: `/v1/service-manifests/${service_id}/subscribe`,
      body: { plan_id: plan.plan_id },
    }),
  )
  const [subscribed, ...more] = passed(begun)
  if (subscribed === undefined) throw new Error(begun[0]?.text)
  expect(more).toEqual([])
  const { id, payment } = subscribed.body as {
    readonly id: string
    readonly payment: { readonly id: string }
  }
  expect((await call(services[0], "buyer", simulated(payment.id, "pay"))).status).toBe(200)
  const challenge = "one request of many"
  const proven = await call(services[0], "buyer", {
    path: `/v1/subscriptions/${id}/proofs`,
    body: { challenge },
  })
  const { expires_at, token } = proven.body
  const redemption = { service_id, plan_id: plan.plan_id, challenge, token, expires_at }
  const answers = await race((n) =>
    call(at(n), "seller", { path: `/v1/subscriptions/${id}/redeem`, body: redemption }),
  )
  expectRefused(answers)
  expect(passed(answers)).toHaveLength(1)
}, 120_000)
