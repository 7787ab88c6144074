import { createHash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { OPERATOR_ROLES, type OperatorKey, type OperatorRole } from "../../core/audit/Operator.ts"
import { ADMIN_KEY, activeService, type App, callTool, startApp } from "../support/app.ts"
import { mutant } from "../support/mutants.ts"
import { matrix, type Place, type Row } from "../support/oracles/Matrix.ts"
import { absentLike, furnish, openTenant, type Tenant } from "../support/oracles/Tenants.ts"

type Json = { readonly [key: string]: unknown }

const rows = matrix()

/** The keys of operators that have one role each. */
const operatorKey = (role: OperatorRole) => `key-of-one-with-the-role-${role}-0123456789`
const operators = OPERATOR_ROLES.map((role): OperatorKey => ({
  name: role,
  roles: new Set([role]),
  hash: createHash("sha256").update(operatorKey(role)).digest("hex"),
}))

let app: App
let common: string
/** The tenant whose ids are tried, and the tenant that tries them. */
let theirs: Tenant
let ours: Tenant
let revoked: string
beforeAll(async () => {
  app = await startApp({ sandbox: true, operators: () => operators })
  common = await activeService(app, {
    name: "Everybody's",
    payment_methods: { one_time: true, subscription: true, cumulative: true },
    pricing: {
      one_time: [{ amount: 1, currency: "USD", label: "Once" }],
      cumulative: { unit: "request", rate: "0.25", billing_cycle: "monthly" },
      subscription: [
        { plan_id: "pro", name: "Pro", amount: 1, currency: "USD", interval: "monthly" },
      ],
    },
  })
  const opened = [await openTenant(app, "them"), await openTenant(app, "usus")] as const
  await app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds: 32 * 86_400 } })
  theirs = await furnish(app, opened[0], common)
  ours = await furnish(app, opened[1], common)
  const issued = await app.call("POST", "/v1/api-keys", { key: ours.buyer, body: {} })
  revoked = String(issued.json["key"])
  await app.call("DELETE", `/v1/api-keys/${String(issued.json["id"])}`, { key: ours.buyer })
})
afterAll(() => app.stop())

