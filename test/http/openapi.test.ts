import { HttpApi } from "effect/http-api"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Api, LiveApi } from "../../adapters/http/contract/Api.ts"
import { documentOf } from "../../adapters/http/openapi.ts"
import { type App, startApp } from "../support/app.ts"
import { eventBody } from "../../core/webhooks/events/Envelope.ts"
import { EVENT_TYPES } from "../../core/webhooks/events/Event.ts"

type Json = { readonly [key: string]: unknown }

const METHODS = ["get", "post", "put", "patch", "delete"]

const asJson = (value: unknown): Json => value as Json

const document = documentOf(Api, "http://payport.test")
const paths = asJson(document["paths"])

/** Every operation with its path and method. */
const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(asJson(item)).map(([method, operation]) => ({
    name: `${method} ${path}`,
    path,
    method,
    operation: asJson(operation),
  })),
)

const walk = (value: unknown, visit: (key: string, value: unknown) => void): void => {
  if (typeof value !== "object" || value === null) return
  for (const [key, item] of Object.entries(value)) {
    visit(key, item)
    walk(item, visit)
  }
}

const resolve = (reference: string): unknown =>
  reference
    .slice(2)
    .split("/")
    .reduce<unknown>((at, key) => asJson(at)?.[key], document)

describe("the document", () => {
  test("is OpenAPI 3.1 about this service", () => {
    expect(document["openapi"]).toBe("3.1.0")
    expect(document["info"]).toMatchObject({ title: "payport", license: { name: "Apache-2.0" } })
    expect(document["servers"]).toEqual([{ url: "http://payport.test" }])
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })

  test("has only references that lead somewhere", () => {
    const references: Array<string> = []
    walk(document, (key, value) => {
      if (key === "$ref") references.push(String(value))
    })
    expect(references.length).toBeGreaterThan(100)
    expect(references.filter((reference) => resolve(reference) === undefined)).toEqual([])
  })

  test("warns of an unknown outcome wherever something may be changed, and nowhere else", () => {
    const warned = operations.filter(({ operation }) =>
      JSON.stringify(asJson(operation["responses"])["503"] ?? "").includes("OUTCOME_UNKNOWN"),
    )
    const changing = operations.filter(({ method }) => method !== "get")
    expect(warned.map(({ name }) => name)).toEqual(changing.map(({ name }) => name))
  })

  test("tells of a body that does not arrive in time wherever there may be one", () => {
    const told = operations.filter(({ operation }) => "408" in asJson(operation["responses"]))
    const bodied = operations.filter(({ operation }) => "413" in asJson(operation["responses"]))
    expect(told.map(({ name }) => name)).toEqual(bodied.map(({ name }) => name))
    const [first] = told
    expect(JSON.stringify(first?.operation["responses"])).toContain(
      '"408":{"description":"INVALID_REQUEST"',
    )
  })

  test("says of lists, searches and sums, and of nothing else, how old they may be", () => {
    const aged = operations
      .filter(({ operation }) => {
        const answer = asJson(asJson(operation["responses"])["200"] ?? {})
        return "Payport-Data-Age" in asJson(answer["headers"] ?? {})
      })
      .map(({ name }) => name)
    expect(aged).toContain("get /v1/payment-intents")
    expect(aged).toContain("get /v1/services")
    expect(aged).toContain("get /v1/balance")
    expect(aged.filter((name) => !name.startsWith("get /"))).toEqual([])
    // A record read by its id is used for decisions, so it has no age.
    expect(aged.filter((name) => name.endsWith("{id}"))).toEqual([])
  })

  test("names every component once", () => {
    const schemas = Object.keys(asJson(asJson(document["components"])["schemas"]))
    expect(schemas.filter((name) => /_\d+$/.test(name))).toEqual([])
    expect(schemas).toContain("Error")
    expect(schemas).toContain("PaymentIntent")
    expect(schemas).toContain("ChannelCallback")
  })

  test("says what every component is, with an example of every resource", () => {
    const schemas = Object.entries(asJson(asJson(document["components"])["schemas"]))
    const silent = schemas
      .filter(([name]) => name !== "PaymentIntentEncoded")
      .filter(([, schema]) => asJson(schema)["description"] === undefined)
    const bare = schemas
      .filter(([name]) => !["PaymentIntentEncoded", "ServiceSearchResult"].includes(name))
      .filter(([, schema]) => !Array.isArray(asJson(schema)["examples"]))
    expect(silent.map(([name]) => name)).toEqual([])
    expect(bare.map(([name]) => name)).toEqual([])
  })

  test("holds nothing that only one program understands", () => {
    const found: Array<string> = []
    walk(document, (key, value) => {
      if (key.startsWith("x-")) found.push(key)
      if (key === "additionalProperties" && value === false) found.push(key)
    })
    expect(found).toEqual([])
  })
})

