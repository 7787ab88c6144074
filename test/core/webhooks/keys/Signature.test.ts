import { createHash, createHmac } from "node:crypto"
import { Stripe } from "stripe"
import { describe, expect, test } from "vitest"
import {
  attemptKey,
  endpointHeaders,
  type Secrets,
  serviceHeaders,
  timedSignature,
} from "../../../../core/webhooks/keys/Signature.ts"

const hmac = (secret: string, message: string) =>
  createHmac("sha256", Buffer.from(secret, "utf8")).update(message, "utf8").digest("hex")

const sha256 = (text: string) => createHash("sha256").update(text, "utf8").digest("hex")
const signing = { hmac, sha256 }

const BODY = `{"type":"payment_intent.succeeded","data":{"note":"größer 🙂"}}`
const AT = 1_767_225_600_999
const EVENT = "evt_019b7726-0000-7000-8000-000000000001"
const attempt = { event_id: EVENT, retry: 0, body: BODY, at: AT }

describe("the headers of a payment event", () => {
  test("carry the published HMAC-SHA256 of a known secret and body", () => {
    // RFC 4231, test case 2.
    const headers = serviceHeaders(signing, ["Jefe"], {
      ...attempt,
      body: "what do ya want for nothing?",
    })
    expect(headers["X-Webhook-Signature"]).toBe(
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    )
  })

  test("name the event, the time in whole seconds and the attempt", () => {
    const headers = serviceHeaders(signing, ["whsec_new"], { ...attempt, retry: 5 })
    expect(headers).toEqual({
      "X-Webhook-Signature": hmac("whsec_new", BODY),
      [`X-Webhook-Signature-${sha256("whsec_new").slice(0, 16)}`]: hmac("whsec_new", BODY),
      "X-Webhook-Id": EVENT,
      "X-Webhook-Timestamp": "1767225600",
      "Webhook-Signature": `t=1767225600,v1=${hmac("whsec_new", `1767225600.${BODY}`)}`,
      "Idempotency-Key": `wh_${EVENT}-retry-5`,
    })
  })

  test("hold the new secret's signature and then the old one's during grace", () => {
    const headers = serviceHeaders(signing, ["whsec_new", "whsec_old"], attempt)
    expect(headers["X-Webhook-Signature"]).toBe(
      `${hmac("whsec_new", BODY)},${hmac("whsec_old", BODY)}`,
    )
    expect(headers["Webhook-Signature"]).toBe(
      `t=1767225600,v1=${hmac("whsec_new", `1767225600.${BODY}`)}` +
        `,v1=${hmac("whsec_old", `1767225600.${BODY}`)}`,
    )
  })
})

test("a receiver that compares one value finds its secret's own before, in and after grace", () => {
  const name = `X-Webhook-Signature-${sha256("whsec_old").slice(0, 16)}`
  const held = (...secrets: Secrets) => new Headers(serviceHeaders(signing, secrets, attempt))
  expect(held("whsec_old").get(name)).toBe(hmac("whsec_old", BODY))
  expect(held("whsec_new", "whsec_old").get(name)).toBe(hmac("whsec_old", BODY))
  expect(held("whsec_new").get(name)).toBeNull()
})

describe("the headers of a delivery to a registered endpoint", () => {
  const about = { ...attempt, family: "payment", enc: undefined } as const
  const { webhooks } = new Stripe("sk_test_unused")

  const verifies = (header: string, secret: string, body = BODY): boolean => {
    try {
      return webhooks.signature?.verifyHeader(body, header, secret, 300, undefined, AT) ?? false
    } catch {
      return false
    }
  }

  test("name the event, the time in whole seconds and the attempt", () => {
    expect(endpointHeaders(hmac, ["whsec_new"], { ...about, retry: 9 })).toEqual({
      "Webhook-Signature": `t=1767225600,v1=${hmac("whsec_new", `1767225600.${BODY}`)}`,
      "Webhook-Id": EVENT,
      "X-Webhook-Timestamp": "1767225600",
      "Idempotency-Key": `wh_${EVENT}-retry-9`,
    })
  })

  test("say the signature of an identity's event twice", () => {
    const headers = endpointHeaders(hmac, ["whsec_new"], { ...about, family: "kyc" })
    expect(headers["Service-Signature"]).toBe(headers["Webhook-Signature"])
  })

  test("name the key that the body is encrypted for", () => {
    const headers = endpointHeaders(hmac, ["whsec_new"], { ...about, enc: "ZnBfYQ==" })
    expect(headers["Webhook-Signature"]).toMatch(/^t=\d+,v1=[0-9a-f]{64},enc=ZnBfYQ==$/)
  })

  test.each([undefined, "ZnBfYQ=="])("verify with stripe's library, with enc %s", (enc) => {
    const header = endpointHeaders(hmac, ["whsec_new"], { ...about, enc })["Webhook-Signature"]
    expect(verifies(header, "whsec_new")).toBe(true)
    expect(verifies(header, "whsec_old")).toBe(false)
    expect(verifies(header, "whsec_new", `${BODY} `)).toBe(false)
  })

  test("verify there with either secret during a rotation", () => {
    const rotating = endpointHeaders(hmac, ["whsec_new", "whsec_old"], about)
    const header = rotating["Webhook-Signature"]
    expect(verifies(header, "whsec_new")).toBe(true)
    expect(verifies(header, "whsec_old")).toBe(true)
    expect(verifies(header, "whsec_other")).toBe(false)
  })
})

test("a timed signature is over the time, a dot and the raw body", () => {
  expect(timedSignature((secret, message) => `${secret}(${message})`, ["s"], "body", 1_999)).toBe(
    "t=1,v1=s(1.body)",
  )
})

test("the keys of attempts count from 0", () => {
  expect([0, 1, 5].map((n) => attemptKey("evt_1", n))).toEqual([
    "wh_evt_1-retry-0",
    "wh_evt_1-retry-1",
    "wh_evt_1-retry-5",
  ])
})
