import http, { type IncomingMessage, type ServerResponse } from "node:http"
import { pipeline, Readable } from "node:stream"
import express from "express"
import Fastify from "fastify"
import { Hono } from "hono"
import Koa from "koa"
import { afterAll, describe, expect, onTestFinished, test } from "vitest"
import { makeClient } from "../../adapters/http/client/entry.ts"
import {
  CaptureFailed,
  type ChallengeClient,
  type Paid,
  type PaymentTerms,
  requirePayment,
} from "../../adapters/http/paid/402.ts"
import { challengeClient } from "../../adapters/http/paid/ChallengeClient.ts"
import { Listening } from "../support/listening.ts"
import { meteredShops, type MeteredScheme, usd } from "../support/x402Metered.ts"

const MOST = 25
const PATIENCE = { timeout: 30_000, interval: 100 }
const LONG = 60_000

/** A payment of which all was captured. */
const WHOLE = {
  status: expect.stringMatching(/^(captured|succeeded)$/) as string,
  settlement: { value: MOST },
}

const CHUNK = "useful ".repeat(100)
const CHUNKS = 5

/** A body that has everything useful in it, and whose end does not come. */
const endless = () => {
  let chunks = 0
  return new Readable({
    read() {
      if (chunks++ < CHUNKS) this.push(CHUNK)
    },
  })
}

const SCHEMES: ReadonlyArray<MeteredScheme> = ["upto", "auth-capture"]

