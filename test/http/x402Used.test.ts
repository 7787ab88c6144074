import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { decodePaymentResponseHeader } from "@x402/core/http"
import express from "express"
import Koa from "koa"
import { describe, expect, onTestFinished, test } from "vitest"
import { type Paid, type PaymentTerms, requirePayment } from "../../adapters/http/paid/402.ts"
import { meteredShops, type MeteredScheme, usd } from "../support/x402Metered.ts"

const MOST = 25
const AT_ONCE = 20

const SCHEMES: ReadonlyArray<MeteredScheme> = ["upto", "auth-capture"]

describe.each(SCHEMES)("our own paywall and @x402/fetch, in the scheme %s", (scheme) => {
  const { app, banked, buying, seen, service } = meteredShops(scheme)

  const wallOf = (said: Partial<PaymentTerms> = {}) =>
    requirePayment({
      payport: { baseUrl: app().url, apiKey: app().seller.api_key.key },
      service: service(),
      amount: usd(MOST),
      capture: "used",
      ...said,
    })

  const listening = async (shop: {
    listen: (port: number, host: string) => ReturnType<Koa["listen"]>
  }) => {
    const server = shop.listen(0, "127.0.0.1")
    await once(server, "listening")
    onTestFinished(() => void server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** The amount that the handler of `/use/10`, `/use/all` or `/use/broken` uses. */
  const use = (path: string, { charge }: Paid): number => {
    const said = path.slice("/use/".length)
    if (said !== "all" && said !== "broken") charge?.(Number(said))
    return said === "broken" ? 500 : 200
  }

  const doors = {
    express: (said?: Partial<PaymentTerms>) => {
      const shop = express()
      shop.use(wallOf(said).node)
      shop.use((request, response) => {
        const status = use(request.path, response.locals["payment"] as Paid)
        response.status(status).json({ served: request.path })
      })
      return listening(shop)
    },
    koa: (said?: Partial<PaymentTerms>) => {
      const shop = new Koa()
      shop.use(wallOf(said))
      shop.use((context) => {
        context.status = use(context.path, context.state["payment"] as Paid)
        context.body = { served: context.path }
      })
      return listening(shop)
    },
  }

  const told = (response: Response) =>
    decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE") ?? "")

  describe.each(["express", "koa"] as const)("at %s", (door) => {
    test.each([
      ["/use/10", 10],
      ["/use/1", 1],
      ["/use/25", 25],
      ["/use/all", 25],
    ])("take by %s what was used, once it was served", async (path, value) => {
      const response = await buying()(`${await doors[door]()}${path}`)
      expect(response.status).toBe(200)
      expect(await response.json()).toEqual({ served: path })
      const { amount, success, transaction } = told(response)
      expect([success, amount]).toEqual([true, String(value)])
      expect(await seen(transaction)).toMatchObject({ amount: usd(MOST), settlement: { value } })
    })

    test.each([
      ["/use/0", 200],
      ["/use/broken", 500],
    ])("release all by %s", async (path, status) => {
      const response = await buying()(`${await doors[door]()}${path}`)
      expect(response.status).toBe(status)
      const { amount, transaction } = told(response)
      expect(amount).toBe("0")
      expect(await seen(transaction)).toMatchObject({ status: "voided" })
    })
  })

  test("release all by the fetch API where a handler throws its own error", async () => {
    const wall = wallOf()
    const ids: Array<string> = []
    const paying = buying((request) =>
      wall.fetch(request, ({ payment_intent }) => {
        ids.push(payment_intent)
        throw new Error("It broke.")
      }),
    )
    await expect(paying("https://shop.example/use")).rejects.toThrow()
    expect(ids).toHaveLength(1)
    expect(await seen(ids[0] ?? "")).toMatchObject({ status: "voided" })
  })

  test("serve one of many who show the same payment at two servers", async () => {
    const walls = [wallOf(), wallOf()]
    let shown: Request | undefined
    let served = 0
    const answer = (request: Request, n: number) =>
      (walls[n % 2] ?? wallOf()).fetch(request, ({ charge }) => {
        served++
        charge?.(7)
        return Response.json({})
      })
    const paying = buying(async (request) => {
      if (!request.headers.has("PAYMENT-SIGNATURE")) return answer(request, 0)
      shown = request
      const all = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, n) => answer(request.clone(), n)),
      )
      return all.find(({ ok }) => ok) ?? Response.error()
    })
    const response = await paying("https://shop.example/use")
    expect([response.status, served]).toEqual([200, 1])
    expect(await seen(told(response).transaction)).toMatchObject({ captured_amount: usd(7) })
    // A repeated payment is refused, so that its client forgets it.
    const again = await answer(shown ?? new Request("https://shop.example/use"), 1)
    const required = JSON.parse(atob(again.headers.get("PAYMENT-REQUIRED") ?? "")) as object
    expect([again.status, served]).toEqual([402, 1])
    expect(required).toMatchObject({ error: "payment_already_settled" })
  })

  test("charge no more than is held, and whole minor units", async () => {
    const wall = wallOf()
    const refused: Array<number> = []
    const paying = buying((request) =>
      wall.fetch(request, ({ charge }) => {
        for (const value of [MOST + 1, -1, 0.5, Number.NaN]) {
          expect(() => charge?.(value)).toThrow(RangeError)
          refused.push(value)
        }
        charge?.(3)
        return Response.json({})
      }),
    )
    const response = await paying("https://shop.example/use")
    expect(refused).toHaveLength(4)
    expect(told(response)).toMatchObject({ amount: "3" })
  })

  test("serve nobody whose payment is for another address, method or seller", async () => {
    const wall = wallOf()
    let shown: Request | undefined
    const paying = buying((request) => {
      if (request.headers.has("PAYMENT-SIGNATURE")) shown = request
      return request.headers.has("PAYMENT-SIGNATURE")
        ? Promise.resolve(Response.json({}))
        : wall.fetch(request, () => Response.json({}))
    })
    await paying("https://shop.example/use")
    const headers = Object.fromEntries(shown?.headers ?? [])
    const url = "https://shop.example/use"
    for (const [paywall, request] of [
      [wall, { method: "GET", url: "https://shop.example/other", headers }],
      [wall, { method: "GET", url: "https://else.example/use", headers }],
      [wall, { method: "POST", url, headers }],
      [wall, { method: "GET", url, headers, body: "more" }],
      [wallOf({ amount: usd(24) }), { method: "GET", url, headers }],
      [wallOf({ service: banked() }), { method: "GET", url, headers }],
    ] as const) {
      expect(await paywall.check(request)).toMatchObject({ paid: false, status: 403 })
    }
    expect((await wall.check({ method: "GET", url, headers })).paid).toBe(true)
  })

  test("serve nobody at a channel that captures no parts, and take nothing", async () => {
    const wall = wallOf({ service: banked() })
    let served = 0
    const paying = buying((request) =>
      wall.fetch(request, () => {
        served++
        return Response.json({})
      }),
    )
    const response = await paying("https://shop.example/use")
    expect([response.status, served]).toEqual([403, 0])
  })
})

describe("a hold that is captured later", () => {
  const { app, buying, seen, service } = meteredShops("auth-capture")

  test("is paid by @x402/fetch, and captured in part by its seller", async () => {
    const wall = requirePayment({
      payport: { baseUrl: app().url, apiKey: app().seller.api_key.key },
      service: service(),
      amount: usd(MOST),
      capture: "later",
    })
    const kept: Array<Paid> = []
    const paying = buying((request) =>
      wall.fetch(request, (payment) => {
        kept.push(payment)
        return Response.json({})
      }),
    )
    const response = await paying("https://shop.example/use")
    expect(response.status).toBe(200)
    const [payment] = kept
    const id = payment?.payment_intent ?? ""
    expect(payment?.capture_before).toMatch(/Z$/)
    expect(payment?.charge).toBeUndefined()
    expect(await seen(id)).toMatchObject({ status: "authorized" })
    const { status } = await app().call("POST", `/v1/payment-intents/${id}/capture`, {
      key: app().seller.api_key.key,
      body: { amount: usd(9) },
    })
    expect(status).toBe(200)
    expect(await seen(id)).toMatchObject({ captured_amount: usd(9) })
  })
})
