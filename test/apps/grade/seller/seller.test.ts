import { HTTPFacilitatorClient, x402ResourceServer } from "@x402/core/server"
import { paymentMiddleware } from "@x402/express"
import express, { type RequestHandler } from "express"
import { createServer } from "node:http"
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest"
import { requirePayment, x402Facilitator, x402Server } from "../../../../adapters/http/paid/402.ts"
import { SELLER_CHECKS, sellerGrader } from "../../../../apps/grade/seller/grader.ts"
import { activeService, type App, startApp } from "../../../support/app.ts"
import { sourceText } from "../../../support/sourceFiles.ts"
import { startProxy } from "../../simulate/flawedProxy.ts"
import { gradeAs, namesOf } from "../grade.ts"
import { serve } from "../serve.ts"
import { MUTANTS, puttingOff, UNSEEN } from "./mutants.ts"
import { serveSeller } from "./subject.ts"

let app: App
let service: string
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  service = await activeService(app)
})
afterAll(() => app.stop())

const settles = () => ({ url: app.url, key: app.seller.api_key.key, service })

const grade = (url: string, ...args: ReadonlyArray<string>) => {
  const buyer = ["--payport", app.url, "--key", app.buyer.api_key.key]
  const seller = ["--seller-key", app.seller.api_key.key]
  return gradeAs(sellerGrader, url, ...buyer, ...seller, ...args)
}

/** A shop with our own 402, and its URL. */
const ownShop = async () => {
  const shop = express()
  const paywall = (value: number) =>
    requirePayment({
      payport: { baseUrl: app.url, apiKey: app.seller.api_key.key },
      service,
      amount: { currency: "USD", value },
      rates: { perClient: 1_000, inAll: 1_000 },
    }).node as RequestHandler
  shop.get("/reports/7", paywall(25), (_, response) => void response.json({ report: "seven" }))
  shop.get("/reports/8", paywall(24), (_, response) => void response.json({ report: "eight" }))
  return serve(createServer(shop))
}

describe("a seller that is right", () => {
  test("passes every check", async () => {
    const checks = await grade(`${await serveSeller(settles(), {})}/reports/7`)
    expect(checks.filter(({ verdict }) => verdict.outcome === "failed")).toEqual([])
    expect(namesOf(checks, "not_judged")).toEqual(["other-payee"])
  }, 120_000)

  test("leaves its channel working when the run ends while the channel is silent", async () => {
    const ending = new AbortController()
    const sandbox = await startProxy(
      () => app.url,
      async (passing, pass) => {
        const answer = await pass(passing)
        if (passing.body.includes('"timeout":true')) ending.abort()
        return answer
      },
    )
    onTestFinished(sandbox.close)
    const keys = ["--key", app.buyer.api_key.key, "--seller-key", app.seller.api_key.key]
    const url = `${await serveSeller(settles(), {})}/reports/7`
    const prepared = sellerGrader.read([url, "--payport", sandbox.url, ...keys])
    expect((await prepared?.grade(() => undefined, ending.signal))?.cut_off).toBe(true)
    const { text } = await app.call("GET", "/v1/sandbox/channels")
    expect(text).toContain('"timeout":false')
    expect(text).not.toContain('"timeout":true')
  }, 60_000)

  test("is not judged by payments that nobody makes", async () => {
    const url = `${await serveSeller(settles(), {})}/reports/7`
    const checks = await gradeAs(sellerGrader, url)
    expect(namesOf(checks, "failed")).toEqual([])
    expect(namesOf(checks, "passed")).toEqual([
      "asks",
      "terms",
      "same-terms",
      "malformed",
      "forged",
    ])
  })

  test("passes where it puts proofs off, which are shown again", async () => {
    const url = `${await serveSeller(settles(), { putsOff: puttingOff() })}/reports/7`
    const checks = await grade(url)
    expect(checks.filter(({ verdict }) => verdict.outcome === "failed")).toEqual([])
    expect(namesOf(checks, "not_judged")).toEqual(["race", "other-payee"])
  }, 120_000)

  test("is not judged by a body that may be anywhere", async () => {
    const parts = { report: () => "true", unpaidBody: () => '{"discoverable":true}' }
    const checks = await grade(`${await serveSeller(settles(), parts)}/reports/7`)
    expect(namesOf(checks, "failed")).toEqual([])
    expect(namesOf(checks, "not_judged")).toEqual(["hidden", "other-payee"])
  })

  test("is not judged by what a limit of requests hides", async () => {
    const url = `${await serveSeller(settles(), { putsOff: () => 3_600 })}/reports/7`
    const checks = await gradeAs(sellerGrader, url)
    expect(namesOf(checks, "failed")).toEqual([])
    expect(namesOf(checks, "passed")).toEqual(["asks", "terms", "same-terms"])
  })

  test("our own 402 passes", async () => {
    const url = await ownShop()
    const checks = await grade(`${url}/reports/7`, "--other", `${url}/reports/8`)
    expect(checks.filter(({ verdict }) => verdict.outcome === "failed")).toEqual([])
    const silent = ["told", "taken", "less", "other-payee"]
    expect(namesOf(checks, "not_judged")).toEqual(silent)
  }, 120_000)

  test("our own 402 passes where the sandbox finds out while it waits", async () => {
    const url = await ownShop()
    const advance = () =>
      app.call("POST", "/v1/sandbox/clock/advance", {
        key: app.seller.api_key.key,
        body: { seconds: 2 },
      })
    const working = setInterval(() => void advance(), 500)
    onTestFinished(() => clearInterval(working))
    const checks = await grade(`${url}/reports/7`)
    expect(checks.filter(({ verdict }) => verdict.outcome === "failed")).toEqual([])
    expect(namesOf(checks, "passed")).toContain("unknown-outcome")
  }, 120_000)
})

