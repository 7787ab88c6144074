import type { ServerResponse } from "node:http"
import { afterAll, expect, test } from "vitest"
import { requirePayment } from "../../../../adapters/http/paid/402.ts"
import { Listening } from "../../../support/listening.ts"

const ID = "pi_01997d3e-8a00-7000-8000-000000000010"
const HEADERS = { "x-payment-intent": ID, "x-payment-token": "t".repeat(43) }

const servers = new Listening()
afterAll(() => servers.close())

const answer = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { "Content-Type": "application/json" })
  response.end(JSON.stringify(body))
}

const failure = (response: ServerResponse, code: string, status: number): void =>
  answer(response, status, { error: "failed", code, message: "It failed." })

/**
 * A service that redeems each proof once, and repeats the answer under the same idempotency key.
 * The first answers are those that are given.
 */
const paywallAt = async (...first: ReadonlyArray<(response: ServerResponse) => void>) => {
  const left = [...first]
  const keys: Array<unknown> = []
  const url = await servers.open(async (request, response) => {
    if (request.method === "GET") return answer(response, 200, { id: ID, status: "captured" })
    const key = request.headers["idempotency-key"]
    keys.push(key)
    const lose = left.shift()
    if (lose !== undefined) return lose(response)
    if (key !== keys[0]) return failure(response, "PAYMENT_PROOF_USED", 403)
    return answer(response, 200, {
      payment_intent: ID,
      payer: "agent",
      resource: "GET /",
      redeemed_at: new Date().toISOString(),
      repeated: false,
      valid_until: null,
      capture_before: null,
    })
  })
  const { check } = requirePayment({
    payport: { baseUrl: url, apiKey: "k" },
    service: "s",
    amount: { currency: "USD", value: 25 },
  })
  const pass = async () => {
    const verdict = await check({ method: "GET", url: "https://shop.example/", headers: HEADERS })
    return verdict.paid ? 200 : verdict.status
  }
  return { keys, pass }
}

const broken = (response: ServerResponse) => failure(response, "INTERNAL_ERROR", 500)
const proxy = (response: ServerResponse) => void response.writeHead(500).end("<html>")

test.each([
  ["an error of the service", broken],
  ["an answer of a proxy", proxy],
])("a proof whose redemption was lost behind %s passes once", async (_, lost) => {
  const { keys, pass } = await paywallAt(lost, lost)
  expect([await pass(), await pass()]).toEqual([503, 503])
  const concurrent = await Promise.all([pass(), pass(), pass()])
  expect(concurrent.filter((status) => status === 200)).toHaveLength(1)
  expect(await pass()).not.toBe(200)
  expect(keys.slice(0, 3).every((key) => key === keys[0])).toBe(true)
})

test("a proof that was refused is judged anew", async () => {
  const refused = (response: ServerResponse) => failure(response, "PAYMENT_UNRESOLVED", 409)
  const { keys, pass } = await paywallAt(refused)
  expect(await pass()).toBe(409)
  await pass()
  expect(keys[1]).not.toBe(keys[0])
})
