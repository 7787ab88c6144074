import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ADMIN_KEY, type App, aManifest, startApp } from "../support/app.ts"

let app: App
beforeAll(async () => {
  app = await startApp({ sandbox: true })
})
afterAll(() => app.stop())

type Json = { readonly [field: string]: unknown }

const admin = (method: string, path: string, body?: object) =>
  app.call(method, path, { key: ADMIN_KEY, ...(body !== undefined && { body }) })

let opened = 0
const account = async () => {
  opened += 1
  const body = { name: "One", kind: "seller", agent_id: `one-${opened}`, plan: "enterprise" }
  const { json } = await admin("POST", "/v1/accounts", body)
  const first = json["api_key"] as { readonly id: string; readonly key: string }
  return { id: String(json["id"]), first }
}

const issue = async (key: string, body: object = {}) => {
  const { json, status } = await app.call("POST", "/v1/api-keys", { key, body })
  expect([status, json["code"]]).toEqual([201, undefined])
  return { id: String(json["id"]), key: String(json["key"]) }
}

const works = async (key: string) => (await app.call("GET", "/v1/api-keys", { key })).status

const log = async (key: string) => {
  const { json } = await app.call("GET", "/v1/audit-log?limit=100", { key })
  return (json["data"] as ReadonlyArray<Json>).toReversed()
}

describe("keys that a key has issued", () => {
  test("end with it when asked, over all generations, and are told of one by one", async () => {
    const { first } = await account()
    const leaked = await issue(first.key)
    const child = await issue(leaked.key)
    const grandchild = await issue(child.key)
    const other = await issue(first.key)
    expect(
      (await app.call("DELETE", `/v1/api-keys/${leaked.id}?cascade=true`, { key: first.key }))
        .status,
    ).toBe(200)
    const all = [leaked, child, grandchild, other]
    expect(await Promise.all(all.map(({ key }) => works(key)))).toEqual([401, 401, 401, 200])
    const entries = (await log(first.key)).filter(({ action }) => action === "api_key.revoked")
    expect(entries.map(({ target }) => String(target)).toSorted()).toEqual(
      [leaked.id, child.id, grandchild.id].toSorted(),
    )
    expect(entries.every(({ actor }) => actor === first.id)).toBe(true)
    const events = await app.call("GET", "/v1/events?type=api_key.revoked", { key: first.key })
    expect(events.json["data"]).toHaveLength(3)
  })

  test("outlive its roll no longer when asked", async () => {
    const { first } = await account()
    const child = await issue(first.key)
    const rolled = await app.call("POST", `/v1/api-keys/${first.id}/roll`, {
      key: first.key,
      body: { grace_period_seconds: 60, cascade: true },
    })
    expect(await works(child.key)).toBe(401)
    expect(await works(String(rolled.json["key"]))).toBe(200)
  })

  test("cannot be issued while it is being revoked", async () => {
    const { first } = await account()
    const leaked = await issue(first.key)
    const minting = Array.from({ length: 20 }, () =>
      app.call("POST", "/v1/api-keys", { key: leaked.key, body: {} }),
    )
    const revoking = app.call("DELETE", `/v1/api-keys/${leaked.id}?cascade=true`, {
      key: first.key,
    })
    await Promise.all([...minting, revoking])
    const { json } = await app.call("GET", "/v1/api-keys?limit=100", { key: first.key })
    const alive = (json["data"] as ReadonlyArray<Json>).filter(
      ({ minted_by, revoked_at }) => minted_by === leaked.id && revoked_at === null,
    )
    expect(alive).toEqual([])
  })

  test("do not outlive it", async () => {
    const { first } = await account()
    const soon = new Date(Date.now() + 3_600_000).toISOString()
    const short = await issue(first.key, { expires_at: soon })
    const child = await app.call("POST", "/v1/api-keys", { key: short.key, body: {} })
    expect(child.json["expires_at"]).toBe(soon)
    const later = new Date(Date.now() + 7_200_000).toISOString()
    for (const expires_at of [later, null]) {
      const { json } = await app.call("POST", "/v1/api-keys", {
        key: short.key,
        body: { expires_at },
      })
      expect([json["code"], json["field"]]).toEqual(["INVALID_REQUEST", "expires_at"])
    }
  })
})

