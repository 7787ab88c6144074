import { randomUUID } from "node:crypto"
import { Effect, Exit, Scope } from "effect"
import { describe, expect, onTestFinished, test } from "vitest"
import { type Running, startOn, temporaryFolder } from "../apps/server/service.ts"
import { urlOf } from "../support/askDatabase.ts"
import { atRest, disagreements, effectsOf, readAccounts } from "../support/atRest.ts"
import { testDatabase } from "../support/postgres.ts"
import { type Answered, call, openReceiver, openShop, order, simulated } from "../support/shop.ts"

/** The number of payments to race for; the full test uses 1,000. */
const ROUNDS = Number(process.env["PAYPORT_TEST_ROUNDS"] ?? 60)
const BATCH = 30

/** Two processes of the service on one database, with a service that is for sale. */
const twoProcesses = async () => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const database = await Effect.runPromise(Scope.provide(testDatabase, scope))
  const { endpoint, received } = await openReceiver()
  const folder = await temporaryFolder()
  const start = () => startOn(folder, { PAYPORT_DATABASE_URL: urlOf(database) })
  const [one, two] = await Promise.all([start(), start()])
  return { database, received, one, two, shop: await openShop(one, endpoint) }
}

const created = async (service: Running, shop: string, description: string) => {
  const { body, status } = await call(service, "buyer", order(shop, description))
  expect([status, body["status"]]).toEqual([201, "pending"])
  const [createdAt = 0, expiresAt = 0] = ["created_at", "expires_at"].map((field) =>
    Date.parse(String(body[field])),
  )
  return { id: String(body["id"]), expiresAt, ahead: createdAt - Date.now() }
}

const authorized = async (service: Running, shop: string, description: string) => {
  const intent = await created(service, shop, description)
  const { body } = await call(service, "buyer", simulated(intent.id, "pay"))
  expect(body["status"]).toBe("authorized")
  return intent
}

const capture = (id: string) => ({ path: `/v1/payment-intents/${id}/capture` })
const revoke = (id: string) => ({ path: `/v1/payment-intents/${id}/void` })

const times = <A>(count: number, make: (n: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, n) => make(n))

/** The payment's status, or why not and what its status is instead. */
const said = ({ body, status }: Answered): string => {
  if (status < 300) return `${status} ${String(body["status"])}`
  const error = { ...body, ...(body["error"] as object) } as {
    readonly code?: string
    readonly details?: { readonly status?: string }
  }
  return [status, error.code, error.details?.status].filter(Boolean).join(" ")
}

/** The allowed answers of each call, by the payment's final state. */
const ANSWERS: { readonly [ending: string]: { readonly [call: string]: RegExp } } = {
  succeeded: {
    capture: /^200 (captured|succeeded)$/,
    void: /^400 INVALID_TRANSITION (authorized|captured|succeeded)$/,
  },
  voided: { capture: /^400 INVALID_TRANSITION voided$/, void: /^200 voided$/ },
  expired: {
    capture: /^400 INVALID_TRANSITION expired$/,
    void: /^400 INVALID_TRANSITION expired$/,
  },
}

const wait = (moment: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, moment - Date.now()))

/** Moves the clock; returns how far the service's is then ahead of this process's. */
const advance = async (service: Running, seconds: number): Promise<number> => {
  const request = { path: "/v1/sandbox/clock/advance", body: { seconds } }
  const { body, status } = await call(service, "seller", request)
  expect(status).toBe(200)
  return Date.parse(String(body["now"])) - Date.now()
}

/** Sends two captures and two voids of a payment at about that time, and returns the answers. */
const raceFor = (services: ReadonlyArray<Running>, id: string, n: number, moment: number) =>
  Promise.all(
    (["capture", "void", "void", "capture"] as const).map(async (name, k) => {
      const service = services[(n + k) % services.length]
      if (service === undefined) throw new Error("a race needs a service")
      const jitter = ((n * 7 + k * 13) % 23) - 11
      await wait(moment + jitter)
      const answer =
        name === "capture"
          ? await call(service, "seller", capture(id))
          : await call(service, "buyer", revoke(id))
      return [name, said(answer)] as const
    }),
  )

