import { Stripe } from "stripe"
import { describe, expect, test } from "vitest"
import {
  verify,
  type VerifyOptions,
  WebhookError,
  type WebhookHeaders,
} from "../../../adapters/receiver/webhooks.ts"
import {
  NOW,
  OLD_SECRET,
  plainHeader,
  schemeA,
  schemeB,
  SECRET,
  timedHeader,
} from "./deliveries.ts"
import { codeOf } from "./refusals.ts"

const body = Buffer.from('{"id":"evt_1","a":1}')
const A = timedHeader(body)
const B = plainHeader(body)
const [T, V1 = ""] = A.split(",")
const INVALID = "webhook_signature_invalid"
const EXPIRED = "webhook_secret_expired"

const judged = (headers: WebhookHeaders, options: Partial<VerifyOptions> = {}, bytes = body) =>
  codeOf(() => verify({ headers, body: bytes }, { secrets: SECRET, now: () => NOW, ...options }))

const withHeader = (value: string, name = "Webhook-Signature") => ({ [name]: value })

describe("a signature is refused", () => {
  test.each([
    ["that is not there", {}],
    ["that is empty", withHeader("")],
    ["without a time", withHeader(V1)],
    ["without a v1", withHeader(`${T}`)],
    ["with two times", withHeader(`${T},${A}`)],
    ["that came twice", { ...withHeader(A), "webhook-signature": A }],
    ["with two keys", withHeader(`${A},enc=YQ==,enc=YQ==`)],
    ["with a time that is no number", withHeader(`t=now,${V1}`)],
    ["with a negative time", withHeader(`t=-1,${V1}`)],
    ["with blanks", withHeader(A.replace(",", ", "))],
    ["in upper case", withHeader(`${T},v1=${V1.slice(3).toUpperCase()}`)],
    ["that is too short", withHeader(A.slice(0, -1))],
    ["that is too long", withHeader(`${A}0`)],
    ["beside one that is no hex", withHeader(`${A},v1=zz`)],
    ["of another version only", withHeader(A.replace("v1=", "v0="))],
    ["of another time", withHeader(A.replace(`${T}`, `t=${NOW / 1_000 - 1}`))],
    ["of the body alone", withHeader(`${T},v1=${B}`)],
    ["with another secret", withHeader(timedHeader(body, { secrets: [OLD_SECRET] }))],
    ["of endless length", withHeader(`${A}${`,${V1}`.repeat(1_000)}`)],
    ["without a time, in scheme B", withHeader(B, "X-Webhook-Signature")],
    ["whose scheme B half is wrong", { ...withHeader(A), "X-Webhook-Signature": "0".repeat(64) }],
    ["whose scheme B half is empty", { ...withHeader(A), "X-Webhook-Signature": "" }],
    ["whose timed half is wrong", { ...withHeader(`${T},v1=${B}`), "X-Webhook-Signature": B }],
    ["whose Service-Signature is wrong", { ...withHeader(A), "Service-Signature": `${T},v1=${B}` }],
  ])("%s", (_, headers) => {
    expect(judged(headers)).toBe(INVALID)
  })

  test("of a body that was parsed and written again", () => {
    const again = Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 1))
    expect(judged(withHeader(A), {}, again)).toBe(INVALID)
  })
})

describe("a signature is taken", () => {
  const both = [SECRET, OLD_SECRET]
  test.each([
    ["of scheme A", schemeA(body).headers, {}],
    ["of scheme B", schemeB(body).headers, {}],
    ["of scheme B under two secrets", schemeB(body, { secrets: both }).headers, {}],
    ["in Service-Signature", withHeader(A, "Service-Signature"), {}],
    ["in both headers of KYC", { ...withHeader(A), "Service-Signature": A }, {}],
    ["with several v1, the first", withHeader(timedHeader(body, { secrets: both })), {}],
    [
      "with several v1, the last",
      withHeader(timedHeader(body, { secrets: both.toReversed() })),
      {},
    ],
    ["with the second of our secrets", withHeader(A), { secrets: [OLD_SECRET, SECRET] }],
    ["beside another version", withHeader(`${A},v2=later`), {}],
    ["of scheme B alone if asked to", withHeader(B, "X-Webhook-Signature"), { untimed: true }],
  ])("%s", (_, headers, options) => {
    expect(judged(headers, options)).toBe("taken")
  })

  test.each([
    ["node's headers", { "webhook-signature": A }],
    ["node's headers with lists", { "webhook-signature": [A], other: undefined }],
    ["names in any case", { "WEBHOOK-SIGNATURE": A }],
    ["Headers", new Headers({ "Webhook-Signature": A })],
    ["entries", [["Webhook-Signature", A] as const]],
    ["a Map", new Map([["webhook-signature", A]])],
  ])("from %s", (_, headers) => {
    expect(judged(headers)).toBe("taken")
  })

  test("of a body given as text", () => {
    const options = { secrets: SECRET, now: () => NOW }
    expect(verify({ headers: withHeader(A), body: body.toString() }, options).enc).toEqual([
      undefined,
    ])
  })
})

