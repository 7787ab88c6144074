import { Effect, Exit, Scope } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, onTestFinished, test } from "vitest"
import { manifest, type Running, startOn, temporaryFolder } from "../apps/server/service.ts"
import { askDatabase, urlOf } from "../support/askDatabase.ts"
import { testDatabase } from "../support/postgres.ts"

type Json = { readonly [key: string]: unknown }

const ADMIN = "planted-admin-key-4711"
const MASTER = Buffer.alloc(32, "planted").toString("base64")

/** A person's identity data, which no other account may read. */
const PERSON = {
  email: "ada@planted.example",
  phone: "+14155550163",
  country: "GB",
  full_name: "Ada Plantedname",
  date_of_birth: "1915-12-10",
  document_type: "passport",
  document_number: "QZ99887766",
}

const COMPANY = {
  ...PERSON,
  document_number: "QZ11882233",
  business_name: "Planted Engines Ltd",
  registration_number: "REG-00018155",
  ubo_declaration: { full_name: "Grace Plantedowner", ownership_pct: 75 },
}

const REASON = "My planted reason: the passport was renewed."

/** Those of the values above that are unique, and those that differ from request to request. */
const PLANTED = [
  "ada@planted.example",
  "+14155550163",
  "Plantedname",
  "1915-12-10",
  "QZ99887766",
  "QZ99880000",
  "QZ99889999",
  "QZ11882233",
  "Planted Engines",
  "REG-00018155",
  "Plantedowner",
  "ok_planted_credential",
  "planted reason",
  "struck off for REG",
]

/** Values for every field and query. They may be stored, but must not be logged. */
const SPRAYED = ["SX77665544", "sprayed@planted.example"] as const

interface Answer {
  readonly path: string
  readonly status: number
  readonly text: string
  readonly json: Json
}

const answers: Array<Answer> = []

interface Sent {
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
}

