import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { McpClient } from "mppx/mcp/client"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { makeClient, mppPayer, sandboxWallet } from "../../../adapters/http/client/entry.ts"
import { remoteTools } from "../../../adapters/mcp/remoteTools.ts"
import { activeService, aManifest, type App, startApp } from "../../support/app.ts"

type Json = { readonly [name: string]: unknown }

const CREDENTIAL = "org.paymentauth/credential"
const RECEIPT = "org.paymentauth/receipt"

let app: App
beforeAll(async () => {
  app = await startApp({ sandbox: true })
})
afterAll(() => app.stop())

let count = 0
const PRICED = { pricing: { one_time: [{ amount: 25, currency: "USD", label: "One" }] } }
const aService = () => activeService(app, { name: `Paid by MPP ${++count}`, ...PRICED })
const toolOf = (service: string) => `${service}__pay_one_time`
const account = () => ({ baseUrl: app.url, apiKey: app.buyer.api_key.key })

const ofService = async (service: string) => {
  const path = `/v1/payment-intents?service_id=${service}`
  return (await app.call("GET", path)).json["data"] as ReadonlyArray<Json>
}
const TAKEN = /^(captured|succeeded)$/
const takenOf = async (service: string) =>
  (await ofService(service)).filter(({ status }) => TAKEN.test(String(status))).length

/** One call over JSON-RPC, and its whole answer. */
const rpc = async (
  path: string,
  name: string,
  args: object,
  credential?: unknown,
  key = app.buyer.api_key.key,
) => {
  const response = await fetch(`${app.url}${path}`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name,
        arguments: args,
        ...(credential !== undefined && { _meta: { [CREDENTIAL]: credential } }),
      },
    }),
  })
  const text = await response.text()
  const line = text.split("\n").find((one) => one.startsWith("data: "))
  return JSON.parse(line?.slice(6) ?? text) as {
    readonly result?: Json
    readonly error?: { readonly code: number; readonly message: string; readonly data: Json }
  }
}

interface Challenge extends Json {
  readonly id: string
  readonly request: Json & { readonly methodDetails: Json }
}

const challengeIn = ({ error }: Awaited<ReturnType<typeof rpc>>): Challenge => {
  const [challenge] = (error?.data["challenges"] ?? []) as ReadonlyArray<Challenge>
  if (challenge === undefined) throw new Error("There is no challenge.")
  return challenge
}

/** A credential of an authorized payment. */
const credentialOf = async (challenge: Challenge, service: string, value = 25) => {
  const resource = String(challenge.request.methodDetails["resource"])
  const input = { service_id: service, amount: { currency: "USD", value }, resource }
  const { payment_intent } = await makeClient(account()).facilitator.pay(input)
  await app.call("POST", `/v1/sandbox/payment-intents/${payment_intent.id}/simulate`, {
    key: app.buyer.api_key.key,
    body: { action: "pay" },
  })
  const { id, token } = payment_intent
  return { challenge, payload: { payment_intent: id, token } }
}

const receiptIn = ({ result }: Awaited<ReturnType<typeof rpc>>) =>
  (result?.["_meta"] as Json | undefined)?.[RECEIPT] as Json | undefined

const MARKETS = ["/mcp", "/mcp/market"] as const
const callAt = (path: string, service: string) =>
  path === "/mcp"
    ? ([toolOf(service), { manifest_id: service }] as const)
    : (["pay", { service_id: service }] as const)

test.each(MARKETS)("a call at %s without a payment is refused, and costs nothing", async (path) => {
  const service = await aService()
  const [name, args] = callAt(path, service)
  const refused = await rpc(`${path}?payment=mpp`, name, args)
  expect(refused.error).toMatchObject({
    code: -32_042,
    message: "Payment Required",
    data: {
      httpStatus: 402,
      problem: { type: "https://paymentauth.org/problems/payment-required", status: 402 },
      challenges: [
        {
          realm: "payport",
          method: "payport",
          intent: "charge",
          request: {
            amount: "25",
            currency: "usd",
            methodDetails: { service_id: service, resource: `mcp://tool/${name}` },
          },
        },
      ],
    },
  })
  expect(await ofService(service)).toHaveLength(0)
})