describe("the time of a signature", () => {
  test.each([
    [0, "taken"],
    [-300_000, "taken"],
    [300_000, "taken"],
    [-301_000, INVALID],
    [301_000, INVALID],
    [86_400_000, INVALID],
  ])("%i ms from now: %s", (distance, expected) => {
    const header = withHeader(timedHeader(body, { at: NOW + distance }))
    expect(judged(header)).toBe(expected)
  })

  test("may differ by what the receiver says, and is the system's unless it says so", () => {
    const at = NOW - 400_000
    expect(judged(withHeader(timedHeader(body, { at })), { toleranceSeconds: 400 })).toBe("taken")
    const fresh = withHeader(timedHeader(body, { at: Date.now() }))
    expect(codeOf(() => verify({ headers: fresh, body }, { secrets: SECRET }))).toBe("taken")
  })
})

describe("a secret past its grace", () => {
  const old = { secret: OLD_SECRET, validUntil: new Date(NOW - 1) }
  const oldOnly = withHeader(timedHeader(body, { secrets: [OLD_SECRET] }))

  test("is told from a forgery", () => {
    expect(judged(oldOnly, { secrets: [SECRET, old] })).toBe(EXPIRED)
    expect(judged(schemeB(body, { secrets: [OLD_SECRET] }).headers, { secrets: [old] })).toBe(
      EXPIRED,
    )
  })

  test("counts to its last millisecond, and does no harm beside a good one", () => {
    const lasting = { ...old, validUntil: new Date(NOW) }
    expect(judged(oldOnly, { secrets: [SECRET, lasting] })).toBe("taken")
    const two = withHeader(timedHeader(body, { secrets: [OLD_SECRET, SECRET] }))
    expect(judged(two, { secrets: [old, SECRET] })).toBe("taken")
  })
})

test("errors say what to do and what to answer", () => {
  expect(() => verify({ headers: {}, body }, { secrets: SECRET })).toThrow(WebhookError)
  const old = { secret: SECRET, validUntil: new Date(0) }
  const expired = () => verify({ headers: withHeader(A), body }, { secrets: old, now: () => NOW })
  expect(expired).toThrow(/expired at 1970-01-01.*Set the secret that replaced it/)
  expect(expired).toThrow(expect.objectContaining({ code: EXPIRED, status: 401 }))
})

describe("what the receiver itself gets wrong is a TypeError", () => {
  const good = { headers: withHeader(A), body }
  test.each([
    ["no secret", good, { secrets: [] }, /at least one/],
    ["an empty secret", good, { secrets: "" }, /not empty/],
    ["an empty secret among others", good, { secrets: [SECRET, { secret: "" }] }, /not empty/],
    [
      "a date that is none",
      good,
      { secrets: [{ secret: "a", validUntil: new Date("x") }] },
      /Date/,
    ],
  ])("%s", (_, request, options, message) => {
    expect(() => verify(request, options)).toThrow(TypeError)
    expect(() => verify(request, options)).toThrow(message)
  })

  test("parsed JSON for a body", () => {
    const parsed: Buffer = JSON.parse(body.toString())
    const request = { headers: withHeader(A), body: parsed }
    expect(() => verify(request, { secrets: SECRET })).toThrow(/raw bytes/)
  })
})

test("headers that stripe's library makes are taken, and ours by stripe's", () => {
  const { webhooks } = new Stripe("sk_test_unused")
  const payload = body.toString()
  const timestamp = NOW / 1_000
  const theirs = webhooks.generateTestHeaderString({ payload, secret: SECRET, timestamp })
  expect(judged(withHeader(theirs))).toBe("taken")
  expect(judged(withHeader(theirs), { secrets: OLD_SECRET })).toBe(INVALID)
  const ours = timedHeader(body, { secrets: [SECRET, OLD_SECRET] })
  for (const secret of [SECRET, OLD_SECRET]) {
    const event = webhooks.constructEvent(payload, ours, secret, 300, undefined, NOW)
    expect(event.id).toBe("evt_1")
  }
})
