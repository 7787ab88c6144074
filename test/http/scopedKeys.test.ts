import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  activeService,
  aManifest,
  type App,
  enlarge,
  type Reply,
  startApp,
} from "../support/app.ts"
import { unnested } from "../support/documented.ts"

let app: App
let own: string
let other: string
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  await enlarge(app, app.seller.id)
  await enlarge(app, app.buyer.id)
  const revocation_policy = {
    auto_revoke_on_refund: true,
    default_targets: [{ type: "access_token" }],
  }
  own = await activeService(app, { name: "Own", revocation_policy })
  other = await activeService(app, { name: "Other", revocation_policy })
})
afterAll(() => app.stop())

const issue = async (restrictions: object, by = app.seller.api_key.key): Promise<string> => {
  const { json } = await app.call("POST", "/v1/api-keys", { key: by, body: { restrictions } })
  return String(json["key"])
}

const AGENT = "helper-one"

const paid = async (service_id: string): Promise<string> => {
  const body = {
    service_id,
    type: "one_time",
    amount: { currency: "USD", value: 699 },
    description: "A report",
    ...(service_id === own && { payer: { agent_id: AGENT } }),
  }
  const made = await app.call("POST", "/v1/payment-intents", { key: app.buyer.api_key.key, body })
  const id = String(made.json["id"])
  const simulate = `/v1/sandbox/payment-intents/${id}/simulate`
  await app.call("POST", simulate, { body: { action: "authorize" } })
  await app.call("POST", `/v1/payment-intents/${id}/capture`)
  await advance(3)
  return id
}

const advance = (seconds: number) =>
  app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds } })

let count = 0
const token = () => ({ type: "access_token", id: `tok_${(count += 1)}` })
type Token = ReturnType<typeof token>

const register = (payment_intent: string, item: Token, key?: string) =>
  app.call("POST", "/v1/access-items", { ...(key && { key }), body: { payment_intent, ...item } })

const stateOf = async (item: Token) =>
  (await app.call("POST", "/v1/access-items/introspect", { body: item })).json

const refund = (payment_intent: string, targets: ReadonlyArray<object>, key: string) =>
  app.call("POST", "/v1/refunds", {
    key,
    body: { payment_intent, amount: { currency: "USD", value: 1 }, revoke: { targets } },
  })

const outcome = ({ json, status }: Reply) => [status, unnested(json)["code"]]
const OUTSIDE = [403, "FORBIDDEN"]
const MADE = [201, undefined]

describe.each([
  ["services", () => ({ services: [own] })],
  ["agents", () => ({ agents: [AGENT] })],
])("a key of a seller that is restricted to %s", (_, scope) => {
  test("revokes by a refund only what its own payments have bought", async () => {
    const [mine, theirs] = [await paid(own), await paid(other)]
    const [bought, elsewhere, unknown] = [token(), token(), token()]
    await register(mine, bought)
    await register(theirs, elsewhere)
    const key = await issue({ ...scope(), routes: ["read", "refund"] })
    const all = (item: Token) => ({ ...item, scope: "all" })
    for (const targets of [[all(elsewhere)], [all(bought), all(elsewhere)], [all(unknown)]]) {
      expect(outcome(await refund(mine, targets, key))).toEqual(OUTSIDE)
    }
    await advance(30)
    for (const item of [bought, elsewhere]) {
      expect(await stateOf(item)).toMatchObject({ active: true, revoked_scopes: [] })
    }
    expect(outcome(await refund(mine, [all(bought)], key))).toEqual(MADE)
    await advance(3)
    expect(await stateOf(bought)).toMatchObject({ active: false })
    const { key: unrestricted } = app.seller.api_key
    expect(outcome(await refund(await paid(own), [all(elsewhere)], unrestricted))).toEqual(MADE)
    await advance(3)
    expect(await stateOf(elsewhere)).toMatchObject({ active: false })
  })

  test("takes no item that another payment has bought, nor one of the deny list", async () => {
    const [mine, theirs] = [await paid(own), await paid(other)]
    const [bought, denied] = [token(), token()]
    await register(theirs, bought)
    await refund(await paid(other), [{ ...denied, scope: "read:summary" }], app.seller.api_key.key)
    await advance(3)
    expect(await stateOf(denied)).toMatchObject({ revoked_scopes: ["read:summary"] })
    const key = await issue({ ...scope(), routes: ["manage"] })
    for (const item of [bought, denied]) {
      expect(outcome(await register(mine, item, key))).toEqual(OUTSIDE)
    }
    await app.call("POST", "/v1/refunds", { body: { payment_intent: theirs } })
    await advance(3)
    expect(await stateOf(bought)).toMatchObject({ active: false })
  })

  test("registers new items and moves those of its own payments", async () => {
    const [first, second] = [await paid(own), await paid(own)]
    const key = await issue({ ...scope(), routes: ["manage"] })
    const item = token()
    expect(outcome(await register(first, item, key))).toEqual(MADE)
    const moved = await register(second, item, key)
    expect([moved.status, moved.json["payment_intent"]]).toEqual([201, second])
  })
})

test.each([
  ["services", () => ({ services: [own] })],
  ["agents", () => ({ agents: [AGENT] })],
])("a key that is restricted to %s revokes itself and what it has issued", async (_, scope) => {
  const body = { restrictions: scope() }
  const { json } = await app.call("POST", "/v1/api-keys", { body })
  const key = String(json["key"])
  const child = await app.call("POST", "/v1/api-keys", { key, body: {} })
  const revoke = (id: unknown) => app.call("DELETE", `/v1/api-keys/${String(id)}`, { key })
  expect((await revoke(app.seller.api_key.id)).status).toBe(403)
  expect((await revoke(child.json["id"])).status).toBe(200)
  expect((await revoke(json["id"])).status).toBe(200)
  expect((await revoke(json["id"])).status).toBe(401)
})

describe("a list for a restricted key", () => {
  const found = async (query: string, key: string) => {
    const { json } = await app.call("GET", `/v1/services?${query}`, { key })
    const names = (json["data"] as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name)
    const { total } = json["pagination"] as { readonly total: number }
    expect(total).toBe(names.length)
    return names.toSorted()
  }

  test("finds its services only, and no draft of others", async () => {
    const drafted = aManifest({ name: "Not announced" })
    const { json } = await app.call("POST", "/v1/services", { body: drafted })
    const key = await issue({ services: [own], routes: ["read"] })
    expect(await found("status=draft", app.seller.api_key.key)).toEqual(["Not announced"])
    expect(await found("status=draft", key)).toEqual([])
    expect(await found("status=active", key)).toEqual(["Own"])
    const drafter = await issue({ services: [String(json["id"])], routes: ["read"] })
    expect(await found("status=draft", drafter)).toEqual(["Not announced"])
    const agent = await issue({ agents: [AGENT], routes: ["read"] })
    expect(await found("status=draft", agent)).toEqual([])
    expect(await found("status=active", agent)).toEqual(["Other", "Own"])
  })
})
