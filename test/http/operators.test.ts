import { createHash } from "node:crypto"
import { Layer } from "effect"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import * as MemoryStore from "../../adapters/memory/MemoryStore.ts"
import type { OperatorKey, OperatorRole } from "../../core/audit/Operator.ts"
import { operatorPages } from "../../adapters/pages/everyPage.ts"
import { openPages } from "../../adapters/pages/openPages.ts"
import { ADMIN_KEY, type App, type AppOptions, type Reply, startApp } from "../support/app.ts"
import { makeTestStore } from "../support/postgres.ts"

const keyOf = (name: string) => `key-of-${name}-0123456789abcdef0123456789`

const operator = (name: string, ...roles: ReadonlyArray<OperatorRole>): OperatorKey => ({
  name,
  roles: new Set(roles),
  hash: createHash("sha256").update(keyOf(name)).digest("hex"),
})

const everybody = [
  operator("ann", "review"),
  operator("ben", "review", "read"),
  operator("cat", "accounts"),
  operator("dan", "read"),
]
let operators = everybody

let app: App
const apps: Array<App> = []
const useApp = async (store: AppOptions["store"] = MemoryStore.layer) => {
  app = await startApp({ sandbox: true, store, operators: () => operators })
  apps.push(app)
}
beforeAll(() => useApp())
afterAll(() => Promise.all(apps.map((one) => one.stop())))

const as = (name: string, method: string, path: string, body?: object): Promise<Reply> =>
  app.call(method, path, {
    key: keyOf(name),
    headers: { "x-operator": "somebody-else" },
    ...(body !== undefined && { body }),
  })

let submissions = 0
const submitted = async () => {
  submissions += 1
  const { json } = await app.call("POST", "/v1/kyc/verify", {
    key: app.buyer.api_key.key,
    body: {
      agent_id: `business-${submissions}`,
      level: "business",
      data: {
        email: `someone${submissions}@example.com`,
        phone: `+14155550${200 + submissions}`,
        country: "GB",
        full_name: "Grace Hopper",
        document_type: "passport",
        document_number: `QX5544332${submissions}`,
        business_name: "Compilers Ltd",
        registration_number: `REG-77889${submissions}`,
        ubo_declaration: { full_name: "Grace Hopper", ownership_pct: 60 },
      },
    },
  })
  return String(json["verification_id"])
}

const audited = async (target: string) => {
  const { json } = await as("dan", "GET", `/v1/audit?target=${target}`)
  const entries = json["data"] as ReadonlyArray<{ actor: string; action: string }>
  return entries.map(({ action, actor }) => `${actor} ${action}`).toReversed()
}

test("a key of the other kind is told which kind is needed", async () => {
  const account = await app.call("GET", "/v1/payment-intents", { key: ADMIN_KEY })
  expect([account.status, account.json["code"]]).toEqual([401, "INVALID_API_KEY"])
  expect(account.json["message"]).toContain("An operator's key works only on the routes of oper")
  const operated = await app.call("GET", "/v1/accounts", { key: app.buyer.api_key.key })
  expect([operated.status, operated.json["code"]]).toEqual([401, "INVALID_API_KEY"])
  expect(operated.json["message"]).toContain("needs an operator's key")
})

describe("a key of an operator does what its roles say", () => {
  const account = { name: "Opened", kind: "seller", agent_id: "opened" }
  const nobody = "kyc_01997d3e-8a00-7000-8000-000000000030"
  test.each<[string, string, string, object | undefined, ReadonlyArray<string>]>([
    ["lists", "GET", "/v1/accounts", undefined, ["ann", "ben", "cat", "dan"]],
    ["the audit log", "GET", "/v1/audit", undefined, ["ann", "ben", "cat", "dan"]],
    ["accounts", "PATCH", "/v1/accounts/none", { plan: "pro" }, ["cat"]],
    ["accounts", "POST", "/v1/accounts", account, ["cat"]],
    ["personal data", "GET", `/v1/kyc/verifications/${nobody}/case`, undefined, ["ann", "ben"]],
    [
      "reviews",
      "POST",
      `/v1/kyc/verifications/${nobody}/review`,
      { decision: "reject" },
      ["ann", "ben"],
    ],
  ])("%s: %s %s", async (_, method, path, body, allowed) => {
    for (const name of ["ann", "ben", "cat", "dan"]) {
      const { json, status } = await as(name, method, path, body)
      const error = json["error"] as { readonly code?: string } | string | undefined
      const code = typeof error === "object" ? error.code : json["code"]
      if (allowed.includes(name)) expect([name, status === 403]).toEqual([name, false])
      else expect([name, status, code]).toEqual([name, 403, "FORBIDDEN"])
    }
  })

  test("and an unknown one nothing", async () => {
    expect((await as("eve", "GET", "/v1/audit")).json["code"]).toBe("INVALID_API_KEY")
  })
})

