import { Context, Effect, Layer, Result, SchemaAST } from "effect"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Api } from "../../adapters/http/contract/Api.ts"
import { exampleRequest } from "../../adapters/http/contract/oauth.ts"
import { Rules } from "../../adapters/http/contract/Route.ts"
import * as MemoryStore from "../../adapters/memory/MemoryStore.ts"
import { registerClient } from "../../core/oauth/clients.ts"
import { Store } from "../../core/ports/Store.ts"
import { decode, type InputSchema } from "../../core/shared/Decode.ts"
import { activeService, ADMIN_KEY, type App, enlarge, startApp } from "../support/app.ts"
import { documentOf, undocumented, unnested } from "../support/documented.ts"
import { fieldsOf, mutant, VALUES } from "../support/mutants.ts"

type Json = { readonly [key: string]: unknown }

interface Operation {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly schema: InputSchema & { readonly ast: SchemaAST.AST }
  readonly read: (input: unknown) => Result.Result<unknown, { readonly code: string }>
  readonly example: Json
}

const isInput = (schema: object | undefined): schema is Operation["schema"] =>
  schema !== undefined && "fields" in schema

const exampleOf = (ast: SchemaAST.AST): Json => {
  const [example] = (SchemaAST.resolve(ast)?.["examples"] ?? []) as ReadonlyArray<Json>
  return example ?? {}
}

/** Every operation of the interface that takes fields. */
const operations: ReadonlyArray<Operation> = (() => {
  const found: Array<Operation> = []
  const add = (group: string, endpoint: HttpApiEndpoint.Top, rules: typeof Rules.Service) => {
    const [payload] = endpoint.payload.values()
    const schema: object | undefined = payload?.schemas[0]
    if (!isInput(schema) || Object.keys(schema.fields).length === 0) return
    const name = `${group}.${endpoint.identifier}`
    const { method, path } = endpoint
    const example = exampleOf(schema.ast)
    found.push({ name, method, path, schema, read: decode(schema, rules), example })
  }
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ group, endpoint, mergedAnnotations }) =>
      add(group.identifier, endpoint, Context.get(mergedAnnotations, Rules)),
  })
  return found
})()

let commits = 0
const counted = Layer.effect(
  Store,
  Effect.map(Store, (inner) =>
    Store.of({
      ...inner,
      commit: (commit) => Effect.tap(inner.commit(commit), () => Effect.sync(() => commits++)),
    }),
  ),
).pipe(Layer.provide(MemoryStore.layer))

let app: App
let document: Awaited<ReturnType<typeof documentOf>>
let service: string
let intent: string
let endpoint: string
let paid: string
let quote: string
let billed: string
let rejected: string
let reviewed: string
let appeal: string
let asked: string
let demanded: Json
let subscription: string
let proof: Json
let program: string
let issued: string
beforeAll(async () => {
  app = await startApp({ store: counted, sandbox: true })
  // Hundreds of keys are issued, to be rolled.
  await enlarge(app, app.buyer.id)
  document = await documentOf(app)
  const { redirect_uri } = exampleRequest
  program = (await app.run(registerClient({ redirect_uris: [redirect_uri] }))).client_id
  service = await activeService(app, { name: "To be paid" })
  // Caps and alerts need a plan that has them.
  const path = `/v1/accounts/${app.seller.id}`
  await app.call("PATCH", path, { key: ADMIN_KEY, body: { plan: "pro" } })
  const example = operations.find(({ name }) => name === "paymentIntents.create")?.example
  const made = await app.call("POST", "/v1/payment-intents", {
    key: app.buyer.api_key.key,
    body: { ...example, service_id: service },
  })
  intent = String(made.json["id"])
  const receiver = { url: "https://receiver.example", enabled_events: ["*"] }
  const registered = { key: app.buyer.api_key.key, body: receiver }
  endpoint = String((await app.call("POST", "/v1/webhook-endpoints", registered)).json["id"])
  const another = { key: app.seller.api_key.key, body: {} }
  issued = String((await app.call("POST", "/v1/api-keys", another)).json["id"])
  paid = await paidIntent({ ...example, service_id: service })
  const back = await app.call("POST", "/v1/refund-requests", {
    key: app.buyer.api_key.key,
    body: { payment_intent: await paidIntent({ ...example, service_id: service }), reason: "Late" },
  })
  asked = String(back.json["id"])
  const quoted = await app.call("POST", "/v1/fx/quotes", {
    key: app.buyer.api_key.key,
    body: { amount: { currency: "USD", value: 699 }, settlement_currency: "USD" },
  })
  quote = String(quoted.json["id"])
  await openVerifications()
  billed = await activeService(app, sold)
  const body = { payer: { agent_id: "agent_buyer_1" } }
  await app.call("POST", `/v1/services/${billed}/tab`, { key: app.buyer.api_key.key, body })
  demanded = await paidChallenge()
  proof = await provenSubscription()
})
afterAll(() => app.stop())

