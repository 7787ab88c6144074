import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ADMIN_KEY, type App, type Reply, startApp } from "../support/app.ts"

let app: App
beforeAll(async () => {
  app = await startApp({ sandbox: true })
})
afterAll(() => app.stop())

const mine = () => ({ key: app.buyer.api_key.key })

const verify = (body: object, headers: { readonly [name: string]: string } = {}) =>
  app.call("POST", "/v1/kyc/verify", { ...mine(), body, headers })

const show = (path: string) => app.call("GET", path, mine())

const review = (path: string, body: object, key: string = ADMIN_KEY) =>
  app.call("POST", path, { key, body })

const codeOf = ({ json }: Reply) => (json["error"] as { readonly code?: string }).code

/** Contacts that no other test is sent codes to. */
let people = 0
const someone = () => {
  people += 1
  return {
    agent_id: `agent ${people}`,
    data: { email: `person${people}@example.com`, phone: `+141555501${String(10 + people)}` },
  }
}

const basic = () => ({ ...someone(), level: "basic" })

const enhanced = (document_number: string) => {
  const { agent_id, data } = someone()
  const identity = { country: "GB", full_name: "Ada Lovelace", document_type: "passport" }
  return { agent_id, level: "enhanced", data: { ...data, ...identity, document_number } }
}

type Message = { readonly channel: string; readonly to: string; readonly text: string }

const messages = async (id: unknown): Promise<ReadonlyArray<Message>> => {
  const { json } = await show(`/v1/sandbox/messages?verification_id=${String(id)}`)
  return json["data"] as ReadonlyArray<Message>
}

const codeFor = async (id: unknown): Promise<string> =>
  /\d{6}/.exec((await messages(id))[0]?.text ?? "")?.[0] ?? ""

describe("verifying by a code", () => {
  test("takes 201 and 200, and the inbox holds the code", async () => {
    const body = basic()
    const submitted = await verify(body)
    expect(submitted.status).toBe(201)
    expect(submitted.json).toMatchObject({ status: "pending", data: body.data })
    const id = submitted.json["verification_id"]
    expect((await messages(id)).map(({ channel, to }) => [channel, to])).toEqual([
      ["email", body.data.email],
      ["sms", body.data.phone],
    ])
    const answered = await verify({ verification_id: id, otp: await codeFor(id) })
    expect([answered.status, answered.json["status"]]).toEqual([200, "verified"])
    const agent = await show(`/v1/kyc/agents/${encodeURIComponent(body.agent_id)}`)
    expect(agent.json).toMatchObject({
      level: "basic",
      limits: { daily: { currency: "USD", value: 1_000 } },
      verifications: [{ verification_id: id, status: "verified" }],
    })
  })

  test("sends one code to a repetition under one key", async () => {
    const body = basic()
    const once = { "Idempotency-Key": "verify-once" }
    const [first, second] = [await verify(body, once), await verify(body, once)]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.text).toBe(first.text)
    expect(second.headers.get("idempotent-replayed")).toBe("true")
    expect(await messages(first.json["verification_id"])).toHaveLength(2)
  })

  test("says how long to wait in header and body", async () => {
    const { json } = await verify(basic())
    const wrong = { verification_id: json["verification_id"], otp: "000000" }
    const replies = []
    for (const _ of [1, 2, 3, 4, 5]) replies.push(await verify(wrong))
    expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(401))
    expect(replies.map(({ headers }) => headers.get("retry-after")).slice(0, 4)).toEqual(
      Array(4).fill(null),
    )
    const last = replies[4]
    expect(last?.headers.get("retry-after")).toBe("900")
    expect(last?.json).toMatchObject({
      error: {
        code: "invalid_otp",
        details: { attempts_remaining: 0, retry_after_seconds: 900 },
      },
    })
  })

  test("others find neither the messages nor the verification", async () => {
    const { json } = await verify(basic())
    const id = String(json["verification_id"])
    const theirs = await app.call("GET", `/v1/sandbox/messages?verification_id=${id}`)
    expect(theirs.json["data"]).toEqual([])
    expect((await app.call("GET", `/v1/kyc/verifications/${id}`)).status).toBe(404)
  })
})