const sendWith = async (
  service: Running,
  method: string,
  path: string,
  { body, headers }: Sent,
): Promise<Answer> => {
  const reply = await fetch(service.url + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  const isJson = reply.headers.get("content-type")?.startsWith("application/json") ?? false
  const answer = {
    path,
    status: reply.status,
    text,
    json: isJson ? (JSON.parse(text) as Json) : {},
  }
  answers.push(answer)
  return answer
}

const send = (service: Running, key: string, method: string, path: string, body?: unknown) =>
  sendWith(service, method, path, { body, headers: { authorization: `Bearer ${key}` } })

/** A receiver that records everything. */
const openEar = async () => {
  const heard: Array<string> = []
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => (body += text))
    request.on("end", () => {
      heard.push(`${JSON.stringify(request.rawHeaders)} ${body}`)
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { heard, url: `http://127.0.0.1:${port}` }
}

const begin = async () => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const database = await Effect.runPromise(Scope.provide(testDatabase, scope))
  const service = await startOn(await temporaryFolder(), {
    PAYPORT_DATABASE_URL: urlOf(database),
    PAYPORT_ADMIN_KEY: ADMIN,
    PAYPORT_MASTER_KEY: MASTER,
  })
  const banner = service.stdout().length
  return { database, service, log: () => service.stdout().slice(banner) + service.stderr() }
}

interface PaymentDemand {
  readonly id: string
  readonly token: string
}

const PAID = "/v1/sandbox/paid/"

/** Proofs of payments in every way that they are shown; returns what proves them. */
const proveInAllWays = async (service: Running, service_id: string) => {
  const { buyerKey, sellerKey } = service
  const pay = (id: string) =>
    send(service, buyerKey, "POST", `/v1/sandbox/payment-intents/${id}/simulate`, { action: "pay" })
  const demand = async () => {
    const { json } = await sendWith(service, "GET", PAID + service_id, {})
    return json["payment_intent"] as PaymentDemand
  }
  const show = async (headers: Sent["headers"], wanted: number) => {
    const { status } = await sendWith(service, "GET", PAID + service_id, { headers: headers ?? {} })
    expect(status).toBe(wanted)
  }
  const [own, x402] = [await demand(), await demand()]
  const ours = { "X-Payment-Intent": own.id, "X-Payment-Token": own.token }
  await show(ours, 402)
  await pay(own.id)
  await show({ ...ours, "X-Payment-Token": `${own.token}x` }, 403)
  await show(ours, 200)
  await show(ours, 402)
  await pay(x402.id)
  const accepted = { scheme: "payport", network: "payport:sandbox" }
  const payload = { payment_intent: x402.id, token: x402.token }
  const proof = JSON.stringify({ x402Version: 2, accepted, payload })
  const signature = Buffer.from(proof).toString("base64")
  await show({ "PAYMENT-SIGNATURE": signature }, 200)

  const terms = { service_id, amount: { currency: "USD", value: 100 }, resource: "GET /reports/7" }
  const opened = await sendWith(service, "POST", "/v1/payment-challenges", {
    body: terms,
    headers: { authorization: `Bearer ${sellerKey}`, "idempotency-key": "a-planted-challenge" },
  })
  const asked = opened.json["payment_intent"] as PaymentDemand
  const redeem = `/v1/payment-challenges/${asked.id}/redeem`
  const given = { ...terms, token: asked.token }
  expect((await send(service, sellerKey, "POST", redeem, given)).status).toBe(402)
  await pay(asked.id)
  await send(service, sellerKey, "POST", redeem, { ...given, resource: "GET /reports/8" })
  await send(service, sellerKey, "POST", redeem, { ...given, token: [asked.token] })
  expect((await send(service, sellerKey, "POST", redeem, given)).status).toBe(200)
  return [own.token, x402.token, asked.token, signature]
}

/** A payment from its creation to its refund; returns what proves payments. */
const buy = async (service: Running, url: string) => {
  const { buyerKey, sellerKey } = service
  const body = manifest(`${url}/service`)
  const { json } = await send(service, sellerKey, "POST", "/v1/services", body)
  const service_id = String(json["id"])
  await send(service, sellerKey, "PATCH", `/v1/services/${service_id}/activate`, {})
  const amount = { currency: "USD", value: 100 }
  const order = { service_id, type: "one_time", amount, description: "One answer" }
  const made = await send(service, buyerKey, "POST", "/v1/payment-intents", order)
  const path = `/v1/payment-intents/${String(made.json["id"])}`
  const played = `/v1/sandbox${path.slice(3)}/simulate`
  await send(service, buyerKey, "POST", played, { action: "pay" })
  expect((await send(service, sellerKey, "POST", `${path}/capture`, {})).status).toBe(200)
  await send(service, sellerKey, "POST", `${path}/refund`, { reason: "no answer", amount })
  const dry = { amount: { currency: "USD", value: 9_999_999 }, kyc_level: "business" }
  expect((await send(service, buyerKey, "POST", "/v1/payments", dry)).status).toBe(403)
  return proveInAllWays(service, service_id)
}

/** Every way that a verification can go; returns the codes that were sent. */
const verifyInAllWays = async (service: Running) => {
  const { buyerKey } = service
  const verify = (level: string, data: object, more: object = {}) =>
    send(service, buyerKey, "POST", "/v1/kyc/verify", { agent_id: "ada", level, data, ...more })
  const decide = (path: string, decision: string, reason?: string) =>
    send(service, ADMIN, "POST", `/v1/kyc/${path}/review`, {
      decision,
      ...(reason !== undefined && { reason }),
    })
  const idOf = ({ json }: Answer) => String(json["verification_id"])

  const basic = idOf(await verify("basic", PERSON))
  const inbox = `/v1/sandbox/messages?verification_id=${basic}`
  const messages = await send(service, buyerKey, "GET", inbox)
  const otp = /"text":"(\d{6})/.exec(messages.text)?.[1] ?? ""
  expect(otp).toMatch(/^\d{6}$/)
  const answer = (given: string) =>
    send(service, buyerKey, "POST", "/v1/kyc/verify", { verification_id: basic, otp: given })
  expect((await answer(otp === "111111" ? "222222" : "111111")).status).toBe(401)
  expect((await answer(otp)).status).toBe(200)
  expect((await answer(otp)).status).toBe(401)

  const rejected = await verify("enhanced", { ...PERSON, document_number: "QZ99880000" })
  expect(rejected.json["status"]).toBe("rejected")
  const appealed = await send(service, buyerKey, "POST", "/v1/kyc/appeal", {
    verification_id: idOf(rejected),
    reason: REASON,
  })
  const appeal = String(appealed.json["appeal_id"])
  const file = await send(service, ADMIN, "GET", `/v1/kyc/appeals/${appeal}/case`)
  expect(file.text).toContain(REASON)
  expect((await decide(`appeals/${appeal}`, "overturned")).status).toBe(200)
  await verify("enhanced", { ...PERSON, document_number: "QZ99889999" })
  await verify("enhanced", PERSON)

  const credentials = { channel_credentials: { wallet_a_user_id: "ok_planted_credential" } }
  const company = idOf(await verify("business", COMPANY, credentials))
  const opened = await send(service, ADMIN, "GET", `/v1/kyc/verifications/${company}/case`)
  expect(opened.text).toContain(COMPANY.document_number)
  await decide(`verifications/${company}`, "approve")
  const again = idOf(await verify("business", COMPANY))
  await decide(`verifications/${again}`, "approve")

  for (const [field, value] of Object.entries(COMPANY)) {
    for (const wrong of [`${JSON.stringify(value)}\u0001`, [value], { value }, 7]) {
      await verify("business", { ...COMPANY, [field]: wrong })
    }
  }
  await verify("basic", { ...PERSON, email: "ada@planted.example@" })
  await verify("basic", { ...PERSON, phone: "+14155550163x" })
  return otp
}

interface Operation {
  readonly parameters?: ReadonlyArray<{ readonly in: string; readonly name: string }>
  readonly security?: ReadonlyArray<Json>
  readonly requestBody?: {
    readonly content: { readonly [type: string]: { readonly schema?: Json } }
  }
}

interface Document {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components: { readonly schemas: { readonly [name: string]: Json } }
}

/** Returns the bodies for an operation: its example, with each field wrong in turn. */
const bodiesFor = (document: Document, { requestBody }: Operation): ReadonlyArray<unknown> => {
  if (requestBody === undefined) return [undefined]
  const named = requestBody.content["application/json"]?.schema
  const reference = named?.["$ref"]
  const name = typeof reference === "string" ? (reference.split("/").at(-1) ?? "") : ""
  const schema = document.components.schemas[name] ?? named ?? {}
  const [example = {}] = (schema["examples"] ?? []) as ReadonlyArray<Json>
  const fields = Object.keys(schema["properties"] ?? {})
  const [number, email] = SPRAYED
  return [
    number,
    { [email]: email },
    Object.fromEntries(fields.map((field) => [field, number])),
    ...fields.flatMap((field) => [
      { ...example, [field]: email },
      { ...example, [field]: [number] },
    ]),
  ]
}

const queriesFor = ({ parameters = [] }: Operation): ReadonlyArray<string> => {
  const [number, email] = SPRAYED.map(encodeURIComponent)
  const asked = parameters.filter((parameter) => parameter.in === "query")
  return ["", `?${email}=1`, ...asked.map(({ name }) => `?${name}=${number}`)]
}

/** Sends wrong paths, queries, fields and types to every route. */
const spray = async (service: Running) => {
  const { text } = await send(service, ADMIN, "GET", "/openapi.json")
  const document = JSON.parse(text) as Document
  let routes = 0
  for (const [template, operations] of Object.entries(document.paths)) {
    // Skips routes that erase, or wait for events.
    if (template.endsWith("/reset") || template.endsWith("}/events")) continue
    const path = template.replaceAll(/\{[^}]+\}/g, encodeURIComponent(SPRAYED[routes % 2] ?? ""))
    for (const [method, operation] of Object.entries(operations)) {
      routes += 1
      const isAdmin = (operation.security ?? []).some((one) => "admin_key" in one)
      const keys = isAdmin ? [ADMIN] : [service.buyerKey, service.sellerKey]
      for (const key of keys) {
        for (const query of queriesFor(operation)) {
          await send(service, key, method.toUpperCase(), path + query, bodiesFor(document, {})[0])
        }
        for (const body of bodiesFor(document, operation)) {
          await send(service, key, method.toUpperCase(), path, body)
        }
      }
    }
  }
  return routes
}