describe.each(SCHEMES)("a client that hangs up, in the scheme %s", (scheme) => {
  const { app, buying, seen, service } = meteredShops(scheme)

  const seller = () => ({ baseUrl: app().url, apiKey: app().seller.api_key.key })

  const wallOf = (said: Partial<PaymentTerms> = {}) =>
    requirePayment({
      payport: seller(),
      service: service(),
      amount: usd(MOST),
      capture: "used",
      ...said,
    })

  /** The service, as it would be if it held money for so many milliseconds. */
  const holdingFor = (milliseconds: number): ChallengeClient => {
    const client = challengeClient(seller())
    return {
      ...client,
      redeem: async (id, input) => {
        const redeemed = await client.redeem(id, input)
        const until = new Date(Date.parse(redeemed.redeemed_at) + milliseconds)
        return { ...redeemed, capture_before: until.toISOString() }
      },
    }
  }

  const servers = new Listening()
  afterAll(() => servers.close())
  const listening = async (answer: Parameters<Listening["open"]>[0]) =>
    `${await servers.open(answer)}/stream`

  /** Pays for an address. Returns the request with the proof, and the payment's id. */
  const bought = async (
    url: string,
    ask: (request: Request) => Promise<Response> = (request) => fetch(request),
  ) => {
    let signature = ""
    await buying((request) => {
      signature = request.headers.get("PAYMENT-SIGNATURE") ?? ""
      return signature === "" ? ask(request) : Promise.resolve(Response.json({}))
    })(url)
    const { payload } = JSON.parse(atob(signature)) as {
      readonly payload: { readonly payment_intent: string }
    }
    return { headers: { "payment-signature": signature }, id: payload.payment_intent }
  }

  /** Reads so many characters of the answer, and hangs up. */
  const readAndHangUp = (url: string, headers: { [name: string]: string }, most: number) =>
    new Promise<number | undefined>((resolve, reject) => {
      let size = 0
      const request = http.get(url, { headers }, (response) => {
        const hangUp = () => {
          request.destroy()
          resolve(response.statusCode)
        }
        response.on("error", () => {})
        if (most === 0) hangUp()
        response.on("data", (chunk: Buffer) => {
          size += chunk.length
          if (size >= most) hangUp()
        })
      })
      request.on("error", reject)
    })

  const becomes = (id: string, form: object) =>
    expect.poll(() => seen(id), PATIENCE).toMatchObject(form)

  type Serve = (response: ServerResponse, payment: Paid | undefined) => unknown

  const DOORS: { readonly [name: string]: (serve: Serve) => Promise<string> } = {
    Express: (serve) => {
      const shop = express()
      shop.use(wallOf().node)
      shop.use((_, response) => void serve(response, response.locals["payment"] as Paid))
      return listening((request, response) => void shop(request, response))
    },
    "Node alone": (serve) => {
      const { node } = wallOf()
      return listening((request, response) =>
        node(request, response, () => serve(response, undefined)),
      )
    },
  }

  describe.each(Object.keys(DOORS))("at %s", (name) => {
    const open = (serve: Serve) => DOORS[name]?.(serve) ?? expect.unreachable()

    test.each<[string, (response: ServerResponse) => unknown]>([
      ["pipe", (response) => endless().pipe(response)],
      ["pipeline", (response) => pipeline(endless(), response, () => {})],
    ])(
      "after all that a %s has sent pays",
      async (_, serve) => {
        const url = await open(serve)
        const { headers, id } = await bought(url)
        expect(await readAndHangUp(url, headers, CHUNK.length * CHUNKS)).toBe(200)
        await becomes(id, WHOLE)
      },
      LONG,
    )

    test(
      "before anything of the body was sent pays nothing",
      async () => {
        const url = await open((response) => response.writeHead(200).flushHeaders())
        const { headers, id } = await bought(url)
        expect(await readAndHangUp(url, headers, 0)).toBe(200)
        await becomes(id, { status: "voided" })
      },
      LONG,
    )

    test(
      "pays nothing for an error that was streamed",
      async () => {
        const url = await open((response) => {
          response.statusCode = 500
          endless().pipe(response)
        })
        const { headers, id } = await bought(url)
        expect(await readAndHangUp(url, headers, CHUNK.length)).toBe(500)
        await becomes(id, { status: "voided" })
      },
      LONG,
    )
  })

  test.each<[string, (response: ServerResponse, payment: Paid | undefined) => unknown]>([
    [
      "as it went",
      (response, payment) => {
        payment?.charge?.(9)
        endless().pipe(response)
      },
    ],
    [
      "once it had gone",
      (response, payment) => pipeline(endless(), response, () => payment?.charge?.(9)),
    ],
  ])(
    "pays what the handler stated %s",
    async (_, serve) => {
      const url = await (DOORS["Express"]?.(serve) ?? expect.unreachable())
      const { headers, id } = await bought(url)
      await readAndHangUp(url, headers, CHUNK.length * CHUNKS)
      await becomes(id, { captured_amount: usd(9) })
    },
    LONG,
  )

  test(
    "pays at Koa, whose streams begin after all middleware",
    async () => {
      const shop = new Koa()
      shop.silent = true
      shop.use(wallOf())
      shop.use((context) => (context.body = endless()))
      const url = await listening((request, response) => void shop.callback()(request, response))
      const { headers, id } = await bought(url)
      await readAndHangUp(url, headers, CHUNK.length * CHUNKS)
      await becomes(id, WHOLE)
    },
    LONG,
  )

  test(
    "pays at Fastify",
    async () => {
      const { node } = wallOf()
      const shop = Fastify()
      shop.get(
        "/stream",
        { onRequest: (request, reply, next) => node(request.raw, reply.raw, () => next()) },
        () => endless(),
      )
      onTestFinished(async () => {
        shop.server.closeAllConnections()
        await shop.close()
      })
      const url = `${await shop.listen({ host: "127.0.0.1", port: 0 })}/stream`
      const { headers, id } = await bought(url)
      await readAndHangUp(url, headers, CHUNK.length * CHUNKS)
      await becomes(id, WHOLE)
    },
    LONG,
  )

  /** Opens the answer and reads no further. Resolves once the server has closed it. */
  const stall = (url: string, headers: { [name: string]: string }) => {
    let isClosed = false
    const request = http.get(url, { headers }, (response: IncomingMessage) => {
      response.on("error", () => {})
      response.once("close", () => (isClosed = true))
      // One chunk, so that an end of the connection is noticed.
      response.once("data", () => response.pause())
    })
    request.on("error", () => (isClosed = true))
    onTestFinished(() => void request.destroy())
    return () => isClosed
  }

  test.each<[string, number | undefined, object, boolean]>([
    ["all, and is served on", undefined, WHOLE, false],
    ["what was stated, and is cut off", 9, { captured_amount: usd(9) }, true],
  ])(
    "or stalls until the hold ends, pays %s",
    async (_, stated, form, isCut) => {
      const { node } = wallOf({ payport: holdingFor(3_000) })
      let served: ServerResponse | undefined
      const shop = express()
      shop.use(node)
      shop.use((_request, response) => {
        served = response
        if (stated !== undefined) (response.locals["payment"] as Paid).charge?.(stated)
        endless().pipe(response)
      })
      const url = await listening((request, response) => void shop(request, response))
      const { headers, id } = await bought(url)
      stall(url, headers)
      await becomes(id, form)
      await expect.poll(() => served?.destroyed, PATIENCE).toBe(isCut)
    },
    LONG,
  )

  test(
    "or sends its request so slowly that nothing is served in time, pays nothing",
    async () => {
      const { node } = wallOf({ payport: holdingFor(3_000) })
      const url = await listening((request, response) =>
        node(request, response, () => {
          // Waits for a body that does not come.
        }),
      )
      const { headers, id } = await bought(url)
      const isClosed = stall(url, headers)
      await becomes(id, { status: "voided" })
      await expect.poll(isClosed, PATIENCE).toBe(true)
    },
    LONG,
  )

  describe("at a handler of the fetch API", () => {
    const ADDRESS = "https://shop.example/stream"

    /** A body of some chunks whose end comes once it is released. */
    const bodyOf = (onPull: (chunk: number) => void = () => {}) => {
      let chunk = 0
      const ended = Promise.withResolvers<undefined>()
      const stream = new ReadableStream<Uint8Array>(
        {
          pull: async (controller) => {
            onPull(++chunk)
            if (chunk <= CHUNKS) return controller.enqueue(new TextEncoder().encode(CHUNK))
            await ended.promise
            controller.close()
          },
        },
        { highWaterMark: 0 },
      )
      return { stream, end: () => ended.resolve(undefined) }
    }

    const open = async (
      handle: (payment: Paid) => Response | Promise<Response>,
      said?: Partial<PaymentTerms>,
    ) => {
      const wall = wallOf(said)
      const shop = new Hono().get("/stream", ({ req }) => wall.fetch(req.raw, handle))
      const { headers, id } = await bought(ADDRESS, async (request) => shop.fetch(request))
      return { id, response: await shop.fetch(new Request(ADDRESS, { headers })) }
    }

    const readSome = async ({ body }: Response, chunks: number) => {
      const reader = (body as ReadableStream<Uint8Array>).getReader()
      for (let read = 0; read < chunks; read++) expect((await reader.read()).done).toBe(false)
      return reader
    }

    test("pays by the body's end what was stated last, and knows its payment before", async () => {
      const { end, stream } = bodyOf()
      let charge: Paid["charge"]
      const { id, response } = await open((payment) => {
        charge = payment.charge
        charge?.(1)
        return new Response(stream)
      })
      const told = JSON.parse(atob(response.headers.get("PAYMENT-RESPONSE") ?? "")) as object
      expect(told).toMatchObject({ success: true, transaction: id })
      const reader = await readSome(response, CHUNKS)
      expect(await seen(id)).toMatchObject({ status: "authorized" })
      charge?.(7)
      end()
      expect((await reader.read()).done).toBe(true)
      expect(await seen(id)).toMatchObject({ captured_amount: usd(7) })
    })

    test.each<[string, number, object]>([
      ["pays by cancelling what it has read", CHUNKS, WHOLE],
      ["pays nothing by cancelling before", 0, { status: "voided" }],
    ])("%s", async (_, chunks, form) => {
      const { id, response } = await open(() => new Response(bodyOf().stream))
      await (await readSome(response, chunks)).cancel()
      expect(await seen(id)).toMatchObject(form)
    })

    test.each<[string, number | undefined, object]>([
      ["all", undefined, WHOLE],
      ["what was stated, and is cut off,", 9, { captured_amount: usd(9) }],
    ])(
      "pays %s if it stalls until the hold ends",
      async (_, stated, form) => {
        const { end, stream } = bodyOf()
        const { id, response } = await open(
          ({ charge }) => {
            if (stated !== undefined) charge?.(stated)
            return new Response(stream)
          },
          { payport: holdingFor(3_000) },
        )
        const reader = await readSome(response, 1)
        await becomes(id, form)
        end()
        if (stated === undefined) expect((await reader.read()).done).toBe(false)
        else await expect(reader.read()).rejects.toThrow("time is over")
      },
      LONG,
    )

    test(
      "pays nothing if the answer comes after the hold",
      async () => {
        const payport = holdingFor(2_000)
        const { id, response } = await open(
          async ({ payment_intent }) => {
            await becomes(payment_intent, { status: "voided" })
            return Response.json({ useful: true })
          },
          { payport },
        )
        expect([response.status, await seen(id)]).toMatchObject([503, { status: "voided" }])
        expect(await response.text()).not.toContain("useful")
      },
      LONG,
    )
  })

  test(
    "does not keep the seller from capturing what could not be captured",
    async () => {
      const failures: Array<unknown> = []
      const client = challengeClient(seller())
      const url = await listening(
        (() => {
          const shop = express()
          const settle = () => Promise.reject(new Error("The service is away."))
          const report = (error: unknown) => void failures.push(error)
          shop.use(wallOf({ payport: { ...client, settle }, report }).node)
          shop.use((_, response) => {
            ;(response.locals["payment"] as Paid).charge?.(9)
            endless().pipe(response)
          })
          return shop
        })(),
      )
      const { headers, id } = await bought(url)
      await readAndHangUp(url, headers, CHUNK.length * CHUNKS)
      await expect.poll(() => failures, PATIENCE).toHaveLength(1)
      const [failure] = failures
      if (!(failure instanceof CaptureFailed)) throw new Error("It is none of the failures.")
      expect(failure).toMatchObject({ payment_intent: id, amount: usd(9) })
      expect(Date.parse(failure.capture_before ?? "")).toBeGreaterThan(Date.now())
      const { intents } = makeClient(seller())
      await intents.capture(failure.payment_intent, { amount: failure.amount })
      expect(await seen(id)).toMatchObject({ captured_amount: usd(9) })
    },
    LONG,
  )
})
