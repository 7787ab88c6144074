import { decodePaymentResponseHeader } from "@x402/core/http"
import { setSettlementOverrides } from "@x402/express"
import { describe, expect, test } from "vitest"
import { meteredShops, RESOURCE, usd } from "../support/x402Metered.ts"

const { app, ask, authorized, banked, buying, byClient, byUrl, seen, ...shops } =
  meteredShops("auth-capture")

/** A server that holds the money first and captures the used part: `@x402/express` unchanged. */
const openShop = (facilitator: Parameters<typeof shops.openShop>[0]) =>
  shops.openShop(facilitator, (priced) => {
    const accepts = { scheme: "auth-capture", ...priced } as const
    const charged = { ...accepts, extra: { paymentFlow: "authorization" } }
    return {
      routes: {
        "GET /charged": { accepts: charged, description: "Tokens, at once" },
        "GET /broken": { accepts, description: "Nothing" },
      },
      serve: (shop) => {
        shop.get("/charged", (_request, response) => {
          setSettlementOverrides(response, { amount: "5" })
          response.json({ used: 5 })
        })
        shop.get("/broken", (_request, response) => void response.status(500).json({}))
      },
    }
  })

const toldBy = (response: Response) =>
  decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE") ?? "")

describe("@x402/express and @x402/fetch, with a hold", () => {
  const told = async (path: string, status = 200) => {
    const response = await buying()(`${await openShop(byClient())}${path}`)
    expect(response.status).toBe(status)
    return toldBy(response)
  }

  test.each([
    ["/tokens/10", 10],
    ["/tokens/all", 25],
    ["/charged", 5],
  ])("take by %s what was used", async (path, value) => {
    const { amount, success, transaction } = await told(path)
    expect([success, amount]).toEqual([true, String(value)])
    expect(await seen(transaction)).toMatchObject({ amount: usd(25), settlement: { value } })
  })

  test("release all where nothing was used, and where the route fails", async () => {
    const none = await told("/tokens/0")
    expect(none).toMatchObject({ success: true, amount: "0" })
    expect(await seen(none.transaction)).toMatchObject({ status: "voided" })
    const { transaction } = await told("/broken", 500)
    expect(await seen(transaction)).toMatchObject({ status: "voided" })
  })

  /** Sends a paid request, and returns what a stranger has seen of it. */
  const paid = async (facilitator: Parameters<typeof shops.openShop>[0]) => {
    // All is used: what was captured in part could not be shown again anyway.
    const url = `${await openShop(facilitator)}/tokens/all`
    let signature = ""
    const spying = (request: Request) => {
      signature = request.headers.get("PAYMENT-SIGNATURE") ?? signature
      return fetch(request)
    }
    const replay = (shown = signature) => fetch(url, { headers: { "PAYMENT-SIGNATURE": shown } })
    const response = await buying(spying)(url)
    expect(response.status).toBe(200)
    const served = async () => Number(await (await fetch(new URL("/served", url))).text())
    return { replay, served, signature, transaction: toldBy(response).transaction }
  }

  describe.each([
    ["its URL alone", byUrl],
    ["our client of it", byClient],
  ])("by a facilitator that is known by %s", (_, facilitator) => {
    test("serve a payment once, however often it is shown", async () => {
      const { replay, served, transaction } = await paid(facilitator())
      for (let time = 0; time < 3; time += 1) expect((await replay()).status).toBe(402)
      const all = await Promise.all(Array.from({ length: 4 }, () => replay()))
      expect(all.map(({ status }) => status)).toEqual([402, 402, 402, 402])
      expect(await served()).toBe(1)
      expect(await seen(transaction)).toMatchObject({ settlement: { value: 25 } })
    })

    test.each(["hold", "capture", "void"])(
      "serve nobody who says %s in the server's place",
      async (type) => {
        const { replay, served, signature } = await paid(facilitator())
        const sent = JSON.parse(atob(signature)) as { readonly payload: object }
        const forged = { ...sent, payload: { ...sent.payload, type } }
        expect((await replay(btoa(JSON.stringify(forged)))).status).toBe(402)
        expect(await served()).toBe(1)
      },
    )
  })

  test("are served by a facilitator that is known by its URL alone", async () => {
    const response = await buying()(`${await openShop(byUrl())}/tokens/10`)
    expect(response.status).toBe(200)
  })
})

