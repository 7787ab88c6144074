import { HttpApi } from "effect/http-api"
import { createHash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { AdminKey } from "../../adapters/http/contract/Access.ts"
import { Api } from "../../adapters/http/contract/Api.ts"
import { ADMIN_KEY, type App, startApp } from "../support/app.ts"

let app: App
beforeAll(async () => {
  app = await startApp({ sandbox: true })
})
afterAll(() => app.stop())

type Json = { readonly [key: string]: unknown }

const operator = (method: string, path: string, body?: object, name?: string) =>
  app.call(method, path, {
    key: ADMIN_KEY,
    ...(body !== undefined && { body }),
    ...(name !== undefined && { headers: { "x-operator": name } }),
  })

const logged = async (query = ""): Promise<ReadonlyArray<Json>> =>
  (await operator("GET", `/v1/audit${query}`)).json["data"] as ReadonlyArray<Json>

const DOCUMENT = "QX55443322"
const SAID = { email: "planted@example.com", phone: "+14155550191" }

const business = (document_number = DOCUMENT) => ({
  agent_id: "a business",
  level: "business",
  channel_credentials: { wallet_a_user_id: "ok_planted_credential" },
  data: {
    ...SAID,
    country: "GB",
    full_name: "Grace Planted",
    document_type: "passport",
    document_number,
    business_name: "Planted Ltd",
    registration_number: "REG-778899",
    ubo_declaration: { full_name: "Grace Planted", ownership_pct: 60 },
  },
})

const submitted = async (body: object) => {
  const key = app.buyer.api_key.key
  const { json, status } = await app.call("POST", "/v1/kyc/verify", { key, body })
  expect(status).toBeLessThan(202)
  return String(json["verification_id"])
}

/**
 * The audit entries of every route of the admin key; null if the route changes and opens nothing.
 */
const ACTIONS: { readonly [route: string]: ReadonlyArray<string> | null } = {
  "POST /v1/accounts": ["account.created"],
  "GET /v1/accounts": null,
  "GET /v1/accounts/:id": null,
  "PATCH /v1/accounts/:id": ["account.plan_changed"],
  "POST /v1/accounts/:id/suspend": ["account.suspended"],
  "POST /v1/accounts/:id/resume": ["account.resumed"],
  "GET /v1/accounts/:id/api-keys": null,
  "POST /v1/accounts/:id/api-keys": ["api_key.created"],
  "POST /v1/accounts/:id/api-keys/:key_id/suspend": ["api_key.suspended"],
  "POST /v1/accounts/:id/api-keys/:key_id/resume": ["api_key.resumed"],
  "GET /v1/reports/reconciliation/runs": null,
  "GET /v1/kyc/verifications": null,
  "GET /v1/kyc/verifications/:id/case": ["verification.opened"],
  "GET /v1/kyc/appeals": null,
  "GET /v1/kyc/appeals/:id/case": ["appeal.opened"],
  "POST /v1/kyc/verifications/:id/review": [
    "verification.approval_proposed",
    "verification.approved",
    "verification.rejected",
  ],
  "POST /v1/kyc/appeals/:id/review": [
    "appeal.upheld",
    "appeal.overturn_proposed",
    "appeal.overturned",
  ],
  "GET /v1/audit": null,
  "GET /v1/audit/heads": null,
}

test("every route of the admin key is accounted for", () => {
  const routes: Array<string> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, middleware }) => {
      const keys = new Set<unknown>(middleware)
      if (keys.has(AdminKey)) routes.push(`${endpoint.method} ${endpoint.path}`)
    },
  })
  expect(routes.toSorted()).toEqual(Object.keys(ACTIONS).toSorted())
})

