import QRCode from "qrcode"
import { connect } from "node:net"
import sharp from "sharp"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { makeClient } from "../../adapters/http/client/client.ts"
import { activeService, aManifest, type App, startApp } from "../support/app.ts"
import { documentOf, undocumented } from "../support/documented.ts"

let app: App
let document: Awaited<ReturnType<typeof documentOf>>
let service: string
let intent: { readonly [key: string]: unknown }

beforeAll(async () => {
  app = await startApp({ sandbox: true })
  document = await documentOf(app)
  service = await activeService(app, { name: "Static weather", qr_mode: "static" })
  const made = await app.call("POST", "/v1/payment-intents", {
    body: {
      service_id: service,
      type: "one_time",
      amount: { currency: "USD", value: 699 },
      description: "7 days",
      payer_channel: "wallet_a",
    },
  })
  intent = made.json
})
afterAll(() => app.stop())

const picture = async (...texts: ReadonlyArray<string>) => {
  const codes = await Promise.all(texts.map((text) => QRCode.toBuffer(text, { width: 300 })))
  const canvas = { width: 400 * codes.length, height: 400, channels: 3, background: "#ffffff" }
  const image = await sharp({ create: canvas as never })
    .composite(codes.map((input, n) => ({ input, left: 50 + 400 * n, top: 50 })))
    .png()
    .toBuffer()
  return image.toString("base64")
}

/** Sends the request that a scan recommends. */
const request = ({ body, method, path }: { body: object; method: string; path: string }) =>
  app.call(method, path, { body, key: app.buyer.api_key.key })

const send = (image: unknown, said: object = {}) =>
  app.call("POST", "/v1/ai/scan-qr", { body: { image }, key: app.buyer.api_key.key, ...said })
const scan = async (...texts: ReadonlyArray<string>) => (await send(await picture(...texts))).json

const PROMPTPAY =
  "00020101021229370016A000000677010111011300669123456785802TH53037645406100.00630492CB"

