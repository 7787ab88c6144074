import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { activeService, type App, startApp } from "../support/app.ts"
import { documentOf, undocumented, unnested } from "../support/documented.ts"

type Json = { readonly [field: string]: unknown }

let app: App
let service: string
let automatic: string
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  service = await activeService(app)
  automatic = await activeService(app, {
    name: "Automatic",
    revocation_policy: {
      auto_revoke_on_refund: true,
      default_targets: [{ type: "session" }, { type: "license_key", scope: "all" }],
    },
  })
})
afterAll(() => app.stop())

const paid = async (of = service): Promise<string> => {
  const body = {
    service_id: of,
    type: "one_time",
    amount: { currency: "USD", value: 699 },
    description: "A report",
  }
  const made = await app.call("POST", "/v1/payment-intents", { key: app.buyer.api_key.key, body })
  const id = String(made.json["id"])
  const simulate = `/v1/sandbox/payment-intents/${id}/simulate`
  await app.call("POST", simulate, { body: { action: "authorize" } })
  await app.call("POST", `/v1/payment-intents/${id}/capture`)
  await advance(3)
  return id
}

const advance = (seconds: number) =>
  app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds } })

const refund = (payment_intent: string, said: object = {}) =>
  app.call("POST", "/v1/refunds", { body: { payment_intent, ...said } })

const faults = (said: object) =>
  app.call("PUT", "/v1/sandbox/channels/wallet_a/faults", { body: said })

const part = (value: number) => ({ amount: { currency: "USD", value } })

const get = async (id: unknown) => (await app.call("GET", `/v1/refunds/${String(id)}`)).json

const revocationsOf = (json: Json) => json["revocations"] as ReadonlyArray<Json>

const register = (payment_intent: string, type: string, id: string) =>
  app.call("POST", "/v1/access-items", { body: { payment_intent, type, id } })

const ask = async (type: string, id: string) =>
  (await app.call("POST", "/v1/access-items/introspect", { body: { type, id } })).json

const eventsOf = async (refundId: unknown) => {
  const { json } = await app.call("GET", "/v1/events?limit=100")
  const all = json["data"] as ReadonlyArray<{ readonly type: string; readonly data: Json }>
  return all.filter(({ data }) => data["refund_id"] === refundId)
}

const token = (id: string, scope?: string) => ({
  type: "access_token",
  id,
  ...(scope !== undefined && { scope }),
})