/** A service with plans and with a price of use, so cheap that any payer may pay it. */
const sold = {
  name: "To be paid every month",
  payment_methods: { subscription: true, cumulative: true },
  pricing: {
    cumulative: { unit: "request", rate: "0.25", billing_cycle: "monthly" },
    subscription: [
      { plan_id: "pro", name: "Pro", amount: 1, currency: "USD", interval: "monthly" },
    ],
  },
}

const IDENTITY = {
  email: "ada@example.com",
  phone: "+14155550123",
  country: "GB",
  full_name: "Ada Lovelace",
  document_type: "passport",
  document_number: "P1230000",
  business_name: "Engines Ltd",
  registration_number: "0001815",
  ubo_declaration: { full_name: "Ada Lovelace", ownership_pct: 75 },
}

/**
 * A rejected verification without an appeal, one with an appeal, and a business that waits for
 * review.
 */
const openVerifications = async () => {
  const key = app.buyer.api_key.key
  const submit = async (level: string) => {
    const body = { agent_id: "agent_buyer", level, data: IDENTITY }
    return String((await app.call("POST", "/v1/kyc/verify", { key, body })).json["verification_id"])
  }
  rejected = await submit("enhanced")
  reviewed = await submit("business")
  const body = { verification_id: await submit("enhanced"), reason: "It is mine." }
  const appealed = await app.call("POST", "/v1/kyc/appeal", { key, body })
  appeal = String(appealed.json["appeal_id"])
}

const paidIntent = async (body: Json) => {
  const made = await app.call("POST", "/v1/payment-intents", { key: app.buyer.api_key.key, body })
  const id = String(made.json["id"])
  const simulate = `/v1/sandbox/payment-intents/${id}/simulate`
  await app.call("POST", simulate, { body: { action: "authorize" } })
  await app.call("POST", `/v1/payment-intents/${id}/capture`)
  return id
}

/** A paid challenge whose proof is valid for a while. */
const paidChallenge = async () => {
  const open = operations.find(({ name }) => name === "challenges.open")
  const body = { ...open?.example, service_id: service, valid_seconds: 3_600 }
  const { json } = await app.call("POST", "/v1/payment-challenges", { body })
  const made = json["payment_intent"] as Json
  const simulate = `/v1/sandbox/payment-intents/${String(made["id"])}/simulate`
  await app.call("POST", simulate, { body: { action: "authorize" } })
  return made
}

/** A paid subscription to a billed plan, and a proof of it. */
const provenSubscription = async (): Promise<Json> => {
  const key = app.buyer.api_key.key
  const subscribed = await app.call("POST", `/v1/service-manifests/${billed}/subscribe`, {
    key,
    body: { plan_id: "pro", payer: { agent_id: "agent_that_reads" } },
  })
  subscription = String(subscribed.json["id"])
  const payment = subscribed.json["payment"] as Json
  const simulate = `/v1/sandbox/payment-intents/${String(payment["id"])}/simulate`
  await app.call("POST", simulate, { key, body: { action: "pay" } })
  const challenge = "wqLkY1Cq7pYh0cVbXv5cN3mJ8uRz2sT4aEoGdKfHiXk"
  const path = `/v1/subscriptions/${subscription}/proofs`
  const { json } = await app.call("POST", path, { key, body: { challenge } })
  return { service_id: billed, token: json["token"], expires_at: json["expires_at"] }
}