const STORES = [
  ["memory", MemoryStore.layer],
  ["PostgreSQL", Layer.orDie(makeTestStore())],
] as const

describe.each(STORES)("what raises limits takes two operators, in %s,", (_, store) => {
  beforeAll(() => useApp(store), 60_000)

  /** A verification that waits for its approval, or an appeal against its rejection. */
  const subjects = {
    verification: async () => {
      const id = await submitted()
      return { id, path: `/v1/kyc/verifications/${id}/review`, raise: { decision: "approve" } }
    },
    appeal: async () => {
      const id = await submitted()
      const rejected = `/v1/kyc/verifications/${id}/review`
      await app.call("POST", rejected, { key: ADMIN_KEY, body: { decision: "reject" } })
      const { json } = await app.call("POST", "/v1/kyc/appeal", {
        key: app.buyer.api_key.key,
        body: { verification_id: id, reason: "The document is mine." },
      })
      const appeal = String(json["appeal_id"])
      const path = `/v1/kyc/appeals/${appeal}/review`
      return { id: appeal, path, raise: { decision: "overturned" } }
    },
  }
  const RAISED = new Set(["verified", "overturned"])

  describe.each(["verification", "appeal"] as const)("of a %s", (what) => {
    const opened = async () => {
      const { id, path, raise } = await subjects[what]()
      const raised = async (answer: Promise<Reply>) => {
        const { json, status } = await answer
        return status === 200 ? RAISED.has(String(json["status"])) : status
      }
      return {
        id,
        by: (name: string) => raised(as(name, "POST", path, raise)),
        shared: () => raised(app.call("POST", path, { key: ADMIN_KEY, body: raise })),
      }
    }
    afterEach(() => {
      operators = everybody
    })

    test("as soon as one has a name: the shared key never joins it", async () => {
      operators = everybody.filter(({ name }) => name === "ann")
      const { by, shared } = await opened()
      expect([await shared(), await by("ann"), await by("ann")]).toEqual([403, false, false])
      expect([await shared(), await shared()]).toEqual([403, 403])
      operators = everybody.filter(({ name }) => name === "dan")
      expect([await shared(), await by("dan"), await by("ann")]).toEqual([403, 403, 401])
      operators = everybody
      expect(await by("ben")).toBe(true)
    })

    test("while the first may still review", async () => {
      const { by, id } = await opened()
      expect(await by("ann")).toBe(false)
      operators = everybody.filter(({ name }) => name !== "ann")
      expect([await by("ann"), await by("ben"), await by("ben")]).toEqual([401, false, false])
      operators = everybody
      expect(await by("ann")).toBe(true)
      expect((await audited(id)).map((entry) => entry.split(" ")[0])).toEqual(
        ["ann", "ben", "ben", "ann"].map((name) => `operator:${name}`),
      )
    })

    test("unless nobody has a name", async () => {
      operators = []
      const { shared } = await opened()
      expect(await shared()).toBe(true)
    })
  })

  test("whose approvals are both in the audit log under their keys' names", async () => {
    const id = await submitted()
    const review = (name: string) =>
      as(name, "POST", `/v1/kyc/verifications/${id}/review`, { decision: "approve" })
    expect((await review("ann")).json["status"]).toBe("pending")
    expect((await review("ann")).json["status"]).toBe("pending")
    expect((await review("ben")).json["status"]).toBe("verified")
    expect(await audited(id)).toEqual([
      "operator:ann verification.approval_proposed",
      "operator:ann verification.approval_proposed",
      "operator:ben verification.approved",
    ])
  })

  test("of whom the shared key is neither, whatever name comes with it", async () => {
    const id = await submitted()
    const path = `/v1/kyc/verifications/${id}/review`
    const shared = (decision: string, headers?: { readonly "x-operator": string }) =>
      app.call("POST", path, {
        key: ADMIN_KEY,
        body: { decision },
        ...(headers && { headers }),
      })
    const refused = { status: 403, json: { error: { code: "FORBIDDEN" } } }
    expect(await shared("approve", { "x-operator": "one" })).toMatchObject(refused)
    expect((await as("ann", "POST", path, { decision: "approve" })).json["status"]).toBe("pending")
    expect(await shared("approve")).toMatchObject(refused)
    expect(await shared("approve", { "x-operator": "two" })).toMatchObject(refused)
    expect(await audited(id)).toEqual(["operator:ann verification.approval_proposed"])
    expect((await as("ben", "POST", path, { decision: "approve" })).json["status"]).toBe("verified")
    // It still rejects, which takes one operator.
    expect((await shared("reject", { "x-operator": "one" })).json["status"]).toBe("rejected")
    const appealed = await app.call("POST", "/v1/kyc/appeal", {
      key: app.buyer.api_key.key,
      body: { verification_id: id, reason: "The document is mine." },
    })
    const review = `/v1/kyc/appeals/${String(appealed.json["appeal_id"])}/review`
    const decide = (decision: string) =>
      app.call("POST", review, { key: ADMIN_KEY, body: { decision } })
    expect(await decide("overturned")).toMatchObject(refused)
    expect((await decide("upheld")).json["status"]).toBe("upheld")
  })

  test("whose names the shared key cannot take, in what takes one either", async () => {
    const id = await submitted()
    const reject = (name: string) =>
      app.call("POST", `/v1/kyc/verifications/${id}/review`, {
        key: ADMIN_KEY,
        body: { decision: "reject" },
        headers: { "x-operator": name },
      })
    for (const name of ["ann", "ben", "cat", "dan"]) {
      const error = { code: "INVALID_REQUEST", message: expect.stringContaining("X-Operator") }
      expect(await reject(name)).toMatchObject({ status: 422, json: { error } })
    }
    expect(await audited(id)).toEqual([])
    expect((await reject("eve")).json["status"]).toBe("rejected")
    expect(await audited(id)).toEqual(["operator:eve verification.rejected"])
  })

  test("also where both approve at the same moment", async () => {
    const id = await submitted()
    const path = `/v1/kyc/verifications/${id}/review`
    await Promise.all(["ann", "ben"].map((name) => as(name, "POST", path, { decision: "approve" })))
    const { json } = await app.call("GET", `/v1/kyc/verifications/${id}`, {
      key: app.buyer.api_key.key,
    })
    expect(json["status"]).toBe("verified")
  })

  test("and a rejection one; its appeal is overturned by two", async () => {
    const id = await submitted()
    const path = `/v1/kyc/verifications/${id}/review`
    expect((await as("ann", "POST", path, { decision: "approve" })).json["status"]).toBe("pending")
    expect((await as("ann", "POST", path, { decision: "reject" })).json["status"]).toBe("rejected")
    const appealed = await app.call("POST", "/v1/kyc/appeal", {
      key: app.buyer.api_key.key,
      body: { verification_id: id, reason: "The document is mine." },
    })
    const appeal = String(appealed.json["appeal_id"])
    const decide = (name: string) =>
      as(name, "POST", `/v1/kyc/appeals/${appeal}/review`, { decision: "overturned" })
    expect((await decide("ben")).json["status"]).toBe("under_review")
    expect((await decide("ben")).json["status"]).toBe("under_review")
    expect((await decide("ann")).json["status"]).toBe("overturned")
    expect(await audited(appeal)).toEqual([
      "operator:ben appeal.overturn_proposed",
      "operator:ben appeal.overturn_proposed",
      "operator:ann appeal.overturned",
    ])
  })
})