const dumpOf = async (database: Parameters<typeof askDatabase>[0]) => {
  const named = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
  const tables = (await askDatabase(database, named)).map(({ tablename }) => String(tablename))
  const dumps = await Promise.all(
    tables.map(async (table) => {
      const rows = await askDatabase(database, `SELECT t::text AS row FROM ${table} AS t`)
      return [`the table ${table}`, rows.map(({ row }) => String(row)).join("\n")] as const
    }),
  )
  return Object.fromEntries(dumps)
}

/** Removes sealed, hashed and random texts, which may contain six digits by chance. */
const withoutLongWords = (text: string): string => text.replaceAll(/[\w+/=-]{20,}/g, "…")

/** Waits until it has been heard, or for 20 seconds. */
const heardSoon = async (isHeard: () => boolean) => {
  for (let n = 0; n < 400 && !isHeard(); n += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test("no code, document, contact or secret is anywhere but where it is asked for", async () => {
  const { database, log, service } = await begin()
  const { buyerKey, sellerKey } = service
  const { heard, url } = await openEar()
  const secrets: Array<string> = [ADMIN, MASTER, buyerKey, sellerKey]
  for (const [key, place] of [
    [buyerKey, "buyer"],
    [sellerKey, "seller"],
  ] as const) {
    const body = { url: `${url}/${place}`, enabled_events: ["*", "webhook.delivery.succeeded"] }
    const endpoint = await send(service, key, "POST", "/v1/webhook-endpoints", body)
    secrets.push(String(endpoint.json["secret"]))
    const account = await send(service, key, "GET", "/v1/merchant/webhook-secret")
    secrets.push(String(account.json["secret"]))
  }
  const channels = await send(service, sellerKey, "GET", "/v1/sandbox/channels")
  for (const { secret } of channels.json["data"] as ReadonlyArray<Json>) {
    secrets.push(String(secret))
  }
  secrets.push(...(await buy(service, url)))
  expect(secrets.every((secret) => secret.length > 10)).toBe(true)
  const otp = await verifyInAllWays(service)
  // A year of every channel's statements would take minutes: the ends are moved near instead.
  const soon = "expires_at = now() + interval '2 days', due_at = now()"
  await askDatabase(database, `UPDATE verifications SET ${soon} WHERE status = 'verified'`)
  const told = ["kyc.verified", "kyc.rejected", "kyc.expiring", "kyc.expired"]
  const isHeard = (type: string) => heard.some((text) => text.includes(`"${type}"`))
  await heardSoon(() => isHeard("kyc.expiring"))
  const body = { seconds: 3 * 86_400 }
  await send(service, sellerKey, "POST", "/v1/sandbox/clock/advance", body)
  const all = [...told, "payment_intent.succeeded", "webhook.delivery.succeeded"]
  await heardSoon(() => all.every(isHeard))
  expect(all.filter((type) => !isHeard(type))).toEqual([])
  // Keys registered here would encrypt what receivers are sent.
  expect(await spray(service)).toBeGreaterThan(60)

  const [refused, given] = [
    answers.filter(({ status }) => status >= 400),
    await Promise.all(
      [
        [buyerKey, "/v1/events?limit=100"],
        [sellerKey, "/v1/events?limit=100"],
        [buyerKey, "/v1/webhook-deliveries?limit=100"],
        [sellerKey, "/v1/webhook-deliveries?limit=100"],
        [buyerKey, "/v1/kyc/agents/ada"],
        [ADMIN, "/v1/kyc/verifications?limit=100"],
        [ADMIN, "/v1/kyc/appeals?limit=100"],
        [ADMIN, "/v1/audit?limit=100"],
        [ADMIN, "/v1/accounts?limit=100"],
        [ADMIN, "/metrics"],
        [ADMIN, "/openapi.json"],
      ].map(
        async ([key = "", path = ""]) =>
          [path, (await send(service, key, "GET", path)).text] as const,
      ),
    ),
  ]
  expect(refused.length).toBeGreaterThan(500)
  const outputs: { readonly [place: string]: string } = {
    "the log": log(),
    "what receivers heard": heard.join("\n"),
    // A 402 contains the token of its challenge.
    errors: refused
      .filter(({ path }) => !path.startsWith(PAID))
      .map(({ text }) => text)
      .join("\n"),
    ...Object.fromEntries(given),
  }
  const places = { ...outputs, ...(await dumpOf(database)) }
  const found: Array<string> = []
  const look = (where: string, text: string, values: ReadonlyArray<string>) => {
    for (const value of values) if (text.includes(value)) found.push(`${value} in ${where}`)
  }
  for (const [where, text] of Object.entries(places)) {
    look(where, text, [...PLANTED, ...secrets])
    const plain = withoutLongWords(text)
    if (new RegExp(`(?<!\\d)${otp}(?!\\d)`).test(plain)) found.push(`a code in ${where}`)
  }
  const aboutPeople = refused.filter(({ path }) => path.startsWith("/v1/kyc/"))
  look("errors about people", aboutPeople.map(({ text }) => text).join("\n"), SPRAYED)
  look("the log", outputs["the log"] ?? "", SPRAYED)
  look("/metrics", outputs["/metrics"] ?? "", SPRAYED)
  expect(found).toEqual([])
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
}, 300_000)