/** An existing resource for the operation to be about; a key to roll is a new one every time. */
const target = async (operation: Operation): Promise<string> => {
  const id = async () => {
    if (operation.name.startsWith("accounts")) return app.seller.id
    if (operation.name.startsWith("webhookEndpoints")) return endpoint
    if (/^subscriptions\.(prove|redeem)$/.test(operation.name)) return subscription
    if (/^(subscriptions|serviceUsage)/.test(operation.name)) return billed
    if (operation.name.startsWith("installs")) return service
    if (operation.name.startsWith("challenges")) return String(demanded["id"])
    if (operation.name.startsWith("refundRequests")) return asked
    if (operation.name === "kycReviews.review") return reviewed
    if (operation.name === "kycReviews.reviewAppeal") return appeal
    if (!operation.name.startsWith("apiKeys")) return intent
    return String((await app.call("POST", "/v1/api-keys", { key: keyFor(operation) })).json["id"])
  }
  const path = operation.path.replace(":channel", "wallet_a").replace(":key_id", issued)
  return path.includes(":id") ? path.replace(":id", await id()) : path
}

const SELLERS = new RegExp(
  "^(services\\.register$|accessItems|refunds|refundRequests\\.[ad]|challenges" +
    "|listings\\.create$|\\w+\\.(capture|report|redeem)$)",
)

const keyFor = (operation: Operation): string =>
  operation.name.startsWith("accounts") || operation.name.startsWith("kycReviews")
    ? ADMIN_KEY
    : SELLERS.test(operation.name)
      ? app.seller.api_key.key
      : app.buyer.api_key.key

const baseOf = ({ example }: Operation): Json => ({
  ...example,
  ...("service_id" in example && { service_id: service }),
  ...("plan_id" in example && "amount" in example && { amount: { currency: "USD", value: 1 } }),
  ...("token" in example && { token: demanded["token"] }),
  ...("challenge" in example && "token" in example && proof),
  ...("payment_intent" in example && { payment_intent: paid }),
  ...("occurred_at" in example && { occurred_at: new Date().toISOString() }),
  ...("quote_id" in example && { quote_id: quote }),
  ...("verification_id" in example && { verification_id: rejected }),
  ...("request" in example && { request: { ...exampleRequest, client_id: program } }),
  // Without a code, since the number of codes is limited.
  ...("level" in example && { channel_credentials: { wallet_a_user_id: "ok_1" } }),
})

/** Sends a body, and describes what is wrong with the answer, whatever its status. */
const send = async (
  operation: Operation,
  body: string,
  headers: { readonly [name: string]: string } = {},
) => {
  const path = await target(operation)
  const before = commits
  const reply = await app.call(operation.method, path, { key: keyFor(operation), body, headers })
  const flaw =
    reply.status >= 500
      ? "a failure of ours"
      : reply.status < 400
        ? undefined
        : commits !== before
          ? "a refusal that left a trace"
          : undocumented(document, operation.method, path, reply)
  return { ...reply, json: unnested(reply.json), flaw }
}

/**
 * Whether a correct request was accepted, or refused only because it was repeated or too frequent.
 */
const isTaken = ({ status, json }: { readonly status: number; readonly json: Json }): boolean =>
  status < 300 ||
  status === 409 ||
  ["INVALID_TRANSITION", "SPEND_CAP_EXCEEDED", "INSUFFICIENT_KYC"].includes(String(json["code"]))

const NEVER_TEXT = new Set([
  "a control character",
  "an override of direction",
  "an isolate of direction",
])
const NEVER_JSON = new Set(["half of a surrogate pair", "a NUL", "something deep", "a prototype"])
const NO_LEAF = new Set(["an empty object", "an object", "a list of a list"])
const NO_TEXT = new Set(["a boolean", "zero", "a fraction", "a huge number"])
const NO_NUMBER = new Set(["a boolean", "an empty text", "an unknown word", "a huge number"])

const mustRefuse = (takes: string, value: string): boolean =>
  NEVER_JSON.has(value) ||
  (takes === "text" && (NEVER_TEXT.has(value) || NO_TEXT.has(value))) ||
  (takes === "number" && NO_NUMBER.has(value)) ||
  (takes === "enum" && value !== "missing" && value !== "null") ||
  (["text", "number", "boolean"].includes(takes) && NO_LEAF.has(value))