describe("revoking another key", () => {
  const revoke = async (key: string, id: string) => {
    const { json, status } = await app.call("DELETE", `/v1/api-keys/${id}`, { key })
    return status === 200 ? "revoked" : json["code"]
  }
  const budget = { amount: { currency: "USD", value: 1 }, period: "daily" }
  const issueRestricted = (key: string) => issue(key, { restrictions: { budget } })

  test("is refused to a restricted key that has not issued it", async () => {
    const { first } = await account()
    const issuer = await issue(first.key)
    const [restricted, sibling] = [await issueRestricted(issuer.key), await issue(issuer.key)]
    for (const id of [first.id, issuer.id, sibling.id]) {
      expect(await revoke(restricted.key, id)).toBe("FORBIDDEN")
    }
    expect(await Promise.all([first, issuer, sibling].map(({ key }) => works(key)))).toEqual([
      200, 200, 200,
    ])
    const other = await account()
    expect(await revoke(restricted.key, other.first.id)).toBe("NOT_FOUND")
  })

  test("is a restricted key's for itself and for what it has issued", async () => {
    const { first } = await account()
    const restricted = await issueRestricted(first.key)
    const child = await issue(restricted.key)
    const grandchild = await issue(child.key)
    expect(await revoke(restricted.key, grandchild.id)).toBe("revoked")
    expect(await revoke(restricted.key, child.id)).toBe("revoked")
    expect(await revoke(restricted.key, restricted.id)).toBe("revoked")
    expect(await works(restricted.key)).toBe(401)
  })

  test("is any unrestricted key's, so that it stops a leaked one", async () => {
    const { first } = await account()
    const [one, other] = [await issue(first.key), await issue(first.key)]
    expect(await revoke(one.key, other.id)).toBe("revoked")
    expect(await revoke(one.key, first.id)).toBe("revoked")
  })
})

describe("rolling another key", () => {
  const roll = (key: string, id: string) =>
    app.call("POST", `/v1/api-keys/${id}/roll`, { key, body: { grace_period_seconds: 60 } })

  test("is refused to a key that has not issued it", async () => {
    const { first } = await account()
    const [leaked, sibling] = [await issue(first.key), await issue(first.key)]
    for (const id of [first.id, sibling.id]) {
      const { json, status } = await roll(leaked.key, id)
      expect([status, json["code"]]).toEqual([403, "FORBIDDEN"])
    }
    const grandchild = await issue((await issue(leaked.key)).key)
    expect((await roll(leaked.key, grandchild.id)).status).toBe(201)
  })

  test("gives one that neither outlives the key that rolls it nor escapes its end", async () => {
    const { first } = await account()
    const leaked = await issue(first.key)
    const child = await issue(leaked.key)
    const taken = [await roll(leaked.key, child.id), await roll(leaked.key, leaked.id)]
    const [others, own] = taken.map(({ json }) => json)
    const { json } = await app.call("GET", "/v1/api-keys", { key: first.key })
    const listed = json["data"] as ReadonlyArray<Json>
    for (const made of [others, own]) {
      expect(listed.find(({ id }) => id === made?.["id"])?.["minted_by"]).toBe(leaked.id)
    }
    const late = await roll(leaked.key, String(own?.["id"]))
    const ends = listed.find(({ id }) => id === leaked.id)?.["expires_at"]
    expect([late.json["expires_at"], typeof ends]).toEqual([ends, "string"])
    await app.call("DELETE", `/v1/api-keys/${leaked.id}?cascade=true`, { key: first.key })
    const keys = [...taken, late].map((answer) => String(answer.json["key"]))
    expect(await Promise.all(keys.map(works))).toEqual([401, 401, 401])
  })

  test("is not done where its parameters are sent as a body", async () => {
    const { first } = await account()
    const { id } = await issue(first.key)
    const path = `/v1/api-keys/${id}`
    const misplaced = await app.call("DELETE", path, { key: first.key, body: { cascade: true } })
    expect([misplaced.status, misplaced.json["code"]]).toEqual([422, "INVALID_REQUEST"])
    expect(misplaced.json["field"]).toBe("cascade")
    const other = await app.call("DELETE", path, { key: first.key, body: { cascading: true } })
    expect(other.status).toBe(200)
    expect(other.headers.get("payport-ignored-fields")).toBe("cascading")
  })

  test("cannot be done while the key that rolls is being revoked", async () => {
    const { first } = await account()
    const leaked = await issue(first.key)
    const children = await Promise.all(Array.from({ length: 8 }, () => issue(leaked.key)))
    const rolling = children.map(({ id }) => roll(leaked.key, id))
    await app.call("DELETE", `/v1/api-keys/${leaked.id}?cascade=true`, { key: first.key })
    const made = (await Promise.all(rolling)).filter(({ status }) => status === 201)
    const keys = made.map(({ json }) => String(json["key"]))
    expect((await Promise.all(keys.map(works))).filter((status) => status !== 401)).toEqual([])
  })
})

describe("a key that can only read", () => {
  test("changes nothing, shows no secret and issues no key", async () => {
    const { first } = await account()
    const reader = await issue(first.key, { restrictions: { routes: ["read"] } })
    expect(await works(reader.key)).toBe(200)
    for (const [method, path, body] of [
      ["POST", "/v1/api-keys", {}],
      ["POST", "/v1/services", aManifest()],
      ["DELETE", `/v1/api-keys/${first.id}`, undefined],
      ["GET", "/v1/merchant/webhook-secret", undefined],
      ["POST", "/v1/sandbox/reset", {}],
    ] as const) {
      const answer = await app.call(method, path, {
        key: reader.key,
        ...(body !== undefined && { body }),
      })
      expect([path, answer.status, answer.json["code"]]).toEqual([path, 403, "FORBIDDEN"])
    }
    const listed = await app.call("GET", "/v1/api-keys", { key: reader.key })
    expect((listed.json["data"] as ReadonlyArray<Json>)[0]).toMatchObject({
      id: reader.id,
      minted_by: first.id,
      restrictions: { routes: ["read"] },
    })
  })
})