describe("POST /v1/ai/scan-qr", () => {
  test("shows a merchant code, and recommends to pay it", async () => {
    const json = await scan(PROMPTPAY)
    const terms = { channel: "wallet_e", amount: 100, currency: "THB" }
    expect(json).toMatchObject({
      scan_id: expect.stringMatching(/^scan_/),
      status: "recognized",
      source: "image",
      raw_format: "emv",
      detected_items: [
        {
          ...terms,
          confidence: 1,
          qr_type: "dynamic",
          qr_version: 4,
          merchant: { id: "0066912345678", name: null, category: null },
          payment_url: null,
          content: PROMPTPAY,
          problems: [],
        },
      ],
      alternative_channels_possible: [],
      parsed_payload: {
        vendor: "promptpay",
        payload_format_indicator: "01",
        point_of_initiation_method: "12",
        transaction_currency: "764",
        transaction_amount: "100.00",
        country_code: "TH",
        crc: "92CB",
        crc_valid: true,
      },
      recommended_action: { type: "create_payment_intent", ...terms, merchant_id: "0066912345678" },
    })
  })

  test("shows what is left of a damaged one, and recommends nothing", async () => {
    const json = await scan(PROMPTPAY.replace("100.00", "900.00"))
    expect(json["recommended_action"]).toBeNull()
    expect(json["detected_items"]).toMatchObject([
      { amount: 900, problems: [{ code: "bad_crc", tag: "63", at: PROMPTPAY.length - 8 }] },
    ])
    expect(json["parsed_payload"]).toMatchObject({ crc: "92CB", crc_valid: false })
  })

  test("knows our payments, to those who take part in them", async () => {
    const { qr } = intent as { qr: { qr_data: string } }
    const own = (await send(await picture(qr.qr_data), { key: app.seller.api_key.key })).json
    expect(own["recommended_action"]).toEqual({
      type: "pay_payment_intent",
      channel: "wallet_a",
      amount: 6.99,
      currency: "USD",
      merchant_id: expect.any(String),
      payment_intent_id: intent["id"],
    })
    const strange = await scan(qr.qr_data)
    expect(strange["recommended_action"]).toBeNull()
    expect(strange["detected_items"]).toMatchObject([
      {
        amount: null,
        payment_url: `http://payport.test/pay/${String(intent["id"])}`,
        problems: [{ code: "unknown_link" }],
      },
    ])
    const page = await scan(`http://payport.test/pay/${String(intent["id"])}`)
    expect(page["raw_format"]).toBe("svc")
  })

  test("a service's static code asks for a payment of its first price", async () => {
    const code = await app.call("GET", `/v1/services/${service}/qr`)
    const json = await scan(String(code.json["qr_data"]))
    expect(json["detected_items"]).toMatchObject([
      { qr_type: "static", amount: 6.99, currency: "USD", merchant: { name: "Static weather" } },
    ])
    expect(json["alternative_channels_possible"]).toEqual(["wallet_b"])
    const action = json["recommended_action"] as {
      type: string
      request: { method: string; path: string; body: object }
    }
    expect(action.type).toBe("create_payment_intent")
    const { body, method, path } = action.request
    const made = await app.call(method, path, { body, key: app.buyer.api_key.key })
    expect(made.status).toBe(201)
    expect(made.json).toMatchObject({
      service_id: service,
      amount: { currency: "USD", value: 699 },
      channel: "wallet_a",
    })
  })

  test("a static code recommends no channel that does not take its price's currency", async () => {
    const sold = await activeService(app, {
      name: "Tea in pounds",
      qr_mode: "static",
      accepted_channels: ["wallet_a", "wallet_b"],
      default_channel: "wallet_b",
      pricing: { one_time: [{ amount: 300, currency: "GBP", label: "A pot" }] },
    })
    const named = await scan(`svc://pay/s/${sold}?channel=wallet_b`)
    const message = "The channel wallet_b does not take GBP."
    expect(named).toMatchObject({
      recommended_action: null,
      alternative_channels_possible: ["wallet_a"],
      detected_items: [{ problems: [{ code: "not_payable", message }] }],
    })
    for (const link of [`svc://pay/s/${sold}?channel=wallet_a`, `svc://pay/s/${sold}`]) {
      const { recommended_action: action } = await scan(link)
      const { body, method, path } = (action as { request: Parameters<typeof request>[0] }).request
      expect((await request({ body, method, path })).status).toBe(201)
    }
  })

  test.each([
    ["svc://service/01997d3e-8a00-7000-8000-00000000dead?channel=wallet_a", "unknown_link"],
    ["svc://pay/s/01997d3e-8a00-7000-8000-00000000dead?channel=wallet_a", "unknown_link"],
    ["http://payport.test/pay/s/01997d3e-8a00-7000-8000-00000000dead", "unknown_link"],
    ["svc://pay/pi_01997d3e-8a00-7000-8000-00000000dead?amount=1&channel=wallet_a", "unknown_link"],
    ["svc://pay/s/../../etc", "bad_link"],
    ["svc://pay/pi_01997d3e-8a00-7000-8000-00000000dead", "unknown_link"],
    ["svc://pay/../../etc", "bad_link"],
    ["svc://refund/1", "bad_link"],
  ])("%s leads nowhere", async (link, problem) => {
    const json = await scan(link)
    expect(json["recommended_action"]).toBeNull()
    expect(json["detected_items"]).toMatchObject([{ format: "svc", problems: [{ code: problem }] }])
  })

  test("every code is an item; addresses are shown, and texts are no addresses", async () => {
    const json = await scan("https://example.com/a?b=1", PROMPTPAY, "javascript:alert(1)")
    expect(json["detected_items"]).toMatchObject([
      { format: "url", payment_url: "https://example.com/a?b=1" },
      { format: "emv" },
      { format: "text", payment_url: null, content: "javascript:alert(1)" },
    ])
    expect(json["raw_format"]).toBe("emv")
  })

  test("so is every one of a sheet of them, up to 50", async () => {
    const sheet = async (rows: number) => {
      const codes = Array.from({ length: rows * 8 }, async (_, n) => ({
        input: await QRCode.toBuffer(`code ${n}`, { width: 110 }),
        left: (n % 8) * 120,
        top: Math.floor(n / 8) * 120,
      }))
      const canvas = { width: 960, height: rows * 120, channels: 3, background: "#ffffff" }
      const image = sharp({ create: canvas as never }).composite(await Promise.all(codes))
      const { json } = await send((await image.png().toBuffer()).toString("base64"))
      return (json["detected_items"] as ReadonlyArray<{ content: string }>).map(
        ({ content }) => content,
      )
    }
    const texts = Array.from({ length: 40 }, (_, n) => `code ${n}`)
    expect(new Set(await sheet(5))).toEqual(new Set(texts))
    expect(await sheet(7)).toHaveLength(50)
  })

  test("text that hides or reorders is shown as such", async () => {
    const json = await scan("pay \u202e0001\u0000")
    expect(json["detected_items"]).toMatchObject([{ content: "pay \ufffd0001\ufffd" }])
    const lines = await scan("pay 9,999 USD\rpay 1 USD\r\n")
    expect(lines["detected_items"]).toMatchObject([{ content: "pay 9,999 USD\ufffdpay 1 USD\r\n" }])
  })

  test("a merchant code is one with a line break or control characters behind it", async () => {
    for (const end of ["\r\n", "\r\n\r\n", "\u0000", "\u001e\u0004"]) {
      const json = await scan(`\r\n${PROMPTPAY}${end}`)
      expect(json["recommended_action"]).toMatchObject({ channel: "wallet_e", amount: 100 })
      expect(json["detected_items"]).toMatchObject([{ content: PROMPTPAY, problems: [] }])
    }
  })

  test("takes data URLs, whatever they claim", async () => {
    const base64 = await picture("hello")
    for (const head of ["data:image/png;base64,", "data:image/svg+xml;charset=utf-8;base64,"]) {
      expect((await send(head + base64)).status).toBe(200)
    }
    expect((await send(`data:image/png,${base64}`)).json["code"]).toBe("INVALID_IMAGE")
  })

  test.each<[name: string, image: unknown, status: number, code: string]>([
    ["nothing", undefined, 422, "MISSING_REQUIRED_FIELD"],
    ["null", null, 422, "MISSING_REQUIRED_FIELD"],
    ["an empty text", "", 422, "MISSING_REQUIRED_FIELD"],
    ["a number", 7, 422, "INVALID_REQUEST"],
    ["an object", { url: "http://127.0.0.1/" }, 422, "INVALID_REQUEST"],
    ["an address", "https://example.com/code.png", 422, "INVALID_IMAGE"],
    ["a file", "file:///etc/passwd", 422, "INVALID_IMAGE"],
    ["a text", Buffer.from("no image at all").toString("base64"), 422, "INVALID_IMAGE"],
    [
      "an SVG",
      Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>").toString("base64"),
      422,
      "INVALID_IMAGE",
    ],
    ["9 MiB", "A".repeat(Math.ceil((9 * 1024 * 1024 * 4) / 3)), 413, "PAYLOAD_TOO_LARGE"],
    ["12 MiB of body", "A".repeat(12 * 1024 * 1024), 413, "PAYLOAD_TOO_LARGE"],
  ])("refuses %s", async (_name, image, status, code) => {
    const reply = await send(image)
    expect([reply.status, reply.json["code"]]).toEqual([status, code])
    expect(undocumented(document, "POST", "/v1/ai/scan-qr", reply)).toBeUndefined()
  })

  test("a picture without a code is QR_NOT_FOUND", async () => {
    const plain = { width: 600, height: 400, channels: 3, background: "#88aa66" }
    const image = await sharp({ create: plain as never })
      .jpeg()
      .toBuffer()
    const reply = await send(image.toString("base64"))
    expect([reply.status, reply.json["code"]]).toEqual([422, "QR_NOT_FOUND"])
    expect(undocumented(document, "POST", "/v1/ai/scan-qr", reply)).toBeUndefined()
  })

  test("needs a key, and takes large bodies on no other route", async () => {
    expect((await send("A", { key: null })).status).toBe(401)
    const body = { name: "A".repeat(100_000) }
    expect((await app.call("POST", "/v1/services", { body })).status).toBe(413)
  })

  test("answers once under an Idempotency-Key", async () => {
    const image = await picture(PROMPTPAY)
    const headers = { "idempotency-key": "scan-1" }
    const first = await send(image, { headers })
    const second = await send(image, { headers })
    expect(second.text).toBe(first.text)
    expect(second.headers.get("idempotent-replayed")).toBe("true")
    const other = await send(await picture("other"), { headers })
    expect(other.json["code"]).toBe("IDEMPOTENCY_KEY_USED")
  })

  test("is counted once for each image that is read", async () => {
    const scans = async () => {
      const { json } = await app.call("GET", "/v1/usage", { key: app.buyer.api_key.key })
      const operations = json["operations"] as ReadonlyArray<{ readonly [k: string]: unknown }>
      return Number(operations.find(({ operation }) => operation === "scan-qr")?.["count"])
    }
    const before = await scans()
    const image = await picture(PROMPTPAY)
    for (const key of ["counted-1", "counted-1", "counted-2"]) {
      expect((await send(image, { headers: { "idempotency-key": key } })).status).toBe(200)
    }
    expect((await send(image)).status).toBe(200)
    expect((await send("A")).status).toBe(422)
    expect((await scans()) - before).toBe(3)
  })

  test("holds so many bytes of bodies at once, and not more", async () => {
    const length = 12 * 1024 * 1024 - 1
    const part = Buffer.alloc(length - 1, "A")
    const unfinished = async () => {
      const socket = connect(Number(new URL(app.url).port), "127.0.0.1")
      const head = [
        "POST /v1/ai/scan-qr HTTP/1.1",
        "host: 127.0.0.1",
        `authorization: Bearer ${app.buyer.api_key.key}`,
        "content-type: application/json",
        `content-length: ${length}`,
      ]
      socket.on("error", () => undefined)
      let answer = ""
      socket.on("data", (chunk) => (answer += String(chunk)))
      socket.write(`${head.join("\r\n")}\r\n\r\n`)
      socket.write(part)
      return { socket, answer: () => answer }
    }
    const senders = await Promise.all(Array.from({ length: 10 }, unfinished))
    await vi.waitFor(
      () => {
        const refused = senders.filter(({ answer }) => answer() !== "")
        expect(refused.length).toBeGreaterThan(0)
        for (const { answer } of refused) {
          expect(answer()).toMatch(/^HTTP\/1.1 503 [^]*retry-after: 1[^]*TEMPORARILY_UNAVAILABLE/i)
        }
      },
      { timeout: 30_000 },
    )
    expect((await app.call("GET", `/v1/services/${service}`)).status).toBe(200)
    for (const { socket } of senders) socket.destroy()
    const image = await picture(PROMPTPAY)
    await vi.waitFor(async () => expect((await send(image)).status).toBe(200), { timeout: 30_000 })
  })

  test("leaves other requests alone meanwhile", async () => {
    const flat = { width: 6_000, height: 6_000, channels: 3, background: "#ffffff" }
    const image = (
      await sharp({ create: flat as never })
        .png({ compressionLevel: 1 })
        .toBuffer()
    ).toString("base64")
    const state = { done: false }
    const scans = Promise.all(Array.from({ length: 4 }, () => send(image))).finally(
      () => (state.done = true),
    )
    const times: Array<number> = []
    while (!state.done) {
      const began = performance.now()
      expect((await app.call("GET", `/v1/services/${service}`)).status).toBe(200)
      times.push(performance.now() - began)
    }
    const answers = await scans
    expect(answers.map(({ status }) => status)).toContain(422)
    // On a slow machine the last images wait too long, and their callers are told to retry.
    for (const { headers, status } of answers) {
      expect(status === 422 || (status === 503 && Number(headers.get("retry-after")) > 0)).toBe(
        true,
      )
    }
    times.sort((a, b) => a - b)
    // Were they kept waiting, each of the four would let one or two through.
    expect(times.length).toBeGreaterThan(8)
    expect(times[Math.floor(times.length / 2)]).toBeLessThan(1_000)
  })
})

