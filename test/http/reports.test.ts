import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openRuns } from "../../core/reports/openRuns.ts"
import { activeService, ADMIN_KEY, type App, authorizedPayment, startApp } from "../support/app.ts"
import { documentOf, undocumented } from "../support/documented.ts"

const PATH = "/v1/reports/reconciliation"

let app: App
let document: Awaited<ReturnType<typeof documentOf>>
let service: string
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  document = await documentOf(app)
  service = await activeService(app, { name: "To be paid" })
  await app.run(openRuns())
  await app.run(openRuns())
})
afterAll(() => app.stop())

type Fields = { readonly [field: string]: unknown }

const advance = async (seconds: number): Promise<string> => {
  const { json } = await app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds } })
  return String(json["now"])
}

/** Moves the clock to noon of the next day, after the daily runs. */
const toNextNoon = async (now: string) => {
  const second = Math.floor(Date.parse(now) / 1_000)
  return advance(86_400 - (second % 86_400) + 43_200)
}

const faults = (said: object) =>
  app.call("PUT", "/v1/sandbox/channels/wallet_a/faults", { body: said })

const paid = async (value: number): Promise<string> => {
  const id = await authorizedPayment(app, service, value)
  await app.call("POST", `/v1/payment-intents/${id}/capture`)
  await advance(3)
  return id
}

const report = async (from: string, to = from, said = {}) =>
  app.call("GET", `${PATH}?from=${from}&to=${to}`, said)

const runs = async (day: string): Promise<ReadonlyArray<Fields>> => {
  const { json } = await app.call("GET", `${PATH}/runs?from=${day}&to=${day}`, { key: ADMIN_KEY })
  return json["data"] as ReadonlyArray<Fields>
}