interface Sent {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

let sentSoFar = 0

/** The fields that must be new each time. */
const fresh = (body: Json): Json => {
  sentSoFar += 1
  const n = String(sentSoFar).padStart(6, "0")
  return {
    ...body,
    ...("metadata" in body && { metadata: { order: n } }),
    ...("idempotency_key" in body && { idempotency_key: n }),
    ...("occurred_at" in body && { occurred_at: undefined }),
    ...("name" in body && { name: `Service ${n}` }),
  }
}

/** Further bodies of a request besides its example. */
const VARIANTS: { readonly [name: string]: ReadonlyArray<Json> } = {
  "POST /v1/ai/nlp-payment": [{ query: "Pay $0.01" }],
  "POST /v1/payments": [{}, { service_id: "", description: "One answer", payer: { agent_id: "" } }],
}
const variantsOf = ({ name }: Row): ReadonlyArray<Json> => VARIANTS[name] ?? [{}]

/** A body that would be taken, were its ids the caller's. */
const baseOf = ({ example: usual, name, places }: Row, variant: Json, service: string): Json => {
  const example = { ...usual, ...variant }
  let body: Json = fresh({
    ...example,
    ...("token" in example && { token: ours.token }),
    ...("amount" in example && { amount: { currency: "USD", value: 1 } }),
    // The level in force counts, not a lower one.
    ...("kyc_level" in example && { kyc_level: undefined }),
    ...("level" in example && { channel_credentials: { wallet_a_user_id: "ok_1" } }),
    ...(name === "POST /v1/ai/nlp-payment" && { execute: true }),
  })
  for (const { in: where, kind, path } of places) {
    const [key = ""] = path
    if (where !== "body" || !(key in body)) continue
    if (kind === "agent" && !("payer" in variant) && path.length > 1) continue
    const id = kind === "service" ? service : ours.ids[kind][0]
    body = JSON.parse(mutant(body, path, id)) as Json
  }
  return body
}

const isBodied = ({ method }: Row): boolean => ["POST", "PUT", "PATCH"].includes(method)

/** A quote can be used once. */
const newQuote = async (key: string | null): Promise<unknown> => {
  const body = { amount: { currency: "USD", value: 2 }, settlement_currency: "USD" }
  return (await app.call("POST", "/v1/fx/quotes", { key, body })).json["id"]
}

const bodyOf = async (
  row: Row,
  place: Place | null,
  { key, service, variant }: { key: string | null; service: string; variant: Json },
): Promise<Json> => {
  // Either the one or the other may be sent.
  if (row.name === "POST /v1/kyc/verify" && place?.kind === "verification") return { otp: "000000" }
  const base = baseOf(row, variant, service)
  const quoted = "quote_id" in base && place?.kind !== "quote"
  return quoted ? { ...base, quote_id: await newQuote(key) } : base
}

/** Sends a row's request with an id in one of its places. */
const send = async (
  row: Row,
  place: Place | null,
  id: string,
  key: string | null,
  { method = row.method, service = ours.ids.service[0], variant = {} } = {},
): Promise<Sent> => {
  const inPath = (name: string): string => {
    if (place?.in === "path" && place.path[0] === name) return id
    const other = row.places.find(({ in: where, path }) => where === "path" && path[0] === name)
    if (other === undefined) return "wallet_a"
    return other.kind === "service" ? service : ours.ids[other.kind][0]
  }
  const path = row.path.replaceAll(/:(\w+)/g, (_all, name: string) =>
    encodeURIComponent(inPath(name)),
  )
  const query = place?.in === "query" ? `?${place.path.join(".")}=${encodeURIComponent(id)}` : ""
  const base = await bodyOf(row, place, { key, service, variant })
  const body = place?.in === "body" ? mutant(base, place.path, id) : JSON.stringify(base)
  const answer = await fetch(`${app.url}${path}${query}`, {
    method,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(isBodied(row) && { "content-type": "application/json" }),
    },
    ...(isBodied(row) && { body }),
    signal: AbortSignal.timeout(50_000),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** Headers that differ between any two responses. */
const MOVING = new Set(["date", "x-request-id", "ratelimit-remaining", "ratelimit-reset"])

/**
 * Returns a response without the id that was sent and the parts that differ between any two
 * responses.
 */
const told = ({ headers, status, text }: Sent, id: string) => {
  const strip = (shown: string) =>
    shown
      .replaceAll(id, "<id>")
      .replaceAll(encodeURIComponent(id), "<id>")
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<uuid>")
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>")
      .replaceAll(/"\d{6}"/g, "<number>")
      .replaceAll(/"remaining_\w+":\{[^}]*\}/g, "<rest>")
  return {
    status,
    headers: [...headers]
      .filter(([name]) => !MOVING.has(name))
      .map(([name, value]) => `${name}: ${strip(value)}`),
    body: strip(text),
  }
}

/** Facts about an id that other accounts may learn, and why. */
const PUBLIC: { readonly [kind: string]: string } = {
  service: "The registry shows active services to everybody: drafts and paused ones are tried.",
}

/** Returns the other tenant's ids whose existence is secret. */
const hidden = ({ kind }: Place): ReadonlyArray<string> =>
  kind in PUBLIC ? theirs.ids[kind].slice(1) : theirs.ids[kind]

const cells = rows.flatMap((row) =>
  row.places.map(
    (place) => [`${row.name}, ${place.in} ${place.path.join(".")}`, row, place] as const,
  ),
)
// Reads come before the requests that create, which the contract lists in the opposite order.
const ofAccounts = cells.filter(([, { access }]) => access !== "admin").toReversed()
const operated = rows.flatMap((row) => (row.access === "admin" ? [[row.name, row] as const] : []))
const keyed = cells.filter(([, { access }]) => access !== "none")

test("every parameter and field of the contract is an id of a kind, or no id", () => {
  expect(rows.flatMap(({ unknown }) => unknown)).toEqual([])
  expect(rows.length).toBeGreaterThan(100)
  expect(cells.length).toBeGreaterThan(100)
})

describe("an id of another account reads as one that never was", () => {
  test.each(ofAccounts)("%s", async (_name, row, place) => {
    const services = [ours.ids.service[0], common]
    const ways = variantsOf(row).flatMap((variant) =>
      services.map((service) => ({ variant, service })),
    )
    for (const key of [ours.seller, ours.buyer]) {
      for (const way of ways) {
        for (const foreign of hidden(place)) {
          const absent = absentLike(foreign)
          const one = await send(row, place, foreign, key, way)
          const other = await send(row, place, absent, key, way)
          expect(told(one, foreign)).toEqual(told(other, absent))
          expect(one.status, one.text).toBeLessThan(500)
        }
      }
    }
  })
})

describe("an id in a text reads so too", () => {
  const texts: ReadonlyArray<readonly ["payment_intent" | "service", string]> = [
    ["payment_intent", "Refund the payment ID, it never came"],
    ["payment_intent", "Cancel the payment ID"],
    ["service", "Pay $0.01 for ID"],
    ["service", "Subscribe me to the plan pro of ID, monthly"],
    ["service", "Show my unpaid invoices of ID"],
  ]
  test.each(texts)("%s: %s", async (kind, text) => {
    for (const key of [ours.seller, ours.buyer]) {
      for (const foreign of hidden({ in: "body", path: ["query"], kind })) {
        const absent = absentLike(foreign)
        const ask = (id: string) =>
          app.call("POST", "/v1/ai/nlp-payment", {
            key,
            body: { query: text.replace("ID", id), execute: true },
          })
        expect(told(await ask(foreign), foreign)).toEqual(told(await ask(absent), absent))
      }
    }
  })
})

describe("without a valid key of the right kind nothing is told of any id", () => {
  test.each(keyed)("%s", async (_name, row, place) => {
    const wrong = `sk_test_${"x".repeat(43)}`
    const keys = row.access === "admin" ? [ours.seller, ours.buyer] : [ADMIN_KEY]
    for (const key of [null, wrong, revoked, ...keys]) {
      const ids = [...ours.ids[place.kind], ...theirs.ids[place.kind], "not an id"]
      const absent = absentLike(theirs.ids[place.kind][0])
      const expected = told(await send(row, place, absent, key), absent)
      expect(expected.status).toBe(401)
      for (const id of ids) expect(told(await send(row, place, id, key), id)).toEqual(expected)
    }
  })
})

describe("a route of operators tells nobody else what there is, not even its fields", () => {
  test.each(operated)("%s", async (_name, row) => {
    const wrong = ["x".repeat(43), `sk_test_${"x".repeat(43)}`, revoked, ours.seller, ours.buyer]
    const [nobody, ...others] = [null, ...wrong].map((key) => send(row, null, "", key))
    expect((await nobody)?.status).toBe(401)
    const answers = await Promise.all(others.map(async (sent) => told(await sent, "no id")))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]?.status).toBe(401)
  })

  test.each(operated)("nor an operator without its role: %s", async (_name, row) => {
    const place = row.places.find((one) => one.in === "path") ?? null
    const ids = place === null ? [""] : [...theirs.ids[place.kind], "not an id"]
    const absent = place === null ? "" : absentLike(theirs.ids[place.kind][0])
    const without = OPERATOR_ROLES.filter((role) => row.role !== "read" && role !== row.role)
    for (const role of without) {
      const key = operatorKey(role)
      const expected = told(await send(row, place, absent, key), absent || "no id")
      expect(expected.status).toBe(403)
      for (const id of ids) {
        expect(told(await send(row, place, id, key), id || "no id")).toEqual(expected)
      }
    }
    // With the role, or for any of them where it reads, it is no longer about the key.
    for (const role of OPERATOR_ROLES.filter((one) => !without.includes(one))) {
      const { status } = await send(row, place, absent, operatorKey(role))
      expect([401, 403]).not.toContain(status)
    }
  })
})

