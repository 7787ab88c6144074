import { request } from "node:http"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type App, startApp } from "../support/app.ts"

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

type Headers = { readonly [name: string]: string }

/** Revokes a new key by a request with just these headers and this body. */
const revoke = async (headers: Headers, body: string) => {
  const { key } = app.seller.api_key
  const issued = await app.call("POST", "/v1/api-keys", { key, body: {} })
  const target = new URL(`/v1/api-keys/${String(issued.json["id"])}`, app.url)
  return new Promise<number | undefined>((resolve, reject) => {
    const sent = { authorization: `Bearer ${key}`, ...headers }
    const sending = request(target, { method: "DELETE", headers: sent }, (answer) => {
      answer.resume()
      answer.on("end", () => resolve(answer.statusCode))
    })
    sending.on("error", reject)
    sending.end(body)
  })
}

const chunked = { "transfer-encoding": "chunked" }
const json = { "content-type": "application/json" }
const lengthOf = (body: string) => ({ "content-length": String(body.length) })

test.each<readonly [string, Headers, string, number]>([
  ["nothing", {}, "", 200],
  ["a media type alone", json, "", 200],
  ["a form of no bytes", { "content-type": "application/x-www-form-urlencoded" }, "", 200],
  ["no chunks", chunked, "", 200],
  ["no chunks of JSON", { ...chunked, ...json }, "", 200],
  ["no fields", { ...json, ...lengthOf("{}") }, "{}", 200],
  ["no fields in chunks", { ...chunked, ...json }, "{}", 200],
  ["a text", { "content-type": "text/plain", ...lengthOf("{}") }, "{}", 415],
  ["a text in chunks", { ...chunked, "content-type": "text/plain" }, "{}", 415],
  ["something compressed", { ...chunked, ...json, "content-encoding": "gzip" }, "{}", 415],
  ["a list", { ...json, ...lengthOf("[]") }, "[]", 400],
])("a change without fields takes %s", async (_, headers, body, status) => {
  expect(await revoke(headers, body)).toBe(status)
})
