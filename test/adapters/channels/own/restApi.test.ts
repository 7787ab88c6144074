import type { IncomingMessage, ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { afterEach, expect, test } from "vitest"
import { restApi } from "../../../../adapters/channels/own/restApi.ts"
import { Listening } from "../../../support/listening.ts"

const listening = new Listening()
afterEach(() => listening.close())

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

const apiOf = async (answer: Answer, headers?: { readonly [name: string]: string }) =>
  restApi(
    `${await listening.open((request, response) => void answer(request, response))}/`,
    headers,
  )

const options = { signal: new AbortController().signal }

test("asks with its headers, and reads what is answered", async () => {
  const api = await apiOf(
    async (request, response) => {
      const { authorization, "content-type": type } = request.headers
      const body = await text(request)
      const { method, url } = request
      response.end(JSON.stringify({ method, url, authorization, type, body }))
    },
    { authorization: "Bearer key" },
  )
  const asked = { authorization: "Bearer key", url: "/orders/1" }
  expect(await api.get("/orders/1", options)).toStrictEqual({ ...asked, method: "GET", body: "" })
  const sent = { ...asked, type: "application/json", body: '{"cents":5}' }
  expect(await api.put("/orders/1", { cents: 5 }, options)).toStrictEqual({
    ...sent,
    method: "PUT",
  })
  expect(await api.post("/orders/1", { cents: 5 }, options)).toStrictEqual({
    ...sent,
    method: "POST",
  })
})

test("what is not there is undefined to a GET, and an error to what changes it", async () => {
  const api = await apiOf((_, response) => response.writeHead(404).end("{}"))
  expect(await api.get("/orders/1", options)).toBeUndefined()
  await expect(api.put("/orders/1", {}, options)).rejects.toThrow("the API answered 404")
})

test("an answer without a body is undefined", async () => {
  const api = await apiOf((_, response) => response.writeHead(204).end())
  expect(await api.post("/orders/1/close", {}, options)).toBeUndefined()
})

test.each([
  [401, {}, { reason: "credentials" }],
  [429, { "retry-after": "7" }, { reason: "rate_limited", retry_after: 7 }],
  [429, {}, { reason: "rate_limited", retry_after: 1 }],
  [403, {}, { message: "the API answered 403" }],
  [500, {}, { message: "the API answered 500" }],
  [302, { location: "/elsewhere" }, {}],
])("the status %i with %o rejects with %o", async (status, headers, wanted) => {
  const api = await apiOf((_, response) => response.writeHead(status, headers).end("secret"))
  const failure: unknown = await api.get("/orders/1", options).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Error)
  expect(failure).toMatchObject(wanted)
  expect(String(failure)).not.toContain("secret")
})

test.each([
  ["no JSON", "<html>"],
  ["half a character", Buffer.from([0x22, 0xc3, 0x22])],
  ["more than a MiB", `"${"x".repeat(1_048_576)}"`],
])("%s is an error", async (_, body) => {
  const api = await apiOf((_request, response) => response.end(body))
  await expect(api.get("/orders/1", options)).rejects.toThrow()
})

test("nothing is waited for once the time is over", async () => {
  const ended = new AbortController()
  const api = await apiOf(() => ended.abort())
  await expect(api.get("/orders/1", { signal: ended.signal })).rejects.toThrow(/abort/)
})