describe("two processes on one database", () => {
  test("50 captures at once are one capture at the channel", { timeout: 180_000 }, async () => {
    const { database, one, shop, two } = await twoProcesses()
    // A captured payment stays captured until it is settled.
    await Promise.all(
      [one, two].map((service) =>
        call(service, "seller", {
          method: "PUT",
          path: "/v1/sandbox/channels/wallet_a/faults",
          body: { settle: "manual" },
        }),
      ),
    )
    const { id } = await authorized(one, shop, "raced for")
    const answers = await Promise.all(
      times(50, (n) => call(n % 2 === 0 ? one : two, "seller", capture(id))),
    )
    expect(answers.map(said)).toEqual(times(50, () => "200 captured"))
    const [accounts] = await readAccounts(database)
    expect(effectsOf(accounts?.book ?? null, "capture")).toBe(1)
    expect(Object.keys(accounts?.book?.effects ?? {})).toHaveLength(1)
    const settled = await call(two, "buyer", simulated(id, "settle"))
    expect(settled.body["status"]).toBe("succeeded")
    expect((await atRest(database)).flatMap(disagreements)).toEqual([])
  })

  test("200 payments at once never pass the limit of the day", { timeout: 180_000 }, async () => {
    const { one, shop, two } = await twoProcesses()
    const request = order(shop, "One of many")
    const body = { ...request.body, amount: { currency: "USD", value: 100 } }
    const create = (n: number) => call(n % 2 === 0 ? one : two, "buyer", { ...request, body })
    const answers = await Promise.all(times(200, create))
    const refusals = answers.filter(({ status }) => status !== 201)
    expect(answers.length - refusals.length).toBe(100)
    for (const { body: refused, status } of refusals) {
      expect([status, refused["code"]]).toEqual([403, "INSUFFICIENT_KYC"])
      expect(refused["details"]).toMatchObject({ limit: "daily", required_kyc_level: "basic" })
    }
    const [first] = answers.filter(({ status }) => status === 201)
    await call(two, "buyer", revoke(String(first?.body["id"])))
    const again = await Promise.all(times(10, create))
    expect(again.filter(({ status }) => status === 201)).toHaveLength(1)
  })

  test("50 creates at once with one key are one payment", { timeout: 180_000 }, async () => {
    const { database, one, shop, two } = await twoProcesses()
    for (const round of ["first", "second", "third"]) {
      const request = { ...order(shop, round), once: randomUUID() }
      const answers = await Promise.all(
        times(50, (n) => call(n % 2 === 0 ? one : two, "buyer", request)),
      )
      const whole = answers.filter(({ status }) => status === 201)
      const others = answers.filter(({ status }) => status !== 201)
      expect(whole.length).toBeGreaterThan(0)
      expect(new Set(whole.map(({ text }) => text)).size).toBe(1)
      const refused = others.map((answer) => [said(answer), answer.headers.get("retry-after")])
      expect(refused).toEqual(others.map(() => ["409 IDEMPOTENCY_KEY_IN_PROGRESS", "1"]))
      const again = await call(two, "buyer", request)
      expect([again.status, again.text]).toEqual([201, whole[0]?.text])
      expect(again.headers.get("idempotent-replayed")).toBe("true")
    }
    expect(await readAccounts(database)).toHaveLength(3)
  })

  test(
    "capture, void and expiry have one winner",
    { timeout: 180_000 + 1_000 * ROUNDS },
    async ({ annotate }) => {
      const { database, one, received, shop, two } = await twoProcesses()
      const services = [one, two]
      const answers = new Map<string, ReadonlyArray<readonly [call: string, answer: string]>>()

      for (let first = 0; first < ROUNDS; first += BATCH) {
        const count = Math.min(BATCH, ROUNDS - first)
        const intents = await Promise.all(
          times(count, async (n) => ({
            n,
            ...(await authorized(services[n % 2] ?? one, shop, `payment ${first + n}`)),
          })),
        )
        // Moves the clock to a few seconds before the expiry, and waits for the rest.
        const left = Math.min(
          ...intents.map(({ ahead, expiresAt }) => expiresAt - ahead - Date.now()),
        )
        const ahead = await advance(one, Math.floor(left / 1_000) - 3)

        const byClock = (first / BATCH) % 2 === 0
        const start = Date.now() + 800
        const advancing = byClock ? undefined : wait(start).then(() => advance(two, 10))
        const raced = intents.map(async ({ expiresAt, id, n }) => {
          // A third well before the payment's time is over, the others from before to after it.
          const moment = byClock ? expiresAt - ahead : start + 40
          const shift = n % 3 === 0 ? -250 : (n / BATCH) * 90 - 65
          answers.set(id, await raceFor(services, id, n, moment + shift))
        })
        await Promise.all([...raced, advancing])
        // Within half a second every process knows the time.
        await wait(Date.now() + 600)
      }

      await advance(one, 1_000)
      const all = await atRest(database)
      expect(all).toHaveLength(ROUNDS)
      expect(all.flatMap(disagreements)).toEqual([])
      const wrong = all.flatMap(({ id, status }) =>
        (answers.get(id) ?? [])
          .filter(([name, answer]) => !ANSWERS[status]?.[name]?.test(answer))
          .map(([name, answer]) => `${id} ended ${status}, and a ${name} was told ${answer}`),
      )
      expect(wrong).toEqual([])
      // The receiver got every final state once, and nothing else.
      const told = new Map(received.map(({ data, type }) => [data.id, type]))
      expect(new Set(received.map(({ data, type }) => `${data.id} ${type}`)).size).toBe(ROUNDS)
      expect(told.size).toBe(ROUNDS)

      const won = Object.keys(ANSWERS).map(
        (status) => [status, all.filter((accounts) => accounts.status === status).length] as const,
      )
      await annotate(won.map(([status, rounds]) => `${rounds} ${status}`).join(", "))
      expect(won.filter(([, rounds]) => rounds === 0)).toEqual([])
    },
  )
})
