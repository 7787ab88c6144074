import { Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { answerOf, CODES } from "../../adapters/http/contract/Errors.ts"
import * as MemoryLeases from "../../adapters/memory/MemoryRateLeases.ts"
import * as MemoryStore from "../../adapters/memory/MemoryStore.ts"
import { HOLDINGS } from "../../core/accounts/Holding.ts"
import { PLAN_TERMS } from "../../core/billing/Plan.ts"
import { layer as requestLimits } from "../../core/billing/limitRequests.ts"
import { Store, StoreUnavailable } from "../../core/ports/Store.ts"
import {
  activeService,
  ADMIN_KEY,
  aManifest,
  type App,
  type Reply,
  startApp,
} from "../support/app.ts"
import { documentOf, undocumented, unnested } from "../support/documented.ts"
import { makeScript, SIGNATURE } from "../support/scriptedChannels.ts"

/** The store's next answer to any call. */
let storeMood: "well" | "away" | "silent" | "broken" = "well"

const moody = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.suspend((): Effect.Effect<A, E | StoreUnavailable, R> =>
    storeMood === "away"
      ? Effect.fail(new StoreUnavailable({ outcome: "not_stored", cause: "unplugged" }))
      : storeMood === "broken"
        ? Effect.die(new Error("a secret stack sk_test_0123456789abcdef"))
        : self,
  )

const store = Layer.effect(
  Store,
  Effect.map(Store, (inner) =>
    Store.of({
      ...inner,
      find: (kind, id) =>
        kind === "payment_intent" ? moody(inner.find(kind, id)) : inner.find(kind, id),
      ping: () => moody(inner.ping()),
      commit: (commit) => {
        const subject = commit.writes[0]?.record.id
        const lost = new StoreUnavailable({ outcome: "unknown", cause: "unplugged", subject })
        return storeMood === "silent" ? Effect.fail(lost) : inner.commit(commit)
      },
    }),
  ),
).pipe(Layer.provide(MemoryStore.layer))

let app: App
let service: string
let buyer: string
beforeAll(async () => {
  app = await startApp({ store })
  service = await activeService(app)
  buyer = app.buyer.api_key.key
})
afterAll(() => app.stop())

const seen = new Set<string>()

const expectRefusal = async (
  method: string,
  path: string,
  reply: Reply,
  expected: readonly [status: number, category: string, code: string],
) => {
  expect([reply.status, reply.json["error"], reply.json["code"]]).toEqual(expected)
  if (!path.startsWith("/v1/nothing") && reply.status !== 405) {
    expect(undocumented(await documentOf(app), method, path, reply)).toBeUndefined()
  }
  seen.add(String(reply.json["code"]))
}

const intentBody = (said: object = {}) => ({
  service_id: service,
  type: "one_time",
  amount: { currency: "USD", value: 699 },
  description: "A report",
  ...said,
})
const oneTimeBody = (said: object = {}) => ({
  ...intentBody(),
  payer: { agent_id: "agent-of-the-buyer" },
  ...said,
})

const anIntent = async () => {
  const made = await app.call("POST", "/v1/payment-intents", { key: buyer, body: intentBody() })
  return String(made.json["id"])
}

const callbackOf = (intent: string, said: object = {}) => ({
  channel: "wallet_a",
  out_trade_no: intent,
  trade_no: `trade-of-${intent}`,
  total_amount: "6.99",
  trade_status: "AUTHORIZED",
  ...said,
})

const call = async (
  method: string,
  path: string,
  expected: readonly [number, string, string],
  said: Parameters<App["call"]>[2] = {},
) => {
  const reply = await app.call(method, path, said)
  await expectRefusal(method, path, reply, expected)
  return reply
}

const INVALID = "validation_error"

const usd = (value: number) => ({ currency: "USD", value })

describe("who may call", () => {
  test.each([
    ["no key", { key: null }, "UNAUTHORIZED"],
    ["another scheme", { key: null, headers: { authorization: "Basic eDp5" } }, "UNAUTHORIZED"],
    ["an unknown key", { key: `sk_test_${"x".repeat(43)}` }, "INVALID_API_KEY"],
    ["no key at all", { key: "x" }, "INVALID_API_KEY"],
    ["the operator's key", { key: ADMIN_KEY }, "INVALID_API_KEY"],
  ])("401 for %s", async (_name, said, code) => {
    const reply = await call("GET", "/v1/api-keys", [401, "authentication_error", code], said)
    expect(reply.headers.get("www-authenticate")).toBe("Bearer")
  })

  test("401 for all but the operator on the operator's routes", async () => {
    const body = { name: "n", kind: "seller", agent_id: "a" }
    await call("POST", "/v1/accounts", [401, "authentication_error", "UNAUTHORIZED"], {
      key: null,
      body,
    })
    await call("POST", "/v1/accounts", [401, "authentication_error", "INVALID_API_KEY"], { body })
  })

  test("403 for what the account may not do", async () => {
    const id = await anIntent()
    const denied = [403, "authorization_error", "FORBIDDEN"] as const
    await call("POST", `/v1/payment-intents/${id}/capture`, denied, { key: buyer })
    await call("POST", "/v1/services", denied, { key: buyer, body: aManifest() })
  })

  test("404 for what belongs to others, as for what does not exist", async () => {
    const made = await app.call("POST", "/v1/services", { body: aManifest({ name: "A draft" }) })
    const path = `/v1/services/${String(made.json["id"])}`
    const theirs = await call("GET", path, [404, "not_found", "NOT_FOUND"], { key: buyer })
    const absent = await app.call("GET", "/v1/services/01997d3e-8a00-7000-8000-00000000ffff", {
      key: buyer,
    })
    expect(absent.text.replace(/"No .*"/, "")).toBe(theirs.text.replace(/"No .*"/, ""))
  })
})

describe("what is asked", () => {
  test("404 and 405 for routes that do not exist", async () => {
    await call("GET", "/v1/nothing", [404, "not_found", "NOT_FOUND"])
    const reply = await call("PUT", "/v1/services", [405, INVALID, "METHOD_NOT_ALLOWED"])
    expect(reply.headers.get("allow")).toBe("GET, HEAD, POST")
  })

  test.each([
    ["/v1/refunds/a/b", true],
    ["/v1/refunds/%zz", true],
    ["/v1/kyc/nothing", true],
    ["/v1/kyc", true],
    ["/v1/refund-requests/a/b/c", true],
    ["/v1/access-items/a/b", true],
    ["/v1/kycs", false],
    ["/v1/payment-intents/a/refund/b", false],
    ["/nothing", false],
  ])("404 at %s has the shape of its family, nested: %s", async (unknown, isNested) => {
    const { json, status } = await app.call("GET", unknown)
    const { code } = isNested ? (json["error"] as { readonly code: string }) : json
    expect([status, code]).toEqual([404, "NOT_FOUND"])
    expect(json["error"]).toEqual(isNested ? { code, message: expect.any(String) } : "not_found")
  })

  test("the live interface has no sandbox", async () => {
    const reply = await app.call("GET", "/v1/sandbox/channels")
    expect([reply.status, reply.json["code"]]).toEqual([404, "NOT_FOUND"])
  })

  test.each([
    ["/v1/services?limit=0"],
    ["/v1/services?limit=101"],
    ["/v1/services?limit=1e1"],
    ["/v1/services?limit="],
    ["/v1/services?offset=-1"],
    ["/v1/services?status=gone"],
    ["/v1/services?payment_method=cash"],
    ["/v1/services?channel=cash"],
    ["/v1/services?colour=red"],
    ["/v1/services?q=a&q=b"],
    ["/v1/services?q=%E0%A4"],
    ["/v1/payment-intents?status=capturing"],
    ["/v1/payment-intents?created_after=yesterday"],
    ["/v1/payment-intents?starting_after=pi_1"],
    ["/v1/payment-intents?service_id=1"],
    ["/v1/api-keys?starting_after=key_1"],
    ["/v1/merchant/webhook-secret?pretty=1"],
    ["/v1/channels?limit=1"],
  ])("400 for the query of %s", async (path) => {
    await call("GET", path, [400, INVALID, "INVALID_QUERY"])
  })

  test.each([["%00"], ["%27%3B--"], ["(((&"], ["%E2%80%AE"], ["a".repeat(5_000)]])(
    "no text to search for is refused: %s",
    async (q) => {
      expect((await app.call("GET", `/v1/services?q=${q}`)).status).toBe(200)
    },
  )

  test("400, 413 and 415 for bodies that are none", async () => {
    await call("POST", "/v1/services", [400, INVALID, "INVALID_JSON"], { body: "[]" })
    await call("POST", "/v1/services", [413, INVALID, "PAYLOAD_TOO_LARGE"], {
      body: { name: "x".repeat(70_000) },
    })
    await call("POST", "/v1/services", [415, INVALID, "UNSUPPORTED_MEDIA_TYPE"], {
      body: "{}",
      headers: { "content-type": "text/plain" },
    })
  })
})

describe("registration", () => {
  test.each([
    ["MISSING_REQUIRED_FIELD", "name", { name: undefined }],
    ["MISSING_REQUIRED_FIELD", "description", { description: "  " }],
    ["MISSING_REQUIRED_FIELD", "accepted_channels", { accepted_channels: [] }],
    ["INVALID_REQUEST", "name", { name: "n".repeat(129) }],
    ["INVALID_REQUEST", "qr_mode", { qr_mode: "holographic" }],
    ["INVALID_PRICING", "payment_methods", { payment_methods: { one_time: false } }],
    ["INVALID_PRICING", "pricing", { pricing: {} }],
    ["UNSUPPORTED_CHANNEL", "accepted_channels", { accepted_channels: ["cash"] }],
    ["INVALID_URL", "endpoint", { endpoint: "ftp://weather.example" }],
  ])("422 %s names the field %s", async (code, field, said) => {
    const body = aManifest(said)
    const reply = await call("POST", "/v1/services", [422, INVALID, code], { body })
    expect(String(reply.json["field"]).split(".")[0]).toBe(field)
  })

  test("409 for a name, an agent and a move that are taken", async () => {
    const opened = await app.call("POST", "/v1/accounts", {
      key: ADMIN_KEY,
      body: { name: "Another", kind: "seller", agent_id: "agent-of-another" },
    })
    const { key } = opened.json["api_key"] as { readonly key: string }
    await call("POST", "/v1/services", [409, "conflict", "DUPLICATE_NAME"], {
      key,
      body: aManifest(),
    })
    await call("POST", "/v1/accounts", [409, "conflict", "AGENT_ID_TAKEN"], {
      key: ADMIN_KEY,
      body: { name: "Another", kind: "seller", agent_id: "agent-of-another" },
    })
    await call("PATCH", `/v1/services/${service}/resume`, [409, "conflict", "INVALID_TRANSITION"])
  })
})

test("409 for use of an agent that has not started it", async () => {
  const path = `/v1/services/${service}/usage`
  await call("POST", path, [409, "conflict", "USAGE_NOT_STARTED"], {
    body: { agent_id: "nobody", quantity: 1, idempotency_key: "k" },
  })
})

test("409 for a plan that the agent has a subscription to", async () => {
  const plan = { plan_id: "p", name: "P", amount: 1, currency: "USD", interval: "monthly" }
  const sold = await activeService(app, {
    name: "By the month",
    payment_methods: { subscription: true },
    pricing: { subscription: [plan] },
  })
  const path = `/v1/service-manifests/${sold}/subscribe`
  const said = { key: buyer, body: { plan_id: "p" } }
  expect((await app.call("POST", path, said)).status).toBe(201)
  await call("POST", path, [409, "conflict", "ALREADY_SUBSCRIBED"], said)
})

describe("payments", () => {
  const create = (
    expected: readonly [number, string, string],
    said: object,
    path = "/v1/payment-intents",
  ) => call("POST", path, expected, { key: buyer, body: said })

  test.each(["0", "-1", "1.5", `"5"`, "null", "true", "1e400", "1000000000001", "{}"])(
    "400 INVALID_AMOUNT for the value %s",
    async (value) => {
      const body = JSON.stringify(intentBody({ amount: 0 })).replace(
        `"amount":0`,
        `"amount":{"currency":"USD","value":${value}}`,
      )
      const reply = await app.call("POST", "/v1/payment-intents", { key: buyer, body })
      await expectRefusal("POST", "/v1/payment-intents", reply, [400, INVALID, "INVALID_AMOUNT"])
    },
  )

  test("403 INSUFFICIENT_KYC for what an agent that was not verified may not pay", async () => {
    const expected = [403, "authorization_error", "INSUFFICIENT_KYC"] as const
    const payer = { agent_id: "a-new-helper" }
    const amount = { currency: "USD", value: 1_001 }
    await create(expected, intentBody({ amount, payer }))
    await create(expected, oneTimeBody({ amount, payer }), "/v1/payments/one-time")
    await create(expected, oneTimeBody({ amount, payer }), "/v1/payments")
    await create(expected, { amount: { currency: "USD", value: 1_000_001 } }, "/v1/payments")
  })

  test("403 for caps that the plan does not have, and that are passed", async () => {
    const path = `/v1/services/${service}/installs`
    const put = { key: buyer, body: { spend_cap: { amount: usd(10), period: "daily" } } }
    await call("POST", path, [403, "authorization_error", "PLAN_LIMIT_EXCEEDED"], put)
    const plan = (name: string) =>
      app.call("PATCH", `/v1/accounts/${app.seller.id}`, { key: ADMIN_KEY, body: { plan: name } })
    await plan("pro")
    expect((await app.call("POST", path, put)).status).toBe(201)
    const expected = [403, "authorization_error", "SPEND_CAP_EXCEEDED"] as const
    await create(expected, intentBody())
    await create(expected, oneTimeBody(), "/v1/payments/one-time")
    await create(expected, oneTimeBody(), "/v1/payments")
    expect((await app.call("DELETE", path, { key: buyer })).status).toBe(200)
    await plan("starter")
  })

  test("POST /v1/payments answers 200 to a question and 201 with a payment", async () => {
    const amount = { currency: "USD", value: 1_000 }
    const post = (body: object) => app.call("POST", "/v1/payments", { key: buyer, body })
    const asked = await post({ amount, kyc_level: "basic" })
    expect([asked.status, asked.json["current_kyc_level"]]).toEqual([200, "basic"])
    const paid = await post(oneTimeBody({ amount }))
    expect([paid.status, paid.json["status"]]).toEqual([201, "pending"])
  })

  test("400 for currencies, payers and metadata that do not fit", async () => {
    const amount = { currency: "XXX", value: 1 }
    await create([400, INVALID, "INVALID_AMOUNT"], intentBody({ amount }))
    await create(
      [400, INVALID, "INVALID_PAYER"],
      oneTimeBody({ payer: {} }),
      "/v1/payments/one-time",
    )
    await create(
      [400, INVALID, "INVALID_METADATA"],
      intentBody({ metadata: { note: "é".repeat(2_048) } }),
    )
  })

  test("404 and 409 for services that cannot be paid", async () => {
    const unknown = intentBody({ service_id: "01997d3e-8a00-7000-8000-00000000ffff" })
    await create([404, "not_found", "NOT_FOUND"], unknown)
    const paused = await activeService(app, { name: "Paused" })
    await app.call("PATCH", `/v1/services/${paused}/pause`)
    const body = intentBody({ service_id: paused })
    await create([404, "not_found", "NOT_FOUND"], body)
    await app.call("PATCH", `/v1/services/${paused}/deprecate`)
    await create([409, "conflict", "SERVICE_NOT_ACTIVE"], body)
  })

  test("422 for channels that cannot be used", async () => {
    const channel = intentBody({ payer_channel: "wallet_f" })
    await create([422, INVALID, "CHANNEL_UNAVAILABLE"], channel)
    const bank = await activeService(app, {
      name: "By bank",
      accepted_channels: ["bank_qr_a"],
      default_channel: "bank_qr_a",
      settlement_currency: "SGD",
      pricing: { one_time: [{ amount: 1, currency: "SGD", label: "x" }] },
    })
    const amount = { currency: "SGD", value: 1 }
    const body = oneTimeBody({ service_id: bank, amount, channel: "bank_qr_a" })
    await create([422, INVALID, "CHANNEL_NO_DEEPLINK"], body, "/v1/payments/one-time")
  })

  test("503 and 400 for channels that do not work", async () => {
    app.script.health = () => "down"
    const body = intentBody({ payer_channel: "wallet_a" })
    const reply = await create(
      [503, "service_unavailable", "CHANNEL_TEMPORARILY_UNAVAILABLE"],
      body,
    )
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0)
    app.script.health = () => "up"
    app.script.refuse = () => "credentials"
    await create([400, INVALID, "CHANNEL_CONFIGURATION_ERROR"], body)
    app.script.refuse = () => undefined
  })

  test("409 for a One-Time payment that exists, and for keys", async () => {
    const body = oneTimeBody({ metadata: { order: "the-same" } })
    await app.call("POST", "/v1/payments/one-time", { key: buyer, body })
    const used = [409, "conflict", "IDEMPOTENCY_KEY_USED"] as const
    const reply = await create(used, body, "/v1/payments/one-time")
    expect(reply.json["details"]).toMatchObject({ payment_intent: expect.stringMatching(/^pi_/) })
  })

  test("400 invalid_state for what a payment's state forbids", async () => {
    const id = await anIntent()
    const wrong = [400, "invalid_state", "INVALID_TRANSITION"] as const
    await call("POST", `/v1/payment-intents/${id}/capture`, wrong)
    await app.call("POST", `/v1/payment-intents/${id}/void`)
    await call("POST", `/v1/payment-intents/${id}/cancel`, wrong)
  })

  test("502 when the channel refuses to capture", async () => {
    const id = await anIntent()
    await app.call("POST", "/v1/webhooks/channel/wallet_a", {
      body: callbackOf(id),
      headers: { "x-channel-signature": SIGNATURE },
    })
    app.script.answer = () => Effect.succeed({ type: "refused", message: "no" })
    await call("POST", `/v1/payment-intents/${id}/capture`, [502, "channel_error", "CHANNEL_ERROR"])
    app.script.answer = makeScript().answer
  })

  test("409 while the first request with a key runs", async () => {
    const id = await anIntent()
    await app.call("POST", "/v1/webhooks/channel/wallet_a", {
      body: callbackOf(id),
      headers: { "x-channel-signature": SIGNATURE },
    })
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const original = app.script.answer
    app.script.answer = (question) =>
      Effect.andThen(
        Effect.promise(() => held),
        original(question),
      )
    const headers = { "idempotency-key": "one at a time".replaceAll(" ", "-") }
    const first = app.call("POST", `/v1/payment-intents/${id}/capture`, { headers })
    await expect.poll(() => app.script.calls.at(-1)?.out_trade_no).toBe(id)
    const reply = await call(
      "POST",
      `/v1/payment-intents/${id}/capture`,
      [409, "conflict", "IDEMPOTENCY_KEY_IN_PROGRESS"],
      { headers },
    )
    expect(reply.headers.get("retry-after")).toBe("1")
    release()
    expect((await first).status).toBe(200)
    app.script.answer = original
  })
})