describe("what an operator does", () => {
  test("is in the log with who, what and to whom, and nothing that was submitted", async () => {
    const before = await logged()
    const account = await operator(
      "POST",
      "/v1/accounts",
      { name: "Planted Name", kind: "seller", agent_id: "planted-agent" },
      "jo",
    )
    const id = String(account.json["id"])
    await operator("PATCH", `/v1/accounts/${id}`, { plan: "pro" }, "jo")
    const approved = await submitted(business())
    const opened = await operator("GET", `/v1/kyc/verifications/${approved}/case`)
    expect(opened.json).toMatchObject({
      account_id: app.buyer.id,
      status: "pending",
      compliance_review_required: true,
      data: business().data,
      channel_credentials: { wallet_a_user_id: "ok_planted_credential" },
    })
    const decide = (path: string, decision: string, reason?: string) =>
      operator("POST", path, { decision, ...(reason !== undefined && { reason }) })
    await decide(`/v1/kyc/verifications/${approved}/review`, "approve")
    const reason = `The passport ${DOCUMENT} was stolen.`
    await decide(`/v1/kyc/verifications/${approved}/review`, "reject", reason)
    const appealed = await app.call("POST", "/v1/kyc/appeal", {
      key: app.buyer.api_key.key,
      body: { verification_id: approved, reason: "Grace Planted owns REG-778899." },
    })
    const appeal = String(appealed.json["appeal_id"])
    const listed = await operator("GET", "/v1/kyc/appeals?status=under_review")
    expect(listed.json["data"]).toMatchObject([{ appeal_id: appeal, account_id: app.buyer.id }])
    const file = await operator("GET", `/v1/kyc/appeals/${appeal}/case`)
    expect(file.json).toMatchObject({
      appeal_id: appeal,
      reason: "Grace Planted owns REG-778899.",
      verification: { verification_id: approved, data: business().data },
    })
    await decide(`/v1/kyc/appeals/${appeal}/review`, "overturned")
    const entries = (await logged()).slice(0, -before.length || undefined).toReversed()
    const who = { account_id: app.buyer.id, level: "business" }
    const about = { account_id: app.buyer.id, verification_id: approved }
    expect(entries).toMatchObject([
      {
        actor: "operator:jo",
        action: "account.created",
        target: id,
        details: { kind: "seller", plan: "starter" },
      },
      { actor: "operator:jo", action: "account.plan_changed", target: id, details: { to: "pro" } },
      { actor: "operator", action: "verification.opened", target: approved, details: who },
      { action: "verification.approved", target: approved, details: { ...who, was: "pending" } },
      { action: "verification.rejected", target: approved, details: { ...who, was: "verified" } },
      { action: "appeal.opened", target: appeal, details: about },
      { action: "appeal.overturned", target: appeal, details: about },
    ])
    expect(entries[0]?.["request_id"]).toBe(account.headers.get("x-request-id"))
    const text = JSON.stringify(await logged("?limit=100"))
    for (const planted of [DOCUMENT, "Planted", "REG-778899", "ok_planted", ...Object.values(SAID)])
      expect(text).not.toContain(planted)
  })

  test("is entered once for one key, and not at all when it is refused", async () => {
    const body = { name: "Once", kind: "buyer", agent_id: "once" }
    const headers = { "Idempotency-Key": "open-once" }
    const call = () => app.call("POST", "/v1/accounts", { key: ADMIN_KEY, body, headers })
    const [first, second] = [await call(), await call()]
    expect(second.text).toBe(first.text)
    const target = String(first.json["id"])
    expect(await logged(`?target=${target}`)).toHaveLength(1)
    const { length } = await logged("?limit=100")
    expect((await operator("POST", "/v1/accounts", body)).status).toBe(409)
    expect((await operator("PATCH", "/v1/accounts/acct_x", { plan: "pro" })).status).toBe(404)
    expect((await operator("GET", "/v1/kyc/verifications/kyc_x/case")).status).toBe(404)
    expect((await operator("GET", "/v1/kyc/appeals/appl_x/case")).status).toBe(404)
    expect(
      (await operator("PATCH", `/v1/accounts/${target}`, { plan: "pro" }, "jo@x.y")).status,
    ).toBe(422)
    expect(await logged("?limit=100")).toHaveLength(length)
    await operator("PATCH", `/v1/accounts/${target}`, { plan: "starter" })
    expect((await logged("?limit=1"))[0]).toMatchObject({
      details: { from: "starter", to: "starter" },
    })
  })

  test("is logged and not entered where the key is wrong", async () => {
    const { length } = await logged("?limit=100")
    for (const key of [null, "wrong-admin-key", app.seller.api_key.key]) {
      const refused = await app.call("GET", "/v1/audit", { key })
      expect(refused.status).toBe(401)
    }
    expect(await logged("?limit=100")).toHaveLength(length)
    const warnings = app.lines.filter((line) => line.includes("wrong operator key"))
    expect(warnings).toHaveLength(2)
    expect(app.lines.join("\n")).not.toContain("wrong-admin-key")
  })
})

