import { Effect, Exit, Scope } from "effect"
import { describe, expect, onTestFinished, test } from "vitest"
import { type Running, startOn, temporaryFolder } from "../apps/server/service.ts"
import { askDatabase, urlOf } from "../support/askDatabase.ts"
import { testDatabase } from "../support/postgres.ts"
import { type Answered, call, openReceiver, openShop, order, simulated } from "../support/shop.ts"

/** The number of refunded payments in a race; the full test uses 10,000. */
const ROUNDS = Number(process.env["PAYPORT_TEST_ROUNDS"] ?? 60)

/** The number of simultaneous refunds. */
const ABREAST = 20

const twoProcesses = async () => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const database = await Effect.runPromise(Scope.provide(testDatabase, scope))
  const { endpoint } = await openReceiver()
  const folder = await temporaryFolder()
  const start = () => startOn(folder, { PAYPORT_DATABASE_URL: urlOf(database) })
  const [one, two] = await Promise.all([start(), start()])
  return { database, one, two, shop: await openShop(one, endpoint) }
}

/**
 * Payments without a named payer, since no level limits them, by a channel without a rate limit.
 */
const paid = async (
  service: Running,
  shop: string,
  description: string,
  payer_channel = "wallet_b",
): Promise<string> => {
  const { body: asked, path } = order(shop, description)
  const amount = { currency: "USD", value: 699 }
  const ask = (said: Parameters<typeof call>[2]) => heard(() => call(service, "seller", said))
  const made = await ask({ path, body: { ...asked, amount, payer_channel } })
  const id = String(made.body["id"])
  await ask(simulated(id, "pay"))
  const { text, body } = await ask({ path: `/v1/payment-intents/${id}/capture` })
  // A slow capture may be answered after the settlement.
  expect(body["status"], text).toMatch(/^(captured|succeeded)$/)
  return id
}

/** A process that is stopped for longer than requests may take never heard of them: 408. */
const heard = async (send: () => Promise<Answered>): Promise<Answered> => {
  const answer = await send()
  return answer.status === 408 ? heard(send) : answer
}

const refund = (service: Running, payment_intent: string, value?: number) => {
  const amount = value === undefined ? {} : { amount: { currency: "USD", value } }
  const body = { payment_intent, ...amount }
  return heard(() => call(service, "seller", { path: "/v1/refunds", body }))
}

const said = ({ body, status }: Answered): string =>
  status === 201 ? "201" : `${status} ${(body["error"] as { readonly code: string }).code}`

const tally = (answers: ReadonlyArray<Answered>) => {
  const counts: { [answer: string]: number } = {}
  for (const answer of answers) counts[said(answer)] = (counts[said(answer)] ?? 0) + 1
  return counts
}

const times = <A>(count: number, make: (n: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, n) => make(n))

describe("two processes on one database", () => {
  test("of refunds at once as many succeed as there can be", { timeout: 150_000 }, async () => {
    const { one, shop, two } = await twoProcesses()
    const whole = await paid(one, shop, "given back")
    const wholes = await Promise.all(times(50, (n) => refund(n % 2 === 0 ? one : two, whole)))
    expect(tally(wholes)).toEqual({ "201": 1, "409 REFUND_EXCEEDS_PAYMENT": 49 })
    const id = await paid(one, shop, "given back bit by bit", "wallet_a")
    const parts = await Promise.all(times(60, (n) => refund(n % 2 === 0 ? one : two, id, 10)))
    expect(tally(parts)).toEqual({ "201": 50, "409 REFUND_LIMIT_EXCEEDED": 10 })
    expect(said(await refund(one, id, 1))).toBe("409 REFUND_LIMIT_EXCEEDED")
  })

  test(
    "partial refunds never come to more than was taken",
    { timeout: 150_000 + 1_000 * ROUNDS },
    async () => {
      const { database, one, shop, two } = await twoProcesses()
      let begun = 0
      const race = async (n: number) => {
        const id = await paid(n % 2 === 0 ? one : two, shop, `payment ${n}`)
        const refunds = times(5, (k) => refund((n + k) % 2 === 0 ? one : two, id, 300))
        const answers = tally(await Promise.all(refunds))
        expect(answers).toEqual({ "201": 2, "409 REFUND_EXCEEDS_PAYMENT": 3 })
      }
      const racer = async () => {
        while (begun < ROUNDS) await race(begun++)
      }
      await Promise.all(times(Math.min(ABREAST, ROUNDS), racer))
      const rows = await askDatabase(
        database,
        `SELECT count(*)::int AS intents, max(refunded_value)::int AS most,
          min(refunded_value)::int AS least, bool_and(refunded_value = given) AS agree
        FROM payment_intents, LATERAL (SELECT sum(amount_value)::bigint AS given FROM refunds
          WHERE payment_intent = payment_intents.id AND status <> 'failed') AS sums`,
      )
      expect(rows).toEqual([{ intents: ROUNDS, most: 600, least: 600, agree: true }])
    },
  )
})