describe("callbacks", () => {
  const send = async (
    expected: readonly [number, string, string],
    body: unknown,
    signature: string = SIGNATURE,
    channel = "wallet_a",
  ) => {
    const path = `/v1/webhooks/channel/${channel}`
    const headers = { "x-channel-signature": signature }
    const reply = await call("POST", path, expected, { key: null, body, headers })
    expect(reply.headers.get("www-authenticate")).toBeNull()
  }

  test("are refused for their signature, channel, intent, amount", async () => {
    const id = await anIntent()
    const forged = [401, "authentication_error", "webhook_signature_invalid"] as const
    await send(forged, callbackOf(id), "forged")
    await send([404, "not_found", "NOT_FOUND"], callbackOf(id), SIGNATURE, "cash")
    const unknown = callbackOf("pi_01997d3e-8a00-7000-8000-00000000ffff")
    await send([404, "not_found", "NOT_FOUND"], unknown)
    const less = callbackOf(id, { total_amount: "6.98" })
    await send([400, INVALID, "AMOUNT_MISMATCH"], less)
    const other = callbackOf(id, { channel: "wallet_b" })
    await send([400, INVALID, "CHANNEL_MISMATCH"], other, SIGNATURE, "wallet_b")
  })
})

describe("webhook endpoints and keys", () => {
  const path = "/v1/webhook-endpoints"
  const body = { url: "https://receiver.example", enabled_events: ["*"] }

  test("422 for a key that everybody could open", async () => {
    const public_key = Buffer.alloc(32).toString("base64")
    const refused = [422, INVALID, "INVALID_PUBLIC_KEY"] as const
    await call("POST", "/v1/merchant/webhook-keys", refused, { body: { public_key } })
    await call("POST", path, refused, { body: { ...body, encryption: { public_key } } })
  })

  test("422 for a field that would be believed to disable an endpoint", async () => {
    const { id } = (await app.call("POST", path, { body })).json
    const refused = [422, INVALID, "INVALID_REQUEST"] as const
    const { json } = await call("PATCH", `${path}/${String(id)}`, refused, {
      body: { enabled: false },
    })
    expect(JSON.stringify(json)).toContain("status")
    const disabled = { body: { status: "disabled" } }
    const { json: changed } = await app.call("PATCH", `${path}/${String(id)}`, disabled)
    expect(changed["status"]).toBe("disabled")
    await app.call("DELETE", `${path}/${String(id)}`)
  })

  test("403 for more endpoints than an account can have", async () => {
    for (let n = 0; n < HOLDINGS.starter.webhook_endpoints; n += 1) {
      expect((await app.call("POST", path, { body })).status).toBe(201)
    }
    const full = [403, "authorization_error", "PLAN_LIMIT_EXCEEDED"] as const
    await call("POST", path, full, { body })
  })

  test("403 for more keys than an account can have", async () => {
    const keys = "/v1/merchant/webhook-keys"
    const key = { body: { public_key: "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=" } }
    for (let n = 0; n < HOLDINGS.starter.webhook_keys; n += 1) {
      expect((await app.call("POST", keys, key)).status).toBe(201)
    }
    const full = [403, "authorization_error", "PLAN_LIMIT_EXCEEDED"] as const
    await call("POST", keys, full, key)
  })
})