describe("the log", () => {
  test("can be paged and filtered, and refuses what it does not know", async () => {
    const all = await logged("?limit=100")
    const sequences = all.map((entry) => Number(entry["sequence"]))
    expect(sequences).toEqual(sequences.map((_, n) => sequences.length - n))
    const [first, second] = all
    const page = await operator("GET", "/v1/audit?limit=1")
    expect(page.json).toEqual({ data: [first], has_more: true })
    expect(await logged(`?limit=1&starting_after=${String(first?.["id"])}`)).toEqual([second])
    expect(await logged(`?after=${sequences.length - 1}`)).toEqual([first])
    const opened = await logged("?action=verification.opened")
    expect(opened.map((entry) => entry["action"])).toEqual(["verification.opened"])
    expect((await logged("?actor=operator%3Ajo")).length).toBeGreaterThan(0)
    expect(await logged("?actor=nobody")).toEqual([])
    for (const query of [
      "?starting_after=aud_x",
      "?starting_after=aud_019b7726-0000-7000-8000-000000000001",
      "?action=nothing",
      "?after=-1",
      "?verify=yes",
      "?limit=0",
      "?since=1",
    ]) {
      const { json, status } = await operator("GET", `/v1/audit${query}`)
      expect([status, json["code"]], query).toEqual([400, "INVALID_QUERY"])
    }
  })

  test("can be checked by the service, and by anybody without it", async () => {
    const { json } = await operator("GET", "/v1/audit?verify=true&limit=100")
    const entries = (json["data"] as ReadonlyArray<Json>).toReversed()
    const last = entries.at(-1)
    expect(json["chain"]).toEqual({ whole: true, sequence: entries.length, hash: last?.["hash"] })
    // As the interface's description says, with nothing of the service's own.
    const sorted = (value: unknown): unknown =>
      typeof value === "object" && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .toSorted(([a], [b]) => (a < b ? -1 : 1))
              .map(([name, field]) => [name, sorted(field)]),
          )
        : value
    let previous = "0".repeat(64)
    for (const { hash, previous_hash, sequence, signature, ...content } of entries) {
      expect(previous_hash).toBe(previous)
      const text = `${previous}\n${String(sequence)}\n${JSON.stringify(sorted(content))}`
      previous = createHash("sha256").update(text).digest("hex")
      expect([hash, String(signature).length]).toEqual([previous, 86])
    }
  })
})

describe("accounts", () => {
  test("are listed and shown to the operator alone", async () => {
    const list = async (query: string) => {
      const { json, status } = await operator("GET", `/v1/accounts${query}`)
      expect(status, query).toBe(200)
      return (json["data"] as ReadonlyArray<Json>).map((account) => String(account["id"]))
    }
    const { id } = app.seller
    expect(await list("?agent_id=agent-of-the-seller")).toEqual([id])
    expect(await list("?agent_id=agent-of-the-seller&kind=buyer")).toEqual([])
    expect(await list("?agent_id=nobody")).toEqual([])
    expect(await list("?kind=buyer&plan=starter")).toContain(app.buyer.id)
    const all = await list("?limit=100")
    expect(all).toEqual(all.toSorted((a, b) => (a < b ? 1 : -1)))
    expect(await list(`?limit=1&starting_after=${all[0] ?? ""}`)).toEqual([all[1]])
    const shown = await operator("GET", `/v1/accounts/${id}`)
    expect(shown.json).toMatchObject({ id, agent_id: "agent-of-the-seller" })
    expect(shown.text).not.toContain("sealed")
    expect((await operator("GET", "/v1/accounts?starting_after=acct_x")).status).toBe(400)
    expect((await operator("GET", "/v1/accounts?kind=shop")).status).toBe(400)
    expect((await operator("GET", "/v1/accounts/acct_x")).status).toBe(404)
    expect((await app.call("GET", `/v1/accounts/${id}`)).status).toBe(401)
  })
})

describe("the reviewers' list", () => {
  test("holds what waits, of all accounts, without what was submitted", async () => {
    const waiting = await submitted({ ...business("QX11223344"), agent_id: "waits" })
    const { json, text } = await operator(
      "GET",
      "/v1/kyc/verifications?status=pending&level=business",
    )
    expect(json["data"]).toMatchObject([
      { verification_id: waiting, account_id: app.buyer.id, compliance_review_required: true },
    ])
    for (const planted of ["QX11223344", "Planted", ...Object.values(SAID)]) {
      expect(text).not.toContain(planted)
    }
    const ids = async (query: string) => {
      const reply = await operator("GET", `/v1/kyc/verifications${query}`)
      expect(reply.status, query).toBe(200)
      return (reply.json["data"] as ReadonlyArray<Json>).map((view) => view["verification_id"])
    }
    expect(await ids(`?account_id=${app.seller.id}`)).toEqual([])
    expect(await ids(`?account_id=${app.buyer.id}&limit=1`)).toEqual([waiting])
    expect(await ids(`?starting_after=${waiting}&status=pending`)).toEqual([])
    for (const path of [
      "/v1/kyc/verifications?status=unverified",
      "/v1/kyc/verifications?account_id=x",
      "/v1/kyc/verifications?starting_after=kyc_x",
      "/v1/kyc/appeals?starting_after=appl_x",
      "/v1/kyc/appeals?status=pending",
    ]) {
      expect((await operator("GET", path)).status, path).toBe(400)
    }
    const key = app.buyer.api_key.key
    for (const path of ["", `/${waiting}/case`]) {
      expect((await app.call("GET", `/v1/kyc/verifications${path}`, { key })).status).toBe(401)
    }
  })
})