const flowOf = (paymentFlow: string) => ({ extra: { resource: RESOURCE, paymentFlow } })

describe("what is held", () => {
  test("is captured once, after the hold, and answered alike", async () => {
    const proof = await authorized()
    expect(await ask("settle", proof, "9", { type: "capture" })).toMatchObject({
      success: false,
      errorReason: "payment_not_authorized",
    })
    const headers = { "idempotency-key": "held-once" }
    const held = await ask("settle", proof, "25", { headers })
    expect(held).toMatchObject({ success: true, amount: "25", transaction: proof.id })
    // Whose answer was lost asks again under its key. Without one it might be another request.
    expect(await ask("settle", proof, "25", { headers })).toEqual(held)
    for (const type of [undefined, "hold"]) {
      expect(await ask("settle", proof, "25", { type })).toMatchObject({
        success: false,
        errorReason: "payment_already_settled",
      })
    }
    expect(await seen(proof.id)).toMatchObject({ status: "authorized" })
    const taken = await ask("settle", proof, "9", { type: "capture" })
    expect(taken).toMatchObject({ success: true, amount: "9" })
    expect(await ask("settle", proof, "9", { type: "capture" })).toEqual(taken)
    expect(await ask("settle", proof, "10", { type: "capture" })).toMatchObject({
      errorReason: "payment_already_settled",
    })
    expect(await ask("settle", proof, "25", { type: "void" })).toMatchObject({
      errorReason: "payment_already_settled",
    })
    expect(await seen(proof.id)).toMatchObject({ captured_amount: usd(9) })
  })

  test("is held for one of several requests at once", async () => {
    const proof = await authorized()
    const all = await Promise.all(Array.from({ length: 5 }, () => ask("settle", proof, "25")))
    expect(all.filter(({ success }) => success)).toHaveLength(1)
  })

  test("is released once, and by its time", async () => {
    const [voided, left] = [await authorized(), await authorized()]
    await ask("settle", voided, "25")
    await ask("settle", left, "25")
    const released = await ask("settle", voided, "25", { type: "void" })
    expect(released).toMatchObject({ success: true, amount: "0" })
    expect(await ask("settle", voided, "25", { type: "void" })).toEqual(released)
    expect(await ask("settle", voided, "9", { type: "capture" })).toMatchObject({ success: false })
    await app().call("POST", "/v1/sandbox/clock/advance", { body: { seconds: 901 } })
    expect(await ask("settle", left, "9", { type: "capture" })).toMatchObject({
      success: false,
      errorReason: "payment_expired",
    })
    expect(await seen(left.id)).toMatchObject({ status: "expired" })
  })

  test.each<[string, string, object, string | undefined, string]>([
    ["a hold of a part", "9", {}, undefined, "invalid_payload"],
    ["an operation that there is not", "9", {}, "refund", "invalid_payload"],
    ["a flow that there is not", "25", flowOf("upfront"), undefined, "unsupported_payment_flow"],
    [
      "a capture without a hold",
      "9",
      flowOf("authorization"),
      "capture",
      "unsupported_payment_flow",
    ],
    ["more than was authorized", "26", {}, "capture", "settlement_exceeds_amount"],
  ])("refuses %s, and moves nothing", async (_, amount, other, type, errorReason) => {
    const proof = await authorized()
    expect(await ask("settle", proof, amount, { other, type })).toMatchObject({
      success: false,
      errorReason,
    })
    expect(await seen(proof.id)).toMatchObject({ status: "authorized" })
  })

  test("is at a channel that captures parts", async () => {
    const proof = await authorized(banked())
    expect(await ask("settle", proof, "25", { other: { payTo: banked() } })).toMatchObject({
      success: false,
      errorReason: "invalid_payment_proof",
    })
  })
})