describe("a refund with targets", () => {
  test("revokes them once the channel has confirmed it, and says what became of each", async () => {
    const id = await paid()
    await register(id, "access_token", "a1")
    const targets = [token("a1"), token("flaky_a"), token("missing_a"), token("a2", "read:reports")]
    const made = await refund(id, { ...part(174), revoke: { targets } })
    expect(made.status).toBe(201)
    const target = { target_type: "access_token", status: "pending" }
    expect(revocationsOf(made.json)).toEqual([
      { ...target, target_id: "a1", scope: "read:summary" },
      { ...target, target_id: "flaky_a", scope: "read:summary" },
      { ...target, target_id: "missing_a", scope: "read:summary" },
      { ...target, target_id: "a2", scope: "read:reports" },
    ])
    expect(made.json["revocation_batch_status"]).toBeUndefined()
    expect(await ask("access_token", "a1")).toMatchObject({ active: true, revoked_scopes: [] })

    await advance(1)
    const soon = await get(made.json["id"])
    expect(soon["status"]).toBe("succeeded")
    expect(revocationsOf(soon).map(({ status }) => status)).toEqual([
      "revoked",
      "pending",
      "pending",
      "revoked",
    ])
    expect(soon["revocation_batch_status"]).toBeUndefined()
    expect(await ask("access_token", "a1")).toEqual({
      active: true,
      scopes: ["all"],
      revoked_scopes: ["read:summary"],
    })

    await advance(30)
    const done = await get(made.json["id"])
    expect(done["revocation_batch_status"]).toBe("completed")
    expect(revocationsOf(done).map(({ status }) => status)).toEqual([
      "revoked",
      "revoked",
      "failed",
      "revoked",
    ])
    expect(revocationsOf(done)[2]).toMatchObject({ error: { code: "revocation_target_not_found" } })
    const told = await eventsOf(made.json["id"])
    const count = (type: string) => told.filter((event) => event.type === type).length
    expect(count("revocation.succeeded")).toBe(3)
    expect(count("revocation.failed")).toBe(1)
    const batches = told.filter(({ type }) => type === "revocation.batch.completed")
    expect(batches.map(({ data }) => data)).toMatchObject([
      { total_targets: 4, revoked: 3, failed: 1 },
    ])

    await advance(90 * 86_400)
    const old = revocationsOf(await get(made.json["id"])).map(({ status }) => status)
    expect(old).toEqual(["expired", "expired", "failed", "expired"])
    expect(await ask("access_token", "a1")).toMatchObject({ revoked_scopes: ["read:summary"] })
  })

  test.each([
    [174, "read:summary"],
    [175, "read:detail"],
    [349, "read:detail"],
    [350, "read:full"],
    [524, "read:full"],
    [525, "all"],
    [699, "all"],
  ])("of %d from 699 takes %s", async (value, scope) => {
    const made = await refund(await paid(), {
      ...part(value),
      revoke: { targets: [token(`ratio_${value}`)] },
    })
    expect(revocationsOf(made.json)[0]?.["scope"]).toBe(scope)
  })

  test("that the channel rejects at once revokes nothing", async () => {
    const id = await paid()
    await register(id, "session", "kept")
    await faults({ refund_rejects: true })
    const revoke = { targets: [{ type: "session", id: "kept" }] }
    const made = await refund(id, { revoke })
    await faults({ refund_rejects: false })
    expect([made.status, unnested(made.json)["code"]]).toEqual([409, "REFUND_CHANNEL_REJECTED"])
    await advance(60)
    expect(await ask("session", "kept")).toMatchObject({ active: true })
    const again = await refund(id, { revoke })
    expect(again.status).toBe(201)
    await advance(1)
    expect(await ask("session", "kept")).toMatchObject({ active: false })
  })

  test("that the channel rejects later drops what it was to revoke", async () => {
    const id = await paid()
    await register(id, "session", "kept till the end")
    await faults({ refund_rejects_late: true })
    const revoke = { targets: [{ type: "session", id: "kept till the end" }] }
    const made = await refund(id, { revoke })
    expect([made.status, made.json["status"]]).toEqual([201, "pending"])
    expect(revocationsOf(made.json)).toMatchObject([{ status: "pending" }])
    await advance(60)
    await faults({ refund_rejects_late: false })
    expect(await get(made.json["id"])).toMatchObject({ status: "failed", revocations: [] })
    expect(await ask("session", "kept till the end")).toMatchObject({ active: true })
    expect(await eventsOf(made.json["id"])).toEqual([])
    // The planned revocation no longer counts, so a partial refund with targets is accepted.
    const again = await refund(id, { ...part(100), revoke })
    expect(again.status).toBe(201)
    await advance(1)
    const told = (await eventsOf(again.json["id"])).map(({ type }) => type)
    expect(told.toSorted()).toEqual(["revocation.batch.completed", "revocation.succeeded"])
  })

  test("after one that revoked all is refused, and a refund without targets is not", async () => {
    const id = await paid()
    await refund(id, { ...part(600), revoke: { targets: [token("gone")] } })
    await advance(2)
    const refused = await refund(id, { ...part(50), revoke: { targets: [token("other")] } })
    expect([refused.status, unnested(refused.json)["code"]]).toEqual([
      409,
      "refund_exceeds_revocable",
    ])
    expect(undocumented(await documentOf(app), "POST", "/v1/refunds", refused)).toBeUndefined()
    expect((await refund(id, part(50))).status).toBe(201)
  })
})