describe("the codes of services and payments", () => {
  const path = () => `/v1/services/${service}/qr`

  test("are shown as JSON, SVG or PNG, and read as what they hold", async () => {
    const qr_data = `svc://pay/s/${service}?channel=wallet_b`
    const scan_url = `http://payport.test/pay/s/${service}`
    const json = await app.call("GET", `${path()}?channel=wallet_b`)
    expect(json.json).toEqual({ service_id: service, channel: "wallet_b", qr_data, scan_url })
    const accept = (type: string) =>
      fetch(`${app.url}${path()}?channel=wallet_b`, {
        headers: { authorization: `Bearer ${app.seller.api_key.key}`, accept: type },
      })
    const svg = await accept("image/svg+xml")
    expect(svg.headers.get("content-type")).toBe("image/svg+xml; charset=utf-8")
    expect(await svg.text()).toMatch(/^<svg /)
    const png = await accept("image/png, image/svg+xml;q=0.5")
    expect(png.headers.get("content-type")).toBe("image/png")
    const image = Buffer.from(await png.arrayBuffer())
    const read = await send(image.toString("base64"))
    expect(read.json["detected_items"]).toMatchObject([{ content: qr_data }])
  })

  test("of a payment", async () => {
    const { qr } = intent as { qr: { qr_data: string } }
    const reply = await app.call("GET", `/v1/payment-intents/${String(intent["id"])}/qr`)
    expect(reply.json).toEqual({
      payment_intent_id: intent["id"],
      channel: "wallet_a",
      qr_data: qr.qr_data,
    })
    const other = await app.call(
      "GET",
      `/v1/payment-intents/${String(intent["id"])}/qr?channel=wallet_b`,
    )
    expect([other.status, other.json["code"]]).toEqual([422, "CHANNEL_UNAVAILABLE"])
    const strange = await app.call("GET", `/v1/payment-intents/${String(intent["id"])}/qr`, {
      key: app.buyer.api_key.key,
    })
    expect(strange.status).toBe(404)
  })

  test("are refused where there are none", async () => {
    const dynamic = await activeService(app, { name: "Dynamic weather" })
    const priceless = await activeService(app, {
      name: "Club",
      qr_mode: "static",
      payment_methods: { cumulative: true },
      pricing: { cumulative: { unit: "request", rate: 1, billing_cycle: "monthly" } },
    })
    const draft = await app.call("POST", "/v1/services", {
      body: aManifest({ name: "Draft", qr_mode: "static" }),
    })
    const refusals: ReadonlyArray<readonly [string, string | undefined, number, string]> = [
      [`/v1/services/${dynamic}/qr`, undefined, 404, "NOT_FOUND"],
      [`/v1/services/${priceless}/qr`, undefined, 422, "INVALID_PRICING"],
      [`/v1/services/${service}/qr?channel=wallet_e`, undefined, 422, "CHANNEL_UNAVAILABLE"],
      [`/v1/services/${service}/qr?size=9`, undefined, 400, "INVALID_QUERY"],
      [`/v1/services/${service}/qr?channel=`, undefined, 400, "INVALID_QUERY"],
      [`/v1/services/${String(draft.json["id"])}/qr`, app.buyer.api_key.key, 404, "NOT_FOUND"],
    ]
    for (const [target, key, status, code] of refusals) {
      const reply = await app.call("GET", target, { key: key ?? app.seller.api_key.key })
      expect([target, reply.status, reply.json["code"]]).toEqual([target, status, code])
      expect(undocumented(document, "GET", target, reply)).toBeUndefined()
    }
  })

  test("come through the client", async () => {
    const client = makeClient({ baseUrl: app.url, apiKey: app.seller.api_key.key })
    expect(await client.services.qr(service)).toMatchObject({ channel: "wallet_a" })
    expect(await client.services.qrSvg(service)).toMatch(/^<svg /)
    const png = await client.services.qrPng(service)
    expect([...png.subarray(1, 4)]).toEqual([...Buffer.from("PNG")])
    const scanned = await client.language.readQr({ image: await picture(PROMPTPAY) })
    expect(scanned.recommended_action?.channel).toBe("wallet_e")
  })
})