describe("our own failures", () => {
  const path = "/v1/payment-intents/pi_01997d3e-8a00-7000-8000-00000000ffff"

  test("503 when the store is away, with when to come back", async () => {
    storeMood = "away"
    const away = [503, "service_unavailable", "TEMPORARILY_UNAVAILABLE"] as const
    const reply = await app.call("GET", path)
    const ready = await app.call("GET", "/readyz")
    const health = await app.call("GET", "/healthz")
    storeMood = "well"
    await expectRefusal("GET", path, reply, away)
    await expectRefusal("GET", "/readyz", ready, away)
    expect(ready.json["details"]).toEqual({ reason: "unreachable" })
    expect(reply.headers.get("retry-after")).toBe("1")
    expect(health.status).toBe(200)
  })

  test("503 when the store took a payment and said no more, which is named", async () => {
    storeMood = "silent"
    const reply = await app.call("POST", "/v1/payment-intents", { body: intentBody() })
    storeMood = "well"
    const unknown = [503, "service_unavailable", "OUTCOME_UNKNOWN"] as const
    await expectRefusal("POST", "/v1/payment-intents", reply, unknown)
    expect(reply.json["details"]).toEqual({ id: expect.stringMatching(/^pi_/) })
    expect(reply.headers.get("retry-after")).toBe("5")
  })

  test("500 shows the request's name and nothing of the inside; the log has the rest", async () => {
    storeMood = "broken"
    const reply = await app.call("GET", path, { headers: { "x-request-id": "the-broken-one" } })
    storeMood = "well"
    await expectRefusal("GET", path, reply, [500, "internal_error", "INTERNAL_ERROR"])
    expect(reply.json["request_id"]).toBe("the-broken-one")
    expect(reply.text).not.toMatch(/secret|stack|sk_/)
    await expect
      .poll(() => app.lines.filter((line) => line.includes("the-broken-one")).length)
      .toBeGreaterThan(1)
    const logged = app.lines.filter((line) => line.includes("the-broken-one")).join("\n")
    expect(logged).toContain("a secret stack [hidden]")
  })
})