describe("an operator", () => {
  test("suspends an account, whose keys are refused until it is resumed", async () => {
    const { first, id } = await account()
    expect((await admin("POST", `/v1/accounts/${id}/suspend`)).json["suspended_at"]).not.toBeNull()
    const refused = await app.call("GET", "/v1/api-keys", { key: first.key })
    expect([refused.status, refused.json["code"]]).toEqual([403, "ACCOUNT_SUSPENDED"])
    expect((await admin("POST", `/v1/accounts/${id}/resume`)).json["suspended_at"]).toBeNull()
    expect(await works(first.key)).toBe(200)
    const actions = (await log(first.key)).map(
      ({ action, actor }) => `${String(actor)} ${String(action)}`,
    )
    expect(actions).toEqual(["operator account.suspended", "operator account.resumed"])
  })

  test("suspends one key, and not one of another account", async () => {
    const [one, other] = [await account(), await account()]
    const key = await issue(one.first.key)
    const path = (of: string) => `/v1/accounts/${of}/api-keys/${key.id}/suspend`
    expect((await admin("POST", path(other.id))).status).toBe(404)
    expect((await admin("POST", path(one.id))).status).toBe(200)
    expect([await works(key.key), await works(one.first.key)]).toEqual([403, 200])
    const listed = await admin("GET", `/v1/accounts/${one.id}/api-keys`)
    expect((listed.json["data"] as ReadonlyArray<Json>)[0]).toMatchObject({ id: key.id })
    expect((await admin("POST", path(one.id).replace(/suspend$/, "resume"))).status).toBe(200)
    expect(await works(key.key)).toBe(200)
  })

  test("suspends with a key those that it has issued, if asked to", async () => {
    const { first, id } = await account()
    const leaked = await issue(first.key)
    const child = await issue(leaked.key)
    const grandchild = await issue(child.key)
    const revoked = await issue(leaked.key)
    await app.call("DELETE", `/v1/api-keys/${revoked.id}`, { key: first.key })
    const keys = [leaked, child, grandchild, first].map(({ key }) => key)
    const statuses = () => Promise.all(keys.map(works))
    const move = (verb: string, body: object) =>
      admin("POST", `/v1/accounts/${id}/api-keys/${leaked.id}/${verb}`, body)
    await move("suspend", {})
    expect(await statuses()).toEqual([403, 200, 200, 200])
    // A key that is suspended already takes the others with it, too.
    await move("suspend", { cascade: true })
    expect(await statuses()).toEqual([403, 403, 403, 200])
    await move("resume", {})
    expect(await statuses()).toEqual([200, 403, 403, 200])
    await move("resume", { cascade: true })
    expect(await statuses()).toEqual([200, 200, 200, 200])
    const suspended = (await log(first.key)).filter(({ action }) => action === "api_key.suspended")
    expect(new Set(suspended.map(({ target }) => target))).toEqual(
      new Set([leaked.id, child.id, grandchild.id]),
    )
  })
})

test("an account's log tells of every key, secret and endpoint, and is nobody else's", async () => {
  const [one, other] = [await account(), await account()]
  const key = one.first.key
  const call = (method: string, path: string, body?: object) =>
    app.call(method, path, { key, ...(body !== undefined && { body }) })
  const child = await issue(key)
  await call("GET", "/v1/merchant/webhook-secret")
  await call("POST", "/v1/merchant/webhook-secrets/rotate", { reason: "test" })
  const endpoint = await call("POST", "/v1/webhook-endpoints", {
    url: "https://one.example/hooks",
    enabled_events: ["*"],
  })
  const at = `/v1/webhook-endpoints/${String(endpoint.json["id"])}`
  await call("PATCH", at, { status: "disabled" })
  await call("DELETE", at)
  await call("DELETE", `/v1/api-keys/${child.id}`)
  await call("POST", "/v1/sandbox/reset", {})
  expect((await log(key)).map(({ action }) => action)).toEqual([
    "api_key.created",
    "webhook_secret.shown",
    "webhook_secret.rotated",
    "webhook_endpoint.created",
    "webhook_endpoint.changed",
    "webhook_endpoint.deleted",
    "api_key.revoked",
  ])
  expect(await log(other.first.key)).toEqual([])
  expect(JSON.stringify(await log(key))).not.toMatch(/whsec_|sk_test_[\w-]{5}/)
})