describe("the reconciliation report over HTTP", () => {
  test("tells of a statement that drops and changes lines, until it is whole again", async () => {
    const start = await toNextNoon(await advance(1))
    const day = start.slice(0, 10)
    const id = await paid(500)
    await advance(60)
    const before = await report(day)
    expect(before.json).toMatchObject({
      rows: [
        {
          date: day,
          channel: "wallet_a",
          currency: "USD",
          payments: 1,
          gross: 500,
          refunds: 0,
          service_fees: 2,
          fx_spread: 0,
          channel_fees: 3,
          net: 495,
        },
      ],
      totals: [{ currency: "USD", payments: 1, gross: 500, net: 495 }],
      discrepancies: [],
      pending_days: [day],
    })

    await faults({ statement_drops: true })
    await toNextNoon(start)
    const dropped = await report(day)
    expect(dropped.json).toMatchObject({
      discrepancies: [
        {
          kind: "missing_at_channel",
          payment_intent: id,
          channel: "wallet_a",
          expected: "5.00 USD",
        },
      ],
      pending_days: [],
    })

    await faults({ statement_drops: false, statement_changes: true })
    await advance(86_400)
    expect((await report(day)).json["discrepancies"]).toMatchObject([
      {
        kind: "amount_mismatch",
        payment_intent: id,
        channel: "wallet_a",
        expected: "5.00 USD",
        actual: "5.01 USD",
      },
    ])

    await faults({ statement_changes: false })
    await advance(86_400)
    expect((await report(day)).json).toMatchObject({ discrepancies: [], pending_days: [] })

    const listed = await runs(day)
    expect(listed.find(({ channel }) => channel === "wallet_a")).toMatchObject({
      date: day,
      runs: 3,
      failure: null,
      result: { lines: 1, booked: 1, discrepancies: 0, unknown: 0 },
    })
  })

  test("is CSV for those who ask for it", async () => {
    const day = (await advance(1)).slice(0, 10)
    const id = await paid(500)
    const csv = await report(day, day, { headers: { accept: "text/csv" } })
    expect(csv.status).toBe(200)
    expect(csv.headers.get("content-type")).toContain("text/csv")
    expect(csv.text.split("\r\n")[1]).toBe(`row,${day},wallet_a,USD,1,500,0,2,0,3,495,,,,,`)
    for (const accept of [
      "*/*",
      "application/json",
      "application/json, text/csv;q=0.5",
      "text/csv;q=0",
    ]) {
      const json = await report(day, day, { headers: { accept } })
      expect(json.json["from"], accept).toBe(day)
    }
    expect(id).toMatch(/^pi_/)
  })

  test("asks a channel that is down again later", async () => {
    const start = await toNextNoon(await advance(1))
    const day = start.slice(0, 10)
    await paid(300)
    await advance(60)
    await faults({ down: true })
    await advance(86_400)
    const down = (await runs(day)).find(({ channel }) => channel === "wallet_a")
    expect(down).toMatchObject({ runs: 0, completed_at: null, result: null })
    expect(Number(down?.["failed_attempts"])).toBeGreaterThan(3)
    expect((await report(day)).json["pending_days"]).toStrictEqual([day])
    await faults({ down: false })
    await advance(7 * 3_600)
    expect((await report(day)).json).toMatchObject({ pending_days: [], discrepancies: [] })
  })

  test("is the account's own, and the runs are the operator's", async () => {
    const day = (await advance(1)).slice(0, 10)
    const from = new Date(Date.parse(day) - 80 * 86_400_000).toISOString().slice(0, 10)
    const other = await report(from, day, { key: app.buyer.api_key.key })
    expect(other.json).toMatchObject({ rows: [], totals: [], discrepancies: [] })
    expect((await report(day, day, { key: null })).status).toBe(401)
    const path = `${PATH}/runs?from=${day}&to=${day}`
    expect((await app.call("GET", path)).status).toBe(401)
    expect((await app.call("GET", path, { key: null })).status).toBe(401)
  })

  test("refuses periods that are none", async () => {
    const bad: ReadonlyArray<readonly [query: string, field: string]> = [
      ["", "from"],
      ["from=2026-01-01", "to"],
      ["to=2026-01-01", "from"],
      ["from=2026-02-30&to=2026-03-01", "from"],
      ["from=2026-01-01T00:00:00Z&to=2026-01-02", "from"],
      ["from=20260101&to=2026-01-02", "from"],
      ["from=2026-01-02&to=2026-01-01", "to"],
      ["from=2026-01-01&to=2026-04-03", "to"],
      ["from=0000-01-01&to=9999-12-31", "to"],
      ["from=2026-01-01&to=2026-01-02&channel=wallet_a", "channel"],
      ["from=2026-01-01&from=2026-01-01&to=2026-01-02", "from"],
      ["from=-026-01-01&to=2026-01-02", "from"],
    ]
    for (const [query, field] of bad) {
      const answer = await app.call("GET", `${PATH}?${query}`)
      expect(answer.status, query).toBe(400)
      expect(answer.json["code"], query).toBe("INVALID_QUERY")
      expect(answer.text, query).toContain(field)
      expect(undocumented(document, "get", PATH, answer), query).toBeUndefined()
      const asked = await app.call("GET", `${PATH}/runs?${query}`, { key: ADMIN_KEY })
      expect(asked.status, query).toBe(400)
    }
    expect((await report("2026-01-01", "2026-04-02")).status).toBe(200)
  })

  test("tells nothing of payments whose books a reset has closed", async () => {
    const start = await toNextNoon(await advance(1))
    const day = start.slice(0, 10)
    const id = await paid(500)
    await faults({ statement_drops: true })
    await toNextNoon(start)
    expect((await report(day)).json["discrepancies"]).toMatchObject([{ payment_intent: id }])
    await app.call("POST", "/v1/sandbox/reset", { body: {} })
    await advance(86_400)
    expect((await report(day)).json).toMatchObject({ rows: [], discrepancies: [] })
    await faults({ statement_drops: false })
  })
})