describe("access items", () => {
  const nested = async (body: object, status: number, code: string) => {
    const reply = await app.call("POST", "/v1/access-items", { body })
    expect([reply.status, unnested(reply.json)["code"]]).toEqual([status, code])
    expect(undocumented(await documentOf(app), "POST", "/v1/access-items", reply)).toBeUndefined()
    seen.add(code)
  }

  test("422 for types and scopes that there are not, 400 for payments not made", async () => {
    const body = { payment_intent: await anIntent(), type: "session", id: "s1" }
    await nested({ ...body, type: "password" }, 422, "revocation_target_invalid_type")
    await nested({ ...body, scopes: ["everything"] }, 422, "revocation_scope_invalid")
    await nested(body, 400, "INVALID_TRANSITION")
    await nested({ ...body, payment_intent: "pi_x" }, 404, "NOT_FOUND")
  })
})

describe("identity verification", () => {
  const path = "/v1/kyc/verify"
  const nested = async (body: object, status: number, code: string) => {
    const reply = await app.call("POST", path, { body })
    expect([reply.status, unnested(reply.json)["code"]]).toEqual([status, code])
    expect(undocumented(await documentOf(app), "POST", path, reply)).toBeUndefined()
    seen.add(code)
    return reply
  }
  const basic = {
    agent_id: "an agent",
    level: "basic",
    data: { email: "ada@example.com", phone: "+14155550123" },
  }

  test("400 for fields, with the field and the reason", async () => {
    const { json } = await nested({ ...basic, data: {} }, 400, "validation_error")
    expect(unnested(json)["details"]).toEqual({ field: "data.email", reason: "missing_field" })
  })

  test("401 for codes, and 429 for too many of them", async () => {
    const { json } = await app.call("POST", path, { body: basic })
    const answer = { verification_id: json["verification_id"], otp: "000000" }
    await nested(answer, 401, "invalid_otp")
    for (const _ of [2, 3, 4, 5]) await app.call("POST", path, { body: basic })
    const reply = await nested(basic, 429, "OTP_RATE_LIMITED")
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(3_500)
  })
})