describe("X-Operator", () => {
  test.each([
    "/v1/accounts",
    "/v1/audit",
    "/v1/kyc/verifications",
    "/v1/kyc/appeals",
    "/v1/reports/reconciliation/runs",
  ])("that is no name is refused as documented: GET %s", async (path) => {
    const headers = { "X-Operator": "not a name" }
    const { status, text } = await app.call("GET", path, { key: ADMIN_KEY, headers })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(text).toContain("X-Operator")
  })
})

describe("a listener of the operators' own", () => {
  test("serves their routes, metrics and probes, and the public one everything else", async () => {
    const [open, own] = [await startApp({ part: "public" }), await startApp({ part: "operators" })]
    const [probes, health] = [
      await startApp({ part: "probes" }),
      await startApp({ part: "health" }),
    ]
    const statuses = async (of: App) => {
      const paths = ["/v1/accounts", "/v1/audit", "/metrics", "/healthz", "/v1/services"]
      // Responses are not checked against the document, since each listener serves only a part of
      // it.
      const headers = { authorization: `Bearer ${ADMIN_KEY}` }
      return Promise.all(
        paths.map(async (path) => (await fetch(`${of.url}${path}`, { headers })).status),
      )
    }
    expect(await statuses(open)).toEqual([404, 404, 404, 200, 401])
    expect(await statuses(own)).toEqual([200, 200, 200, 200, 404])
    expect(await statuses(probes)).toEqual([404, 404, 200, 200, 404])
    expect(await statuses(health)).toEqual([404, 404, 404, 200, 404])
    await Promise.all([open, own, probes, health].map((app) => app.stop()))
  })

  test("has their console and nothing that payers see", async () => {
    const app = await startApp({
      part: "operators",
      sandbox: true,
      site: ({ gate, intake }) => openPages(operatorPages, { gate, intake }),
    })
    const statuses = ["/", "/console", "/console/accounts", "/pay/s/x", "/sandbox/wallet"].map(
      async (path) => (await fetch(`${app.url}${path}`, { redirect: "manual" })).status,
    )
    expect(await Promise.all(statuses)).toEqual([303, 200, 200, 404, 404])
    const response = await fetch(`${app.url}/console/session`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-payport-console": "1",
        "sec-fetch-site": "same-origin",
      },
      body: JSON.stringify({ key: ADMIN_KEY }),
    })
    expect(await response.json()).toMatchObject({ role: "operator" })
    await app.stop()
  })
})
