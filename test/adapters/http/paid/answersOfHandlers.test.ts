import { once } from "node:events"
import { get, type IncomingMessage } from "node:http"
import { text } from "node:stream/consumers"
import express from "express"
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest"
import {
  CaptureFailed,
  type ChallengeClient,
  type PaymentTerms,
  requirePayment,
} from "../../../../adapters/http/paid/402.ts"
import type { PaymentRedemption } from "../../../../adapters/http/client/Resources.ts"
import { Listening } from "../../../support/listening.ts"

const MOST = 25
const ID = "pi_01997d3e-8a00-7000-8000-000000000010"
const SCHEMES = { at_once: "payport", used: "upto" } as const

const redemption = (): PaymentRedemption => ({
  payment_intent: ID,
  payer: "agent",
  resource: "GET /",
  redeemed_at: new Date().toISOString(),
  repeated: false,
  valid_until: null,
  capture_before: new Date(Date.now() + 600_000).toISOString(),
})

const signatureFor = (capture: keyof typeof SCHEMES): string =>
  btoa(
    JSON.stringify({
      x402Version: 2,
      accepted: { scheme: SCHEMES[capture], network: "payport:sandbox" },
      payload: { payment_intent: ID, token: "t".repeat(43) },
    }),
  )

/** A service that redeems every proof, and records what is settled. */
const service = (settle: () => Promise<void> = () => Promise.resolve()) => {
  const settled: Array<number> = []
  const client: ChallengeClient = {
    open: () => Promise.reject(new Error("nothing is opened")),
    redeem: () => Promise.resolve(redemption()),
    settle: async (_, { value }) => {
      // The answer waits for this.
      await new Promise((resolve) => {
        setTimeout(resolve, 20)
      })
      await settle()
      settled.push(value)
    },
    network: () => Promise.resolve("payport:sandbox"),
  }
  return { client, settled }
}

const servers = new Listening()
afterAll(() => servers.close())

/** Serves by a handler of Express, and returns the answer to a paid request. */
const served = async (
  payport: ChallengeClient,
  handle: express.Handler,
  said: Partial<PaymentTerms> & { readonly capture: keyof typeof SCHEMES } = { capture: "used" },
) => {
  const shop = express()
  shop.set("env", "test")
  const { node } = requirePayment({
    payport,
    service: "s",
    amount: { currency: "USD", value: MOST },
    ...said,
  })
  shop.get("/", node, handle)
  const url = await servers.open((request, response) => void shop(request, response))
  const asked = get(url, {
    headers: { "PAYMENT-SIGNATURE": signatureFor(said.capture) },
    signal: AbortSignal.timeout(5_000),
  })
  const [response] = (await once(asked, "response")) as [IncomingMessage]
  const told = response.headersDistinct["payment-response"]?.[0] ?? null
  const names = response.rawHeaders.filter((_, n) => n % 2 === 0)
  return { status: response.statusCode, text: await text(response), told, names }
}

test("an answer that waits for its charge keeps the names of its headers", async () => {
  const { client } = service()
  const { names } = await served(client, (_, response) => {
    response.setHeader("X-Paper-ID", "7").end("paper")
  })
  expect(names).toEqual(expect.arrayContaining(["X-Paper-ID", "Cache-Control", "PAYMENT-RESPONSE"]))
})

describe("an answer that waits for its charge is sent as its handler gave it", () => {
  test.each<[string, express.Handler, number, string, number]>([
    [
      "after another answer",
      (_, response) => {
        response.json({ paper: "all that was paid for" })
        response.status(500).json({ n: 1 })
      },
      200,
      '{"paper":"all that was paid for"}',
      MOST,
    ],
    [
      "after another answer to a refusal",
      (_, response) => {
        response.status(400).json({ n: 1 })
        response.status(200).json({ paper: "all that was paid for" })
      },
      400,
      '{"n":1}',
      0,
    ],
    [
      "after a failure",
      (_, response) => {
        response.json({ n: 1 })
        throw new Error("no log today")
      },
      200,
      '{"n":1}',
      MOST,
    ],
    [
      "after a later write",
      (_, response) => {
        response.end("paper")
        response.write(" and more")
        response.writeHead(500)
      },
      200,
      "paper",
      MOST,
    ],
    [
      "with an end that says nothing",
      (_, response) => void response.end(false as unknown as string),
      200,
      "",
      MOST,
    ],
  ])("%s", async (_, handle, status, text, charged) => {
    const { client, settled } = service()
    expect(await served(client, handle)).toMatchObject({ status, text })
    expect(settled).toEqual([charged])
  })

  test.each<[string, express.Handler]>([
    ["a body", (_, response) => void response.end(42 as unknown as string)],
    [
      "a status message",
      (_, response) => {
        response.statusMessage = "付费"
        response.end("paper")
      },
    ],
    [
      "a status",
      (_, response) => {
        response.statusCode = 1_000
        response.end("paper")
      },
    ],
  ])("and %s that Node refuses fails its handler, and is not charged", async (_, handle) => {
    const { client, settled } = service()
    const answer = await served(client, (request, response, next) => {
      try {
        void handle(request, response, next)
      } catch {
        response.statusMessage = ""
        response.status(500).end()
      }
    })
    expect(answer.status).toBe(500)
    expect(settled).toEqual([0])
  })

  test("and one that Node refuses after that breaks off, and the process goes on", async () => {
    const warn = vi.spyOn(process, "emitWarning").mockReturnValue()
    onTestFinished(() => warn.mockRestore())
    const { client } = service()
    const answer = served(client, (_, response) => {
      response.strictContentLength = true
      response.setHeader("Content-Length", 9)
      response.end("paper")
    })
    await expect(answer).rejects.toThrow("socket hang up")
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ code: "ERR_HTTP_CONTENT_LENGTH_MISMATCH" }),
    )
  })
})