describe("a service's policy", () => {
  test("revokes the payment's items, each by its default target", async () => {
    const id = await paid(automatic)
    for (const [type, item] of [
      ["session", "s1"],
      ["session", "s2"],
      ["license_key", "k1"],
      ["access_token", "t1"],
    ] as const) {
      await register(id, type, item)
    }
    await register(await paid(automatic), "session", "of another payment")
    const made = await refund(id, part(350))
    expect(revocationsOf(made.json)).toMatchObject([
      { target_type: "session", target_id: "s1", scope: "read:full" },
      { target_type: "session", target_id: "s2", scope: "read:full" },
      { target_type: "license_key", target_id: "k1", scope: "all" },
    ])
    await advance(1)
    expect((await get(made.json["id"]))["revocation_batch_status"]).toBe("completed")
    expect(await ask("license_key", "k1")).toMatchObject({ active: false })
    expect(await ask("access_token", "t1")).toMatchObject({ active: true })
    expect(await ask("session", "of another payment")).toMatchObject({ active: true })
  })

  test("leaves no access to what was refunded in full by parts", async () => {
    const id = await paid(automatic)
    await register(id, "session", "in parts")
    const parts = [100, 100, 100, 100, 100, 100]
    for (const value of parts) {
      expect((await refund(id, part(value))).status).toBe(201)
      await advance(1)
      expect(await ask("session", "in parts")).toMatchObject({ active: true })
    }
    const last = await refund(id)
    expect(revocationsOf(last.json)).toMatchObject([{ target_id: "in parts", scope: "all" }])
    await advance(1)
    expect(await ask("session", "in parts")).toMatchObject({ active: false })
  })

  test("gives way to the request: other targets, or none", async () => {
    const id = await paid(automatic)
    await register(id, "session", "s3")
    const none = await refund(id, { ...part(100), revoke: { auto_revoke: false } })
    expect([none.status, none.json["revocations"]]).toEqual([201, []])
    const quiet = { targets: [token("named")], webhook_notify: false }
    const other = await refund(id, { ...part(100), revoke: quiet })
    expect(revocationsOf(other.json)).toMatchObject([{ target_id: "named" }])
    await advance(1)
    expect(await ask("session", "s3")).toMatchObject({ active: true })
    const types = (await eventsOf(other.json["id"])).map(({ type }) => type)
    expect(types).toEqual(["revocation.batch.completed"])
  })

  test("asks for no more than a refund can revoke, by either route", async () => {
    const scopes = ["read:reports", "write:notes"]
    const wide = await activeService(app, {
      name: "Wide",
      revocation_policy: {
        auto_revoke_on_refund: true,
        default_targets: scopes.map((scope) => ({ type: "session", scope })),
      },
    })
    const id = await paid(wide)
    for (let n = 0; n < 51; n += 1) await register(id, "session", `wide ${n}`)
    for (const path of ["/v1/refunds", `/v1/payment-intents/${id}/refund`]) {
      const body = path === "/v1/refunds" ? { payment_intent: id } : {}
      const refused = await app.call("POST", path, { body })
      expect([refused.status, unnested(refused.json)]).toMatchObject([
        422,
        { code: "revocation_limit_exceeded", details: { limit: 100, targets: 102 } },
      ])
      expect(undocumented(await documentOf(app), "POST", path, refused)).toBeUndefined()
    }
    expect((await refund(id, { revoke: { auto_revoke: false } })).status).toBe(201)
  })

  test("does not revoke where there is none", async () => {
    const id = await paid()
    await register(id, "session", "s4")
    expect((await refund(id)).json["revocations"]).toEqual([])
    await advance(1)
    expect(await ask("session", "s4")).toMatchObject({ active: true })
  })
})

describe("bad targets", () => {
  const many = Array.from({ length: 101 }, (_, n) => token(`t${n}`))
  test.each<[string, unknown, string]>([
    ["101 targets", { targets: many }, "revocation_limit_exceeded"],
    [
      "an unknown type",
      { targets: [{ type: "password", id: "x" }] },
      "revocation_target_invalid_type",
    ],
    [
      "a scope of another type",
      { targets: [{ type: "license_key", id: "x", scope: "read:reports" }] },
      "revocation_scope_invalid",
    ],
    ["no scope", { targets: [token("x", "")] }, "revocation_scope_invalid"],
    ["no targets", {}, "MISSING_REQUIRED_FIELD"],
    ["an empty list", { targets: [] }, "MISSING_REQUIRED_FIELD"],
    ["a control character", { targets: [token("a\u0007")] }, "INVALID_REQUEST"],
    ["an override of direction", { targets: [token("a\u202e")] }, "INVALID_REQUEST"],
    ["no identifier", { targets: [{ type: "session" }] }, "INVALID_REQUEST"],
    ["an object for a list", { targets: { 0: token("x") } }, "INVALID_REQUEST"],
    ["a text for a truth", { auto_revoke: "false" }, "INVALID_REQUEST"],
    ["null", null, "INVALID_REQUEST"],
  ])("%s", async (_, revoke, code) => {
    const id = await paid()
    const refused = await refund(id, { revoke })
    expect([refused.status, unnested(refused.json)["code"]]).toEqual([422, code])
    expect(undocumented(await documentOf(app), "POST", "/v1/refunds", refused)).toBeUndefined()
    const { json } = await app.call("GET", `/v1/refunds?payment_intent=${id}`)
    expect(json["data"]).toEqual([])
  })
})