describe("quotes and refunds, which take a sandbox's time and channels", () => {
  let sandbox: App
  let shop: string
  let bank: string
  beforeAll(async () => {
    sandbox = await startApp({ sandbox: true })
    shop = await activeService(sandbox)
    bank = await activeService(sandbox, {
      name: "By bank",
      accepted_channels: ["bank_qr_b"],
      default_channel: "bank_qr_b",
      settlement_currency: "BRL",
      pricing: { one_time: [{ amount: 1, currency: "BRL", label: "x" }] },
    })
  })
  afterAll(() => sandbox.stop())

  const brl = (value: number) => ({ currency: "BRL", value })

  const ask = async (path: string, body: object, key = sandbox.seller.api_key.key) => {
    const reply = await sandbox.call("POST", path, { key, body })
    if (reply.status >= 400) {
      expect(undocumented(await documentOf(sandbox), "POST", path, reply)).toBeUndefined()
    }
    return reply
  }

  const nested = async (body: object, status: number, code: string) => {
    const reply = await ask("/v1/refunds", body)
    expect([reply.status, unnested(reply.json)["code"]]).toEqual([status, code])
    seen.add(code)
  }

  const advance = (seconds: number) => ask("/v1/sandbox/clock/advance", { seconds })

  const asked = async (service_id: string, amount: object) => {
    const body = { service_id, type: "one_time", amount, description: "A report" }
    const { json } = await ask("/v1/payment-intents", body, sandbox.buyer.api_key.key)
    return String(json["id"])
  }

  const paid = async (service_id: string, amount: object) => {
    const id = await asked(service_id, amount)
    await ask(`/v1/sandbox/payment-intents/${id}/simulate`, { action: "authorize" })
    const captured = await ask(`/v1/payment-intents/${id}/capture`, {})
    expect(captured.json["status"]).toBe("captured")
    return id
  }

  const refusal = (reply: Reply, expected: Parameters<typeof expectRefusal>[3], path: string) =>
    expectRefusal("POST", path, reply, expected)

  test("402, 403 and 409 for proofs of payments", async () => {
    const bound = { service_id: shop, amount: { currency: "USD", value: 699 }, resource: "GET /a" }
    const open = async () => {
      const { json } = await ask("/v1/payment-challenges", bound)
      return json["payment_intent"] as { readonly id: string; readonly token: string }
    }
    const redeem = async (id: string, token: string, expected: Parameters<typeof refusal>[1]) => {
      const path = `/v1/payment-challenges/${id}/redeem`
      await refusal(await ask(path, { ...bound, token }), expected, path)
    }
    const { id, token } = await open()
    await redeem(id, "a-guess", [403, "authorization_error", "PAYMENT_PROOF_INVALID"])
    await redeem(id, token, [402, "payment_required", "PAYMENT_REQUIRED"])
    await ask(`/v1/sandbox/payment-intents/${id}/simulate`, { action: "authorize" })
    const faults = (said: object) =>
      sandbox.call("PUT", "/v1/sandbox/channels/wallet_a/faults", { body: said })
    await faults({ timeout: true })
    await redeem(id, token, [409, "conflict", "PAYMENT_UNRESOLVED"])
    await faults({ timeout: false })
    await advance(60)
    const path = `/v1/payment-challenges/${id}/redeem`
    expect((await ask(path, { ...bound, token })).status).toBe(200)
    await redeem(id, token, [409, "conflict", "PAYMENT_PROOF_USED"])

    const name = { payment_identifier: "purchase_00000001" }
    const show = async (payment: Awaited<ReturnType<typeof open>>) => {
      await ask(`/v1/sandbox/payment-intents/${payment.id}/simulate`, { action: "authorize" })
      const body = { ...bound, ...name, token: payment.token }
      return ask(`/v1/payment-challenges/${payment.id}/redeem`, body)
    }
    expect((await show(await open())).status).toBe(200)
    const other = await open()
    const taken: Parameters<typeof refusal>[1] = [409, "conflict", "PAYMENT_IDENTIFIER_USED"]
    await refusal(await show(other), taken, `/v1/payment-challenges/${other.id}/redeem`)
  })

  test("409 for quotes that were used, or are over", async () => {
    const key = sandbox.buyer.api_key.key
    const route = async (wait: number, code: string) => {
      const body = { amount: usd(699), settlement_currency: "USD", service_id: shop }
      const quote = await ask("/v1/fx/quotes", body, key)
      const said = { quote_id: quote.json["id"], service_id: shop, description: "A report" }
      if (wait > 0) await advance(wait)
      else expect((await ask("/v1/fx/routes", said, key)).status).toBe(201)
      const reply = await ask("/v1/fx/routes", said, key)
      expect([reply.status, reply.json["error"], reply.json["code"]]).toEqual([
        409,
        "conflict",
        code,
      ])
      seen.add(code)
    }
    await route(0, "QUOTE_USED")
    await route(60, "QUOTE_EXPIRED")
  })

  test("409 for refunds that the payment, its channel or its limits do not allow", async () => {
    await nested({ payment_intent: await asked(shop, usd(699)) }, 409, "REFUND_NOT_ALLOWED")
    const id = await paid(shop, usd(699))
    await nested({ payment_intent: id, amount: usd(700) }, 409, "REFUND_EXCEEDS_PAYMENT")
    const whole = await paid(bank, brl(500))
    await nested({ payment_intent: whole, amount: brl(1) }, 409, "REFUND_LIMIT_EXCEEDED")
    const faults = (said: object) =>
      sandbox.call("PUT", "/v1/sandbox/channels/wallet_a/faults", { body: said })
    await faults({ refund_rejects: true })
    await nested({ payment_intent: id }, 409, "REFUND_CHANNEL_REJECTED")
    await faults({ refund_rejects: false })
    await advance(90 * 86_400 + 60)
    await nested({ payment_intent: whole }, 400, "REFUND_WINDOW_EXPIRED")
  })

  test("409 for a tab whose bill was given up, until that is paid", async () => {
    const sold = await activeService(sandbox, {
      name: "By use",
      payment_methods: { cumulative: true },
      pricing: {
        cumulative: { unit: "call", rate: "5", currency: "USD", billing_cycle: "daily" },
      },
    })
    const path = `/v1/services/${sold}/tab`
    const key = sandbox.buyer.api_key.key
    expect((await ask(path, {}, key)).status).toBe(201)
    const { agent_id } = sandbox.buyer
    const use = { agent_id, quantity: 2, idempotency_key: "k" }
    expect((await ask(`/v1/services/${sold}/usage`, use)).status).toBe(201)
    await advance(86_400)
    await advance(14 * 86_400)
    const refused = await ask(path, {}, key)
    expect([refused.status, refused.json["code"]]).toEqual([409, "INVOICE_UNPAID"])
    const { invoice } = refused.json["details"] as { readonly invoice: string }
    const payment = await ask(`/v1/invoices/${invoice}/pay`, {}, key)
    const simulated = `/v1/sandbox/payment-intents/${String(payment.json["id"])}/simulate`
    expect((await ask(simulated, { action: "pay" })).json["status"]).toBe("completed")
    expect((await ask(path, {}, key)).status).toBe(201)
    seen.add("INVOICE_UNPAID")
  })

  test("422 and 409 for more than can be revoked", async () => {
    const payment_intent = await paid(shop, usd(699))
    const targets = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ type: "session", id: `s${n}` }))
    const revoke = { targets: targets(101) }
    await nested({ payment_intent, revoke }, 422, "revocation_limit_exceeded")
    const most = { payment_intent, amount: usd(600), revoke: { targets: targets(1) } }
    expect((await ask("/v1/refunds", most)).status).toBe(201)
    const rest = { payment_intent, amount: usd(50), revoke: { targets: targets(1) } }
    await nested(rest, 409, "refund_exceeds_revocable")
  })
})