test.each<[string, () => Response]>([
  ["none", () => undefined as unknown as Response],
  ["a network error", () => Response.error()],
  [
    "one whose body is being read",
    () => {
      const response = new Response("paper")
      response.body?.getReader()
      return response
    },
  ],
])("a handler of the fetch API is not charged for a Response that is %s", async (_, handle) => {
  const { client: payport, settled } = service()
  const amount = { currency: "USD", value: MOST }
  const { fetch: answer } = requirePayment({ payport, service: "s", amount, capture: "used" })
  const headers = { "PAYMENT-SIGNATURE": signatureFor("used") }
  const request = new Request("https://shop.example/", { headers })
  await expect(answer(request, handle)).rejects.toThrow("no Response, or one that cannot be sent")
  expect(settled).toEqual([0])
})

describe("a paid request is answered", () => {
  test("if neither its capture nor the report of that succeeds", async () => {
    const warn = vi.spyOn(process, "emitWarning").mockReturnValue()
    onTestFinished(() => warn.mockRestore())
    const { client } = service(() => Promise.reject(new Error("down")))
    const report: () => unknown = () => Promise.reject(new Error("nobody listens"))
    const handle: express.Handler = (_, response) => void response.json({ n: 1 })
    for (const one of [report, () => expect.unreachable()]) {
      const answer = await served(client, handle, { capture: "used", report: one })
      expect(answer).toMatchObject({ status: 200, text: '{"n":1}' })
    }
    expect(warn.mock.calls.map(([warning]) => warning)).toEqual([
      expect.any(CaptureFailed),
      expect.any(CaptureFailed),
    ])
  })

  test("while the report of a failed capture has no end", async () => {
    const { client } = service(() => Promise.reject(new Error("down")))
    const report: () => unknown = () => new Promise(() => {})
    const handle: express.Handler = (_, response) => void response.json({ n: 1 })
    const answer = await served(client, handle, { capture: "used", report })
    expect(answer).toMatchObject({ status: 200, text: '{"n":1}' })
  })

  test("without a signature if that takes too long", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    onTestFinished(() => void vi.useRealTimers())
    const { client: payport } = service()
    const sign = () => new Promise<never>(() => {})
    const signer = { format: "jws", kid: "k", algorithm: "EdDSA", sign } as const
    const amount = { currency: "USD", value: MOST }
    const { check } = requirePayment({ payport, service: "s", amount, x402: { signer } })
    const headers = { "payment-signature": signatureFor("at_once") }
    const checked = check({ method: "GET", url: "https://shop.example/", headers })
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await checked).toMatchObject({ paid: true, payment_intent: ID })
  })

  test.each(["at_once", "used"] as const)(
    "without a receipt if it cannot be signed (%s), since its payment is used up",
    async (capture) => {
      const { client, settled } = service()
      const error = new Error("no key today")
      const reported: Array<unknown> = []
      const signer = {
        format: "jws",
        kid: "k",
        algorithm: "EdDSA",
        sign: () => Promise.reject(error),
      } as const
      const answer = await served(client, (_, response) => void response.json({ n: 1 }), {
        capture,
        x402: { signer },
        report: (one) => void reported.push(one),
      })
      expect(answer).toMatchObject({ status: 200, text: '{"n":1}' })
      expect(JSON.parse(atob(answer.told ?? ""))).toMatchObject({ success: true, transaction: ID })
      expect(reported).toContain(error)
      expect(reported.filter((one) => one instanceof CaptureFailed)).toEqual([])
      expect(settled).toEqual(capture === "used" ? [MOST] : [])
    },
  )
})