/** Another team's seller, `@x402/express` as it comes. */
const x402Shop = async (facilitator: ConstructorParameters<typeof x402ResourceServer>[0]) => {
  const accepts = { scheme: "exact", network: "payport:sandbox", payTo: service, price: "$0.25" }
  const server = new x402ResourceServer(facilitator).register("payport:*", x402Server())
  const shop = express()
  const routes = { "GET /reports/:id": { accepts, description: "Report" } } as const
  shop.use(paymentMiddleware(routes as never, server))
  shop.get("/reports/:id", ({ params }, response) => void response.json({ report: params.id }))
  return `${await serve(createServer(shop))}/reports/7`
}

describe("@x402/express", () => {
  beforeEach(() => {
    const saying = vi.spyOn(console, "warn").mockImplementation(() => undefined)
    const failing = vi.spyOn(console, "error").mockImplementation(() => undefined)
    return () => [saying, failing].forEach((spy) => spy.mockRestore())
  })

  test("passes with our facilitator's client", async () => {
    const facilitator = x402Facilitator({ baseUrl: app.url, apiKey: app.seller.api_key.key })
    const checks = await grade(await x402Shop(facilitator))
    expect(checks.filter(({ verdict }) => verdict.outcome === "failed")).toEqual([])
  }, 120_000)

  test("serves several at once who show one payment, with its own", async () => {
    const headers = { Authorization: `Bearer ${app.seller.api_key.key}` }
    const createAuthHeaders = () => Promise.resolve({ verify: headers, settle: headers })
    const url = `${app.url}/v1/x402`
    const checks = await grade(
      await x402Shop(new HTTPFacilitatorClient({ url, createAuthHeaders })),
    )
    expect(namesOf(checks, "failed")).toEqual(["race"])
  }, 120_000)
})

describe("a seller with a bug", () => {
  test.each(MUTANTS)(
    "that $name is named",
    async ({ named, parts }) => {
      const url = `${await serveSeller(settles(), parts())}/reports/7`
      const checks = await grade(url)
      expect(namesOf(checks, "failed")).toEqual(expect.arrayContaining([...named]))
    },
    120_000,
  )

  test.each(UNSEEN)(
    "that $name is not seen",
    async ({ parts }) => {
      const checks = await grade(`${await serveSeller(settles(), parts())}/reports/7`)
      expect(namesOf(checks, "failed")).toEqual([])
    },
    120_000,
  )

  test("is named as often as the README says", async () => {
    const all = MUTANTS.length + UNSEEN.length
    const said = `| \`seller\` | ${SELLER_CHECKS.length} | ${MUTANTS.length} of ${all} |`
    expect(await sourceText("apps/grade/README.md")).toContain(said)
  })
})
