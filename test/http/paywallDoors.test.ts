import express from "express"
import Fastify from "fastify"
import { Hono } from "hono"
import { createRequire } from "node:module"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { payingFetch, sandboxWallet } from "../../adapters/http/client/entry.ts"
import { type PaymentTerms, type Paywall, requirePayment } from "../../adapters/http/paid/402.ts"
import { activeService, type App, startApp } from "../support/app.ts"
import { Listening } from "../support/listening.ts"

const express4 = createRequire(import.meta.url)("express4") as typeof express

const listening = new Listening()
const stops: Array<() => Promise<unknown>> = []
let app: App
let service: string
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  service = await activeService(app)
})
afterAll(async () => {
  for (const stop of stops) await stop()
  await listening.close()
  await app.stop()
})

const paywallOf = (said: Partial<PaymentTerms> = {}): Paywall =>
  requirePayment({
    payport: { baseUrl: app.url, apiKey: app.seller.api_key.key },
    service,
    amount: { currency: "USD", value: 25 },
    ...said,
  })

/** A server that sells a paper, and how to send it requests. */
interface Server {
  readonly url: string
  readonly send: (request: Request) => Promise<Response>
}

const over = (origin: string): Server => ({ url: `${origin}/sold/paper`, send: fetch })

const within = (answer: (request: Request) => Promise<Response>): Server => ({
  url: "https://sold.test/sold/paper",
  send: answer,
})

const ofExpress = (make: typeof express) => async (paywall: Paywall) => {
  const made = make()
  made.set("env", "test")
  made.use("/sold", paywall.node)
  made.get("/sold/paper", (_, response) => void response.json(response.locals["payment"]))
  return over(await listening.open((request, response) => void made(request, response)))
}

const SERVERS: { readonly [name: string]: (paywall: Paywall) => Promise<Server> } = {
  "Express 5": ofExpress(express),
  "Express 4": ofExpress(express4),
  Fastify: async (paywall) => {
    const made = Fastify()
    made.get(
      "/sold/paper",
      { onRequest: (request, reply, next) => paywall.node(request.raw, reply.raw, () => next()) },
      () => ({ payment_intent: "told by headers", repeated: false, valid_until: null }),
    )
    stops.push(() => made.close())
    return over(await made.listen({ host: "127.0.0.1", port: 0 }))
  },
  "node alone": async (paywall) =>
    over(
      await listening.open((request, response) =>
        paywall.node(request, response, () => response.end(JSON.stringify({ repeated: false }))),
      ),
    ),
  Hono: async (paywall) => {
    const made = new Hono().get("/sold/paper", (context) =>
      paywall.fetch(context.req.raw, (payment) => Response.json(payment)),
    )
    return within(async (request) => made.fetch(request))
  },
  "a worker": async (paywall) =>
    within((request) => {
      // The headers of another server's response cannot be changed.
      const upstream = async (payment: object) => {
        const answer = await fetch(`data:application/json,${JSON.stringify(payment)}`)
        expect(() => answer.headers.set("a", "b")).toThrow(TypeError)
        return answer
      }
      return paywall.fetch(request, upstream, "203.0.113.7")
    }),
}

describe.each(Object.keys(SERVERS))("a price on a route of %s", (name) => {
  test("is asked for, and what is paid for is served once", async () => {
    const { send, url } = (await SERVERS[name]?.(paywallOf())) ?? expect.unreachable()
    const asked = await send(new Request(url))
    expect([asked.status, asked.headers.get("cache-control")]).toEqual([402, "no-store"])
    expect(asked.headers.get("content-type")).toBe("application/json; charset=utf-8")
    expect(asked.headers.get("x-payment-amount")).toBe("25 USD")
    expect(await asked.json()).toMatchObject({ payment_intent: { token: expect.any(String) } })

    const wallet = sandboxWallet({ baseUrl: app.url, apiKey: app.buyer.api_key.key })
    const budget = { currency: "USD", perCall: 25, total: 25 }
    const sent: Array<Headers> = []
    const noting: typeof fetch = (input, init) => {
      const request = new Request(input, init)
      sent.push(request.headers)
      return send(request)
    }
    const paying = payingFetch(noting, wallet, { budget, hosts: [new URL(url).host] })
    const paid = await paying(url)
    expect([paid.status, paid.headers.get("cache-control")]).toEqual([200, "private"])
    expect(await paid.json()).toMatchObject({ repeated: false })
    expect(paying.spent().value).toBe(25)
    // The same proof again is asked to pay anew.
    const again = await send(new Request(url, { headers: sent.at(-1) ?? {} }))
    expect([again.status, (await again.json()) as object]).toEqual([
      402,
      expect.objectContaining({ code: "PAYMENT_PROOF_USED" }),
    ])
  })
})

test.each(["Express 5", "Express 4"])("%s is told of terms that throw", async (name) => {
  const paywall = paywallOf({
    amount: () => {
      throw new Error("no price today")
    },
    report: () => {
      throw new Error("nobody listens")
    },
  })
  const { send, url } = (await SERVERS[name]?.(paywall)) ?? expect.unreachable()
  expect((await send(new Request(url))).status).toBe(500)
})