describe("a tool of a service that others may not know of reads as one that never was", () => {
  const called = async (key: string | null, service: string, kind: string, body: Json) => {
    const answer = await callTool(
      app,
      `${service}__${kind}`,
      { manifest_id: service, ...body },
      key === null ? {} : { authorization: `Bearer ${key}` },
    )
    return told(
      { status: answer.status, headers: answer.headers, text: await answer.text() },
      service,
    )
  }
  test.each<[string, Json]>([
    ["pay_one_time", { amount: 1 }],
    ["pay_subscribe", { plan_id: "pro" }],
    ["pay_cumulative", {}],
  ])("%s", async (kind, body) => {
    const [active, ...others] = theirs.ids.service
    for (const key of [ours.seller, ours.buyer, revoked, null]) {
      for (const foreign of others) {
        const absent = absentLike(foreign)
        expect(await called(key, foreign, kind, body)).toEqual(
          await called(key, absent, kind, body),
        )
      }
    }
    const shown = await called(ours.buyer, active, kind, body)
    expect([shown.status, shown.body]).toEqual([200, expect.not.stringContaining("NOT_FOUND")])
  })
})

describe("a malformed id is refused, or is in no list", () => {
  test.each(cells)("%s", async (_name, row, place) => {
    for (const id of ["not an id", `${theirs.ids[place.kind][0]}!`, "'--", "a%00b"]) {
      for (const key of [ours.seller, ours.buyer, ADMIN_KEY]) {
        const { status, text } = await send(row, place, id, key)
        expect(status, text).toBeLessThan(500)
      }
    }
  })
})

/** Places where the owner gets the same answer as for an unknown id, and why. */
const UNTOLD: { readonly [cell: string]: string } = {
  "POST /v1/refunds, body revoke.targets.0.id":
    "A seller revokes what it names, registered or not.",
  "POST /v1/access-items, body id": "A seller gives its items the names that it likes.",
  "POST /v1/ai/nlp-batch, body queries.0.context.service_id": "Nothing is looked up.",
  "POST /v1/subscriptions/:id/redeem, path id": "What proves nothing is looked at before it.",
  "POST /v1/subscriptions/:id/redeem, body service_id": "The same.",
}

/** Sorted so that erasing requests come last. */
const ORDER = ["GET", "PUT", "POST", "PATCH", "DELETE"]
const owned = cells.toSorted(
  ([, one], [, other]) => ORDER.indexOf(one.method) - ORDER.indexOf(other.method),
)

describe("its owner is told more, so that the id is what the answers are about", () => {
  test.each(owned)("%s", async (name, row, place) => {
    if (place.kind === "agent" || name in UNTOLD) return
    const method = row.streams ? "HEAD" : row.method
    const [id] = ours.ids[place.kind]
    const keys = row.access === "admin" ? [ADMIN_KEY] : [ours.seller, ours.buyer]
    const differs: Array<boolean> = []
    for (const key of keys) {
      for (const variant of variantsOf(row)) {
        const absent = absentLike(id)
        const other = told(await send(row, place, absent, key, { method, variant }), absent)
        const one = told(await send(row, place, id, key, { method, variant }), id)
        differs.push(JSON.stringify(one) !== JSON.stringify(other))
      }
    }
    expect(differs).toContain(true)
  })
})
