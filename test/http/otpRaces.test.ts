import { Effect, Exit, Scope } from "effect"
import { expect, onTestFinished, test } from "vitest"
import { type Running, startOn, temporaryFolder } from "../apps/server/service.ts"
import { askDatabase, urlOf } from "../support/askDatabase.ts"
import { testDatabase } from "../support/postgres.ts"
import { call } from "../support/shop.ts"

/** Two processes of the service on one database. */
const twoProcesses = async () => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const database = await Effect.runPromise(Scope.provide(testDatabase, scope))
  const folder = await temporaryFolder()
  const start = () => startOn(folder, { PAYPORT_DATABASE_URL: urlOf(database) })
  const [one, two] = await Promise.all([start(), start()])
  return { database, services: [one, two] as const }
}

const CONTACT = { email: "planted@example.com", phone: "+14155550177" }

const verify = (service: Running, body: object) =>
  call(service, "buyer", { path: "/v1/kyc/verify", body })

const submit = (service: Running, agent_id: string, data: object = CONTACT) =>
  verify(service, { agent_id, level: "basic", data })

test("of 50 guesses at two processes five are looked at, of 20 codes five are sent", async () => {
  const { database, services } = await twoProcesses()
  const at = (n: number) => services[n % 2] ?? services[0]
  const first = await submit(services[0], "guessed")
  const verification_id = first.body["verification_id"]
  const inbox = await call(services[1], "buyer", {
    method: "GET",
    path: `/v1/sandbox/messages?verification_id=${String(verification_id)}`,
  })
  const [message] = inbox.body["data"] as ReadonlyArray<{ readonly text: string }>
  const otp = message?.text.slice(0, 6) ?? ""
  const wrong = otp === "000000" ? "111111" : "000000"
  const guesses = await Promise.all(
    Array.from({ length: 50 }, (_, n) => verify(at(n), { verification_id, otp: wrong })),
  )
  expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([401]))
  const left = guesses.map(({ body }) => {
    const { details } = body["error"] as {
      readonly details: { readonly attempts_remaining: number }
    }
    return details.attempts_remaining
  })
  expect(left.filter((n) => n > 0).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4])
  const [row] = await askDatabase(database, "SELECT challenge->>'attempts' AS n FROM verifications")
  expect(row?.["n"]).toBe("5")
  expect((await verify(services[0], { verification_id, otp })).status).toBe(401)

  const other = { email: "other@example.com", phone: "+14155550178" }
  const asked = await Promise.all(
    Array.from({ length: 20 }, (_, n) => submit(at(n), `agent ${n}`, other)),
  )
  // Requests that had too many conflicts are told to retry, and send no code.
  expect(asked.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(5)
  expect(asked.every(({ status }) => [201, 429, 503].includes(status))).toBe(true)
  const sent = await askDatabase(
    database,
    "SELECT count(*)::int AS n FROM documents WHERE scope = 'sandbox_messages'",
  )
  expect(Number(sent[0]?.["n"])).toBeLessThanOrEqual(2 + 10)

  const tables = await askDatabase(
    database,
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
  )
  for (const { tablename } of tables) {
    const rows = await askDatabase(database, `SELECT t::text AS row FROM ${String(tablename)} AS t`)
    const text = rows.map(({ row: line }) => String(line)).join("\n")
    for (const planted of [...Object.values(CONTACT), ...Object.values(other)]) {
      expect(text.includes(planted), `${planted} in ${String(tablename)}`).toBe(false)
    }
  }
  const log = services.map((service) => service.stdout() + service.stderr()).join("\n")
  for (const planted of [...Object.values(CONTACT), otp]) {
    expect(log).not.toMatch(new RegExp(`(?<!\\d)${planted.replaceAll(/[.+]/g, "\\$&")}(?!\\d)`))
  }
}, 180_000)