test.each(MARKETS)("the reference client, unchanged, pays once at %s", async (path) => {
  const service = await aService()
  const [name, args] = callAt(path, service)
  const sandbox = sandboxWallet(account())
  const orders: Array<string> = []
  const payer = mppPayer(
    fetch,
    { pay: (order) => (orders.push(order.id), sandbox.pay(order)) },
    { currency: "USD", perCall: 100, total: 1_000 },
    { account: account() },
  )
  const client = new Client({ name: "test", version: "1.0.0" })
  const requestInit = { headers: { Authorization: `Bearer ${app.buyer.api_key.key}` } }
  const url = new URL(`${app.url}${path}?payment=mpp`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  onTestFinished(() => client.close())
  const paying = McpClient.wrap(client, { methods: [...payer.methods] })
  const result = await paying.callTool({ name, arguments: args })
  expect(result.isError ?? false).toBe(false)
  expect(result.receipt).toMatchObject({
    status: "success",
    method: "payport",
    reference: orders[0],
    challengeId: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect(orders).toHaveLength(1)
  expect(await takenOf(service)).toBe(1)
})

test.each(MARKETS)("a used credential is answered again at %s after a change", async (path) => {
  const service = await aService()
  const [name, args] = callAt(path, service)
  const call = (credential?: unknown) => rpc(`${path}?payment=mpp`, name, args, credential)
  const credential = await credentialOf(challengeIn(await call()), service)
  const first = receiptIn(await call(credential))
  expect(first).toMatchObject({ status: "success" })
  const { json } = await app.call("GET", `/v1/services/${service}`)
  const pricing = { one_time: [{ amount: 30, currency: "USD", label: "One" }] }
  await app.call("POST", "/v1/services", { body: aManifest({ name: json["name"], pricing }) })
  const { timestamp: _then, ...same } = first ?? {}
  expect(receiptIn(await call(credential))).toMatchObject(same)
  await app.call("PATCH", `/v1/services/${service}/pause`)
  expect(receiptIn(await call(credential))).toMatchObject(same)
  expect(await takenOf(service)).toBe(1)
})

const parts = async () => {
  const service = await aService()
  const call = (credential: unknown, args: object = {}, key?: string, path = "/mcp?payment=mpp") =>
    rpc(path, toolOf(service), { manifest_id: service, ...args }, credential, key)
  const credential = await credentialOf(challengeIn(await call(undefined)), service)
  return { service, call, credential }
}

/** Texts similar to a credential, each with the code of its refusal. */
test("nothing that is close to a credential pays", async () => {
  const { call, credential, service } = await parts()
  const other = await parts()
  const { challenge, payload } = credential
  const { request } = challenge
  const NONE = -32_602
  const WRONG = -32_043
  const echoing = (said: object) => ({ challenge: { ...challenge, ...said }, payload })
  const asking = (said: object) => echoing({ request: { ...request, ...said } })
  const proving = (said: object) => ({ challenge, payload: { ...payload, ...said } })
  const forged: ReadonlyArray<readonly [string, unknown, number]> = [
    ["null", null, NONE],
    ["a text", "Payment abc", NONE],
    ["no challenge", { payload }, NONE],
    ["no payload", { challenge }, NONE],
    ["an empty id", echoing({ id: "" }), NONE],
    ["a request in base64", echoing({ request: "e30" }), NONE],
    ["no token", proving({ token: undefined }), NONE],
    ["a payment that is no id", proving({ payment_intent: "pi_1" }), NONE],
    ["an id that is a word", echoing({ id: "guess" }), WRONG],
    ["another's id", echoing({ id: other.credential.challenge.id }), WRONG],
    ["another's challenge", { challenge: other.credential.challenge, payload }, WRONG],
    ["another realm", echoing({ realm: "api.example" }), WRONG],
    ["another method", echoing({ method: "tempo" }), WRONG],
    ["another intent", echoing({ intent: "authorize" }), WRONG],
    ["more time", echoing({ expires: "2099-01-01T00:00:00.000Z" }), WRONG],
    ["no time", echoing({ expires: undefined }), WRONG],
    ["less", asking({ amount: "1" }), WRONG],
    ["another currency", asking({ currency: "idr" }), WRONG],
    ["another service", asking({ methodDetails: { service_id: other.service } }), WRONG],
    ["a field more", asking({ externalId: "7" }), WRONG],
    ["a guessed token", proving({ token: "guessed" }), WRONG],
    ["another's token", proving({ token: other.credential.payload.token }), WRONG],
    ["another's payment", proving({ ...other.credential.payload }), WRONG],
  ]
  for (const [name, shown, code] of forged) {
    const { error, result } = await call(shown)
    expect([error?.code, result], name).toEqual([code, undefined])
  }
  const elsewhere = await call(credential, { amount: 26 })
  expect(elsewhere.error?.code).toBe(WRONG)
  expect(challengeIn(elsewhere).request["amount"]).toBe("26")
  expect(receiptIn(await call(credential, {}, app.seller.api_key.key))).toBeUndefined()
  expect(await takenOf(service)).toBe(0)
  const passed = await call(credential)
  expect(receiptIn(passed)).toMatchObject({ reference: payload.payment_intent })
  expect(await takenOf(service)).toBe(1)
})

test("one credential in ten calls at once, at all doors, is one charge", async () => {
  const { call, credential, service } = await parts()
  const { payment_intent, token } = credential.payload
  const redeem = () =>
    app.call("POST", `/v1/payment-challenges/${payment_intent}/redeem`, {
      body: {
        service_id: service,
        amount: { currency: "USD", value: 25 },
        resource: `mcp://tool/${toolOf(service)}`,
        token,
      },
    })
  const all = await Promise.all(Array.from({ length: 10 }, () => call(credential)))
  const receipts = all.map(receiptIn).filter((receipt) => receipt !== undefined)
  expect(receipts.length).toBeGreaterThanOrEqual(1)
  expect(new Set(receipts.map(({ reference }) => reference))).toEqual(new Set([payment_intent]))
  expect((await redeem()).json["code"]).toBe("PAYMENT_PROOF_USED")
  const again = await call(credential)
  expect(again.result?.["structuredContent"]).toMatchObject({ id: payment_intent, replayed: true })
  const another = await credentialOf(challengeIn(await call(undefined)), service)
  const second = await call(another)
  expect(second.result?.["structuredContent"]).toMatchObject({ id: payment_intent })
  expect(receiptIn(second)).toBeUndefined()
  expect(await takenOf(service)).toBe(1)
})

test("on stdio a refusal is passed on, and so is the credential", async () => {
  const { credential, service } = await parts()
  const tools = remoteTools({
    url: app.url,
    path: "/mcp?payment=mpp",
    key: () => Promise.resolve(app.buyer.api_key.key),
  })
  const call = { name: toolOf(service), args: { manifest_id: service } }
  // Revision 2026-07-28 has another use for the error's code.
  expect(await tools.call(call)).toMatchObject({
    isError: true,
    _meta: {
      "org.paymentauth/payment-required": {
        httpStatus: 402,
        challenges: [{ method: "payport" }],
      },
    },
  })
  const guessed = { ...credential, payload: { ...credential.payload, token: "guessed" } }
  await expect(tools.call({ ...call, credential: guessed })).rejects.toMatchObject({
    code: -32_043,
    data: { challenges: [{ method: "payport" }] },
  })
  const { _meta } = await tools.call({ ...call, credential })
  expect(_meta?.[RECEIPT]).toMatchObject({ reference: credential.payload.payment_intent })
})

test("an old challenge is told so; a credential pays at any address", async () => {
  const { call, credential, service } = await parts()
  const paid = await call(credential, {}, undefined, "/mcp")
  expect(receiptIn(paid)).toMatchObject({ reference: credential.payload.payment_intent })
  const late = await parts()
  await app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds: 16 * 60 } })
  const refused = await late.call(late.credential)
  expect(refused.error).toMatchObject({
    code: -32_043,
    data: { failure: { reason: "payment-expired" } },
  })
  expect([await takenOf(service), await takenOf(late.service)]).toEqual([1, 0])
})