describe("what is wrong", () => {
  test("is told in the nested shape, also by the edge", async () => {
    const path = "/v1/kyc/verify"
    const replies = [
      [await app.call("POST", path, { key: null, body: {} }), 401, "UNAUTHORIZED"],
      [await app.call("POST", path, { ...mine(), body: "{" }), 400, "INVALID_JSON"],
      [await app.call("PUT", path, mine()), 405, "METHOD_NOT_ALLOWED"],
      [await show("/v1/kyc/verifications/kyc_x"), 404, "NOT_FOUND"],
      [await show("/v1/kyc/appeals/appl_x"), 404, "NOT_FOUND"],
      [await verify({ level: "basic" }), 400, "validation_error"],
      [await review("/v1/kyc/verifications/kyc_x/review", {}), 400, "validation_error"],
    ] as const
    for (const [reply, status, code] of replies) {
      expect([reply.status, codeOf(reply)], reply.text).toEqual([status, code])
    }
  })

  test("a failed check is 200 with its reason, and can be appealed against", async () => {
    const rejected = await verify(enhanced("P1230000"))
    expect(rejected.status).toBe(200)
    expect(rejected.json).toMatchObject({
      status: "rejected",
      rejection_reason: { code: "document_mismatch" },
      data: { document_number: "****0000" },
    })
    const verification_id = rejected.json["verification_id"]
    const body = { verification_id, reason: "It is mine." }
    const appealed = await app.call("POST", "/v1/kyc/appeal", { ...mine(), body })
    expect([appealed.status, appealed.json["status"]]).toEqual([200, "under_review"])
    const appeal = `/v1/kyc/appeals/${String(appealed.json["appeal_id"])}`
    const own = await review(`${appeal}/review`, { decision: "overturned" }, mine().key)
    expect(own.status).toBe(401)
    const reviewed = await review(`${appeal}/review`, { decision: "overturned" })
    expect([reviewed.status, reviewed.json["status"]]).toEqual([200, "overturned"])
    expect((await show(appeal)).json["status"]).toBe("overturned")
    const verification = await show(`/v1/kyc/verifications/${String(verification_id)}`)
    expect(verification.json["status"]).toBe("verified")
  })
})

test("what is submitted is nowhere but where it is asked for", async () => {
  const body = enhanced("QZ99887766")
  const { email, phone } = body.data
  const { json } = await verify(body)
  const wrongNumber = { ...body, data: { ...body.data, document_number: "QZ99880000" } }
  const rejected = await verify(wrongNumber)
  const reason = "My planted reason."
  const appeal = { verification_id: rejected.json["verification_id"], reason }
  await app.call("POST", "/v1/kyc/appeal", { ...mine(), body: appeal })
  const bad = await verify({ ...body, data: { ...body.data, email: "planted@@example" } })
  const away = await verify({ ...body, data: { ...body.data, document_number: "QZ99889999" } })
  expect(away.json["status"]).toBe("pending")
  const code = await verify({ ...body, level: "basic" })
  const otp = await codeFor(code.json["verification_id"])
  expect(otp).toMatch(/^\d{6}$/)
  const wrong = otp === "111111" ? "222222" : "111111"
  const refused = await verify({ verification_id: code.json["verification_id"], otp: wrong })
  await verify({ verification_id: code.json["verification_id"], otp })
  await app.call("POST", "/v1/sandbox/clock/advance", { ...mine(), body: { seconds: 31_536_000 } })
  const events = await show("/v1/events?limit=100")
  const told = events.json["data"] as ReadonlyArray<{ readonly type: string }>
  expect(new Set(told.map(({ type }) => type))).toEqual(
    new Set(["kyc.verified", "kyc.rejected", "kyc.expiring", "kyc.expired"]),
  )
  const agent = await show(`/v1/kyc/agents/${encodeURIComponent(body.agent_id)}`)
  const theirs = await app.call("GET", `/v1/kyc/verifications/${String(json["verification_id"])}`)
  const metrics = await app.call("GET", "/metrics", { key: null })
  const said = {
    log: app.lines.join("\n"),
    events: events.text,
    errors: bad.text + refused.text,
    agent: agent.text,
    others: theirs.text,
    metrics: metrics.text,
  }
  const planted = [email, phone, "QZ99887766", "QZ99880000", "QZ99889999", reason, "planted@@"]
  for (const [where, text] of Object.entries(said)) {
    for (const value of [...planted, "Ada Lovelace"]) {
      expect(text.includes(value), `${value} in ${where}`).toBe(false)
    }
  }
  expect(said.log + said.events + said.errors).not.toMatch(new RegExp(`(?<!\\d)${otp}(?!\\d)`))
  const own = await show(`/v1/kyc/verifications/${String(json["verification_id"])}`)
  expect(own.text).toContain(email)
  expect(own.text).not.toContain("QZ99887766")
})

test("a reset erases verifications and messages, and not the counts of codes", async () => {
  const { api_key } = app.seller
  const key = api_key.key
  const body = { ...basic(), agent_id: "an agent of the seller's" }
  const submit = () => app.call("POST", "/v1/kyc/verify", { key, body })
  const { json } = await submit()
  const path = `/v1/kyc/verifications/${String(json["verification_id"])}`
  for (const _ of [2, 3, 4, 5]) await submit()
  await app.call("POST", "/v1/sandbox/reset", { key })
  expect((await app.call("GET", path, { key })).status).toBe(404)
  expect((await app.call("GET", "/v1/sandbox/messages", { key })).json["data"]).toEqual([])
  expect((await submit()).status).toBe(429)
})
