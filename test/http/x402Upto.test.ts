import { decodePaymentResponseHeader } from "@x402/core/http"
import { describe, expect, test } from "vitest"
import { meteredShops, usd } from "../support/x402Metered.ts"

const { ask, authorized, banked, buying, byClient, byUrl, seen, ...shops } = meteredShops("upto")

/** A server that captures the used part: `@x402/express` unchanged, with both schemes. */
const openShop = (facilitator: Parameters<typeof shops.openShop>[0]) =>
  shops.openShop(facilitator, (priced) => ({
    routes: { "GET /report": { accepts: { scheme: "exact", ...priced }, description: "Report" } },
    serve: (shop) => {
      shop.get("/report", (_request, response) => void response.json({ report: 7 }))
    },
  }))

describe("@x402/express and @x402/fetch, by use", () => {
  test.each([
    ["10", 10],
    ["40%", 10],
    ["$0.10", 10],
    ["1", 1],
  ])("take %s of what was authorized", async (used, value) => {
    const response = await buying()(`${await openShop(byUrl())}/tokens/${encodeURIComponent(used)}`)
    expect(response.status).toBe(200)
    const told = decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE") ?? "")
    expect(told).toMatchObject({ success: true, amount: String(value) })
    expect(await seen(told.transaction)).toMatchObject({
      amount: usd(25),
      captured_amount: usd(value),
      settlement: { value },
    })
  })

  test("take all where nothing is said, and nothing of what was not used", async () => {
    const shop = await openShop(byClient())
    const told = async (path: string) => {
      const response = await buying()(`${shop}${path}`)
      expect(response.status).toBe(200)
      return decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE") ?? "")
    }
    const all = await told("/tokens/all")
    expect(all).toMatchObject({ success: true, amount: "25" })
    expect(await seen(all.transaction)).not.toHaveProperty("captured_amount")
    const none = await told("/tokens/0")
    expect(none).toMatchObject({ success: true, amount: "0" })
    expect(await seen(none.transaction)).toMatchObject({ status: "voided" })
    expect(await told("/report")).toMatchObject({ success: true, amount: "25" })
  })
})

describe("settling what was used", () => {
  test("is done once: the same is answered alike, another amount is refused", async () => {
    const proof = await authorized()
    expect(await ask("verify", proof, "25")).toMatchObject({ isValid: true })
    const [one, two] = await Promise.all([ask("settle", proof, "9"), ask("settle", proof, "9")])
    expect(one).toMatchObject({ success: true, amount: "9" })
    expect([two, await ask("settle", proof, "9")]).toEqual([one, one])
    for (const other of ["10", "25", "0"]) {
      expect(await ask("settle", proof, other)).toMatchObject({
        success: false,
        errorReason: "payment_already_settled",
      })
    }
    expect(await seen(proof.id)).toMatchObject({ captured_amount: usd(9) })
  })

  test("races with other amounts and with a release: one wins", async () => {
    const proof = await authorized()
    const amounts = ["3", "0", "25", "7"]
    const answers = await Promise.all(amounts.map((amount) => ask("settle", proof, amount)))
    const won = answers.filter(({ success }) => success)
    expect(won).toHaveLength(1)
    const { amount, captured_amount, status } = await seen(proof.id)
    const taken = status === "voided" ? usd(0) : (captured_amount ?? amount)
    expect(taken).toEqual(usd(Number(won[0]?.["amount"])))
  })

  test("releases all under a key, and is answered alike under it", async () => {
    const proof = await authorized()
    const headers = { "idempotency-key": "nothing-used" }
    const settle = () => ask("settle", proof, "0", { headers })
    const first = await settle()
    expect(first).toMatchObject({ success: true, amount: "0", transaction: proof.id })
    expect(await settle()).toEqual(first)
    expect(await ask("settle", proof, "0")).toEqual(first)
    expect(await ask("settle", proof, "5")).toMatchObject({ errorReason: "payment_ended" })
  })

  test.each<[string, string, object, string, string]>([
    ["more than was authorized", "26", {}, "25", "settlement_exceeds_amount"],
    ["a maximum that nobody authorized", "26", {}, "30", "invalid_payment_proof"],
    ["a part of a cent", "0.5", {}, "25", "invalid_payment_requirements"],
    ["less than nothing", "-1", {}, "25", "invalid_payment_requirements"],
    ["another currency", "9", { asset: "EUR" }, "25", "invalid_payment_proof"],
    ["another service", "9", { payTo: "weather" }, "25", "invalid_payment_proof"],
    ["a part in the scheme exact", "9", { scheme: "exact" }, "25", "invalid_payload"],
  ])("refuses %s, and takes nothing", async (_, used, other, most, errorReason) => {
    const proof = await authorized()
    expect(await ask("settle", proof, used, { other, most })).toMatchObject({
      success: false,
      errorReason,
    })
    expect(await seen(proof.id)).toMatchObject({ status: "authorized" })
  })

  test("needs a channel that captures parts, which verifying says before the work", async () => {
    const proof = await authorized(banked())
    const other = { payTo: banked() }
    expect(await ask("verify", proof, "25", { other })).toMatchObject({
      isValid: false,
      invalidReason: "invalid_payment_proof",
    })
    expect(await ask("settle", proof, "9", { other })).toMatchObject({ success: false })
    expect(await seen(proof.id)).toMatchObject({ status: "authorized" })
    expect(await ask("settle", proof, "25", { other })).toMatchObject({ success: true })
  })
})
