import { afterAll, beforeAll, expect, test } from "vitest"
import { Api } from "../../adapters/http/contract/Api.ts"
import { documentOf } from "../../adapters/http/openapi.ts"
import { ADMIN_KEY, type App, startApp } from "../support/app.ts"
import { unnested } from "../support/documented.ts"

interface Parameter {
  readonly name?: string
  readonly in?: string
}

interface Operation {
  readonly parameters: ReadonlyArray<Parameter>
  readonly security: ReadonlyArray<object>
}

const { paths } = documentOf(Api, "http://payport.test") as unknown as {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
}

/** A nested refusal names the field in its details. */
const fieldIn = ({ details }: { readonly [name: string]: unknown }): unknown =>
  typeof details === "object" && details !== null ? Reflect.get(details, "field") : undefined

/** Every parameter of every query. */
const parameters = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, { parameters: all, security }]) =>
    all.flatMap(({ in: place, name = "" }) =>
      place === "query" ? [[method, path, name, security] as const] : [],
    ),
  ),
)

let app: App
beforeAll(async () => {
  app = await startApp({ sandbox: true })
})
afterAll(() => app.stop())

const send = (method: string, path: string, query: string, security: ReadonlyArray<object>) => {
  const key = security.some((one) => "admin_key" in one) ? ADMIN_KEY : app.buyer.api_key.key
  const id = "01997d3e-8a00-7000-8000-000000000010"
  return app.call(method.toUpperCase(), `${path.replace(/\{\w+\}/, id)}?${query}`, { key })
}

test.each(parameters)("%s %s refuses NUL in %s", async (method, path, name, security) => {
  for (const value of ["%00", "a%00b"]) {
    const { json, status } = await send(method, path, `${name}=${value}`, security)
    if (name === "q") expect(status).toBe(200)
    else expect([status, JSON.stringify(json)]).toEqual([400, expect.stringMatching(/INVALID_/)])
  }
})

test.each(parameters)("%s %s says that %s is malformed", async (method, path, name, security) => {
  for (const value of ["%zz", "%ff", "100%", "%ED%A0%80"]) {
    const reply = await send(method, path, `${name}=${value}`, security)
    const [{ status }, json] = [reply, unnested(reply.json)]
    expect([status, json["code"], json["field"] ?? fieldIn(json)]).toEqual([
      400,
      "INVALID_QUERY",
      name,
    ])
    expect(json["message"]).toContain(`parameter ${name} is not valid percent-encoding`)
  }
})

test("a malformed name of a parameter is not repeated", async () => {
  const { json, status } = await app.call("GET", "/v1/services?%zz=1")
  expect([status, json["code"], json["field"]]).toEqual([400, "INVALID_QUERY", undefined])
  expect(json["message"]).toMatch(/^The name of a query parameter/)
})

test("the largest numbers are refused or answered, and none fails", async () => {
  const numbers = ["2147483647", "2147483648", "999999999999999", "9223372036854775808"]
  for (const [method, path, name, security] of parameters) {
    if (name !== "limit" && name !== "offset") continue
    for (const number of numbers) {
      const { status } = await send(method, path, `${name}=${number}`, security)
      expect([200, 400], `${path} ${name}=${number}`).toContain(status)
    }
  }
  const { data, pagination } = (await app.call("GET", "/v1/invoices?offset=2147483647&limit=100"))
    .json as { readonly data: unknown; readonly pagination: object }
  expect([data, pagination]).toEqual([[], { total: 0, limit: 100, offset: 2_147_483_647 }])
})