describe("the webhooks", () => {
  const webhooks = asJson(document["webhooks"])

  test("are one for each event, in the envelope of its family", () => {
    expect(Object.keys(webhooks).toSorted()).toEqual(EVENT_TYPES.toSorted())
    for (const type of EVENT_TYPES) {
      const { requestBody } = asJson(asJson(webhooks[type])["post"])
      const content = asJson(asJson(asJson(requestBody)["content"])["application/json"])
      const { properties, required } = asJson(content["schema"])
      const body = asJson(JSON.parse(eventBody({ id: "evt_1", type, data: {}, created_at: 0 })))
      expect(Object.keys(asJson(properties)).toSorted(), type).toEqual(Object.keys(body).toSorted())
      expect(required, type).toEqual(expect.arrayContaining(Object.keys(body)))
    }
  })
})

/** Refunds, revocations and identities (Errors 2). */
const NESTED = /^\w+ \/v1\/(?:refunds|refund-requests|kyc|access-items)\b|^post \S+\/refund$/

describe("every operation", () => {
  test("has a method, a name of its own, a tag, a summary and its path's parameters", () => {
    const tags = new Set((document["tags"] as ReadonlyArray<Json>).map(({ name }) => name))
    const ids = operations.map(({ operation }) => operation["operationId"])
    expect(new Set(ids).size).toBe(ids.length)
    for (const { name, path, method, operation } of operations) {
      expect(METHODS, name).toContain(method)
      expect(operation["summary"], name).toBeTypeOf("string")
      for (const tag of operation["tags"] as ReadonlyArray<string>) {
        expect(tags.has(tag), name).toBe(true)
      }
      const parameters = operation["parameters"] as ReadonlyArray<Json>
      const inPath = parameters.filter((parameter) => parameter["in"] === "path")
      expect(
        inPath.map((parameter) => `{${String(parameter["name"])}}`),
        name,
      ).toEqual(path.match(/\{\w+\}/g) ?? [])
    }
  })

  test("has a success and its refusals, each with its codes and the request's name", () => {
    for (const { name, operation } of operations) {
      const responses = Object.entries(asJson(operation["responses"]))
      expect(
        responses.some(([status]) => status.startsWith("2")),
        name,
      ).toBe(true)
      expect(
        responses.some(([status]) => status === "500"),
        name,
      ).toBe(true)
      for (const [status, response] of responses) {
        const { description, headers, content } = asJson(response)
        expect(description, name).toBeTypeOf("string")
        expect(Object.keys(asJson(headers)), name).toContain("X-Request-Id")
        if (Number(status) < 400) continue
        const schema = asJson(asJson(asJson(content)["application/json"])["schema"])
        if (status === "402" && name.startsWith("get ")) {
          expect(schema["$ref"], name).toBe("#/components/schemas/PaymentRequired")
          continue
        }
        const nested = NESTED.test(name)
        const kind = nested ? "NestedError" : "Error"
        expect(schema["$ref"], name).toBe(`#/components/schemas/${kind}`)
        const properties = asJson(schema["properties"])
        const facts = nested ? asJson(asJson(properties["error"])["properties"]) : properties
        expect(asJson(facts["code"])["enum"], name).toEqual(String(description).split(", "))
      }
    }
  })

  test("says who may call it", () => {
    const security = (path: string, method: string) =>
      operations.find((one) => one.path === path && one.method === method)?.operation["security"]
    expect(security("/v1/services", "post")).toEqual([{ account_key: [] }])
    expect(security("/v1/accounts", "post")).toEqual([{ admin_key: [] }])
    expect(security("/v1/webhooks/channel/{channel}", "post")).toEqual([])
    expect(security("/healthz", "get")).toEqual([])
  })

  test("takes an Idempotency-Key where it is a POST of an account or the operator", () => {
    const keyed = operations.filter(({ operation }) =>
      (operation["parameters"] as ReadonlyArray<Json>).some(
        (parameter) => parameter["$ref"] === "#/components/parameters/IdempotencyKey",
      ),
    )
    // A callback has its own identity; verifying, proving and introspecting change nothing.
    const free = new RegExp(
      "^/v1/(webhooks/channel|x402/verify|subscriptions/{id}/proofs|access-items/introspect)",
    )
    const posts = operations.filter(({ method, path }) => method === "post" && !free.test(path))
    expect(keyed.map(({ name }) => name)).toEqual(posts.map(({ name }) => name))
  })

  test("needs a body only where a field is needed", () => {
    const required = (name: string) =>
      asJson(operations.find((one) => one.name === name)?.operation["requestBody"])["required"]
    expect(required("post /v1/services")).toBe(true)
    expect(required("post /v1/webhooks/channel/{channel}")).toBe(true)
    expect(required("post /v1/api-keys")).toBe(false)
    expect(required("post /v1/payment-intents/{id}/capture")).toBe(false)
    expect(required("put /v1/sandbox/channels/{channel}/faults")).toBe(false)
  })

  test("has whole numbers in its query where they are meant", () => {
    const search = operations.find(({ name }) => name === "get /v1/services")
    const parameters = search?.operation["parameters"] as ReadonlyArray<Json>
    expect(parameters.find((parameter) => parameter["name"] === "limit")).toMatchObject({
      in: "query",
      required: false,
      schema: { type: "integer", minimum: 1, maximum: 100, default: 20 },
    })
  })
})