describe.each(operations.map((operation) => [operation.name, operation] as const))(
  "%s",
  (_name, operation) => {
    const fields = fieldsOf(operation.schema.ast)

    test("takes its own example", async () => {
      const reply = await send(operation, JSON.stringify(baseOf(operation)))
      expect(isTaken(reply), reply.text).toBe(true)
    })

    test.each(fields.map((field) => [field.path.join("."), field] as const))(
      "%s",
      async (_path, { path, takes, required }) => {
        for (const [name, value] of VALUES) {
          const body = mutant(baseOf(operation), path, value)
          const reply = await send(operation, body)
          const what = `${path.join(".")} as ${name}: ${reply.status} ${reply.text.slice(0, 300)}`
          expect(reply.flaw, what).toBeUndefined()
          if (NEVER_JSON.has(name)) {
            expect(reply.json["code"], what).toBe("INVALID_JSON")
            continue
          }
          const local = operation.read(JSON.parse(body))
          if (Result.isFailure(local)) expect(reply.json["code"], what).toBe(local.failure.code)
          const absent = required && path.length === 1 && (value === undefined || value === null)
          if (absent || mustRefuse(takes, name)) {
            expect(reply.status, what).toBeGreaterThanOrEqual(400)
          }
        }
      },
    )

    test("ignores fields that it does not know", async () => {
      const extra = { id: "mine", status: "active", version: 7, account_id: "x", role: "operator" }
      const reply = await send(operation, JSON.stringify({ ...extra, ...baseOf(operation) }))
      expect(isTaken(reply), reply.text).toBe(true)
      expect(reply.json["id"]).not.toBe("mine")
      expect(reply.json["version"]).toBeUndefined()
      expect(reply.json["role"]).toBeUndefined()
      expect(reply.headers.get("payport-ignored-fields")?.split(", ")).toContain("role")
    })

    test("refuses them where the caller prefers that", async () => {
      const body = JSON.stringify({ ...baseOf(operation), "r\u00f6le\r\n": "operator" })
      const reply = await send(operation, body, { prefer: "handling=strict" })
      expect([reply.status, reply.json["code"]], reply.text).toEqual([422, "INVALID_REQUEST"])
      expect(reply.flaw).toBeUndefined()
      expect(reply.json["field"]).toBe("r\u00f6le\r\n")
      expect(reply.headers.get("preference-applied")).toBe("handling=strict")
      const whole = await send(operation, JSON.stringify(baseOf(operation)), {
        prefer: "respond-async, handling=strict",
      })
      expect(isTaken(whole), whole.text).toBe(true)
      expect(whole.headers.get("payport-ignored-fields")).toBeNull()
    })

    test.each([
      ["nothing", ""],
      ["null", "null"],
      ["a list", "[]"],
      ["a text", `"x"`],
      ["half an object", "{"],
    ])("refuses %s as a body", async (_body, body) => {
      const reply = await send(operation, body)
      // If all fields are optional, there may be a separate code for what they need together.
      if (body === "" && Result.isSuccess(operation.read({}))) {
        expect(reply.flaw).toBeUndefined()
      } else expect([reply.status, reply.json["code"]]).toEqual([400, "INVALID_JSON"])
    })
  },
)

test("there is something to test", () => {
  expect(operations.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      "accounts.create",
      "accounts.changePlan",
      "apiKeys.issue",
      "apiKeys.roll",
      "services.register",
      "paymentIntents.create",
      "payments.oneTime",
      "refunds.create",
      "refunds.ofIntent",
      "webhookEndpoints.create",
      "webhookEndpoints.change",
      "merchant.addWebhookKey",
      "merchant.rotateWebhookSecret",
      "subscriptions.subscribe",
      "serviceUsage.report",
      "serviceUsage.start",
      "kyc.verify",
      "kyc.appeal",
      "kycReviews.review",
      "kycReviews.reviewAppeal",
      "sandbox.simulate",
      "sandbox.setFaults",
      "sandbox.advanceClock",
    ]),
  )
  expect(operations.flatMap(({ schema }) => fieldsOf(schema.ast)).length).toBeGreaterThan(60)
})
