import { Effect, Exit, Scope } from "effect"
import { expect, onTestFinished, test } from "vitest"
import { type Running, startOn, temporaryFolder } from "../apps/server/service.ts"
import { askDatabase, urlOf } from "../support/askDatabase.ts"
import { testDatabase } from "../support/postgres.ts"

const ADMIN_KEY = "the-operator-of-the-rate-limits"

/** Two processes of the service on one database, with an account on that plan. */
const twoProcesses = async (plan: "starter" | "pro") => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const database = await Effect.runPromise(Scope.provide(testDatabase, scope))
  const folder = await temporaryFolder()
  const settings = { PAYPORT_DATABASE_URL: urlOf(database), PAYPORT_ADMIN_KEY: ADMIN_KEY }
  const [one, two] = await Promise.all([startOn(folder, settings), startOn(folder, settings)])
  const opened = await fetch(`${one.url}/v1/accounts`, {
    method: "POST",
    headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "Limited", kind: "seller", agent_id: "limited", plan }),
  })
  const { api_key } = (await opened.json()) as { readonly api_key: { readonly key: string } }
  return { database, services: [one, two] as const, key: api_key.key }
}

const ask = async (
  service: Running,
  key: string,
  path = "/v1/channels",
  said: { readonly method?: string; readonly body?: string } = {},
) => {
  const answer = await fetch(service.url + path, {
    ...said,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
  })
  return { status: answer.status, headers: answer.headers, body: await answer.text() }
}

type Answer = Awaited<ReturnType<typeof ask>>

const number = ({ headers }: Answer, name: string): number => Number(headers.get(name) ?? NaN)

/** Moves the service's clock to the next minute, at both processes. */
const nextWindow = async ([one, two]: readonly [Running, Running]) => {
  const seconds = number(await ask(one, one.sellerKey), "ratelimit-reset")
  for (const [service, by] of [[one, seconds] as const, [two, 1] as const]) {
    const body = JSON.stringify({ seconds: by })
    await ask(service, service.sellerKey, "/v1/sandbox/clock/advance", { method: "POST", body })
  }
}

const burst = async (
  services: readonly [Running, Running],
  key: string,
  count: number,
  at: (n: number) => 0 | 1,
) => {
  const answers: Array<Answer> = []
  const next = Array.from({ length: count }, (_, n) => services[at(n)])
  const hand = async () => {
    for (let service = next.pop(); service !== undefined; service = next.pop()) {
      answers.push(await ask(service, key))
    }
  }
  await Promise.all(Array.from({ length: 16 }, hand))
  return answers
}

const accepted = (answers: ReadonlyArray<Answer>): number =>
  answers.filter(({ status }) => status === 200).length

test("two processes accept no more than the plan allows, and nearly all of that", async () => {
  const { database, key, services } = await twoProcesses("starter")
  const patterns: ReadonlyArray<(n: number) => 0 | 1> = [
    (n) => (n % 2 === 0 ? 0 : 1),
    (n) => (n % 10 === 0 ? 1 : 0),
    (n) => (n < 90 ? 0 : 1),
  ]
  for (const at of patterns) {
    await nextWindow(services)
    const answers = await burst(services, key, 180, at)
    expect(accepted(answers)).toBeLessThanOrEqual(100)
    expect(accepted(answers)).toBeGreaterThanOrEqual(95)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]))
    for (const answer of refused) {
      expect(JSON.parse(answer.body)).toMatchObject({
        error: "rate_limited",
        code: "RATE_LIMIT_EXCEEDED",
      })
      expect(number(answer, "ratelimit-remaining")).toBe(0)
      expect(number(answer, "retry-after")).toBe(number(answer, "ratelimit-reset"))
    }
    for (const answer of answers) {
      expect(number(answer, "ratelimit-limit")).toBe(100)
      expect(number(answer, "ratelimit-reset")).toBeGreaterThan(0)
      expect(number(answer, "ratelimit-reset")).toBeLessThanOrEqual(60)
    }
  }
  // No account has taken more than its limit.
  const [over] = await askDatabase(
    database,
    "SELECT count(*)::int AS n FROM rate_windows WHERE taken > most",
  )
  expect(over?.["n"]).toBe(0)
}, 120_000)

test("strangers spend nothing of an account's, and its captures have a fifth more", async () => {
  const { key, services } = await twoProcesses("starter")
  await nextWindow(services)
  const guessed = `${key.slice(0, -4)}aaaa`
  // As many wrong keys as an address may send to two processes before they are slowed.
  const flood = await burst(services, guessed, 90, (n) => (n % 2 === 0 ? 0 : 1))
  expect(new Set(flood.map(({ status }) => status))).toEqual(new Set([401]))
  expect(flood[0]?.headers.get("ratelimit-limit")).toBeNull()
  expect(number(await ask(services[0], key), "ratelimit-remaining")).toBe(99)

  await burst(services, key, 150, (n) => (n % 2 === 0 ? 0 : 1))
  expect((await ask(services[0], key)).status).toBe(429)
  const capture = (service: Running) =>
    ask(service, key, "/v1/payment-intents/pi_019b7726-0000-7000-8000-000000000001/capture", {
      method: "POST",
    })
  const captures: Array<Answer> = []
  for (let n = 0; n < 24; n++) captures.push(await capture(services[n % 2 === 0 ? 0 : 1]))
  expect(captures.filter(({ status }) => status === 404)).toHaveLength(20)
  expect(captures.filter(({ status }) => status === 429)).toHaveLength(4)
  const refused = captures.find(({ status }) => status === 429)
  expect(refused && number(refused, "ratelimit-limit")).toBe(20)
}, 120_000)