describe("what is served", () => {
  let sandbox: App
  let live: App
  beforeAll(async () => {
    sandbox = await startApp({ sandbox: true })
    live = await startApp()
  })
  afterAll(() => Promise.all([sandbox.stop(), live.stop()]))

  const served = async (app: App) =>
    asJson((await app.call("GET", "/openapi.json", { key: null })).json["paths"])

  test("is described, and what is described is served", async () => {
    const described = await served(sandbox)
    expect(Object.keys(described)).toEqual(Object.keys(paths))
    for (const [path, item] of Object.entries(described)) {
      const target = path.replaceAll(/\{\w+\}/g, "x")
      const methods = Object.keys(asJson(item)).map((method) => method.toUpperCase())
      // A method without a route is answered with the existing methods.
      const { headers, status } = await sandbox.call("OPTIONS", target)
      expect(status, path).toBe(405)
      expect(
        headers
          .get("allow")
          ?.split(", ")
          .filter((method) => method !== "HEAD"),
        path,
      ).toEqual(expect.arrayContaining(methods))
      expect(
        headers
          .get("allow")
          ?.split(", ")
          .filter((method) => method !== "HEAD"),
      ).toHaveLength(methods.length)
    }
  })

  test("live is all of it but the sandbox", async () => {
    const described = Object.keys(await served(live))
    const sandboxed = Object.keys(paths).filter((path) => path.startsWith("/v1/sandbox"))
    expect(sandboxed.length).toBeGreaterThan(3)
    expect(described.concat(sandboxed).toSorted()).toEqual(Object.keys(paths).toSorted())
    for (const path of sandboxed) {
      const reply = await live.call("OPTIONS", path.replaceAll(/\{\w+\}/g, "x"))
      expect(reply.status).toBe(404)
    }
  })

  test("the contract's routes are the document's", () => {
    const routes: Array<string> = []
    HttpApi.reflect(LiveApi, {
      onGroup: () => {},
      onEndpoint: ({ endpoint }) => {
        const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}")
        routes.push(`${endpoint.method.toLowerCase()} ${path}`)
      },
    })
    const live = operations.filter(({ path }) => !path.startsWith("/v1/sandbox/"))
    expect(routes.toSorted()).toEqual(live.map(({ name }) => name).toSorted())
  })
})