/** White, 16 pixels wide and high. */
const BLANK =
  "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQMAAAAlPW0iAAAAA1BMVEX///+nxBvIAAAACXBIWXMA" +
  "AAPoAAAD6AG1e1JrAAAADElEQVQImWNgIA0AAAAwAAFDlLdnAAAAAElFTkSuQmCC"

describe("images", () => {
  const scanned = async (image: string, code: "INVALID_IMAGE" | "QR_NOT_FOUND") => {
    const path = "/v1/ai/scan-qr"
    const reply = await app.call("POST", path, { body: { image } })
    await expectRefusal("POST", path, reply, [422, "validation_error", code])
  }

  test("422 for what is none, and for one without a code", async () => {
    await scanned("bm90IGFuIGltYWdl", "INVALID_IMAGE")
    await scanned(BLANK, "QR_NOT_FOUND")
  })
})

test("403 for an account that the operator has suspended", async () => {
  const opened = await app.call("POST", "/v1/accounts", {
    key: ADMIN_KEY,
    body: { name: "Suspended", kind: "buyer", agent_id: "agent-of-the-suspended" },
  })
  const { key } = opened.json["api_key"] as { readonly key: string }
  const path = `/v1/accounts/${String(opened.json["id"])}/suspend`
  expect((await app.call("POST", path, { key: ADMIN_KEY })).status).toBe(200)
  const reply = await app.call("GET", "/v1/channels", { key })
  await expectRefusal("GET", "/v1/channels", reply, [
    403,
    "authorization_error",
    "ACCOUNT_SUSPENDED",
  ])
})

test("429 for more requests a minute than the plan has", async () => {
  const limits = Layer.provide(requestLimits(PLAN_TERMS), MemoryLeases.layer)
  const limited = await startApp({ store: Layer.merge(MemoryStore.layer, limits) })
  const replies: Array<Reply> = []
  for (let n = 0; n < 110; n++) replies.push(await limited.call("GET", "/v1/channels"))
  const refused = replies.find(({ status }) => status !== 200)
  if (refused === undefined) throw new Error("110 of 100 requests were served")
  const expected = [429, "rate_limited", "RATE_LIMIT_EXCEEDED"] as const
  await expectRefusal("GET", "/v1/channels", refused, expected)
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
  await limited.stop()
})

test("503 before any work when as many requests are served as may be, and no probe", async () => {
  const full = await startApp({ intake: { most: 0 } })
  const refused = await full.call("GET", "/v1/channels")
  const expected = [503, "service_unavailable", "OVERLOADED"] as const
  await expectRefusal("GET", "/v1/channels", refused, expected)
  expect(refused.headers.get("retry-after")).toBe("1")
  for (const probe of ["/healthz", "/readyz", "/metrics"]) {
    expect((await full.call("GET", probe)).status).toBe(200)
  }
  await full.stop()
})

test("every code of the table was answered here", () => {
  const missing = CODES.filter((code) => !seen.has(code))
  expect(missing).toEqual([])
  expect(answerOf("INVALID_TRANSITION", "service").status).toBe(409)
})
