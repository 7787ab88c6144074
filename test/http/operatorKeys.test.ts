import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ADMIN_KEY, type App, startApp } from "../support/app.ts"

let app: App
beforeAll(async () => {
  app = await startApp({ sandbox: true })
})
afterAll(() => app.stop())

const issue = (id: string, key = ADMIN_KEY, headers = {}) =>
  app.call("POST", `/v1/accounts/${id}/api-keys`, { key, headers })

const keysOf = async (key: string) => {
  const { json, status } = await app.call("GET", "/v1/api-keys", { key })
  return { status, data: json["data"] as ReadonlyArray<{ readonly [field: string]: unknown }> }
}

describe("an operator", () => {
  test("gives an account whose first key was stolen and rolled another one", async () => {
    const { api_key, id } = app.seller
    const body = { grace_period_seconds: 0 }
    const rolled = await app.call("POST", `/v1/api-keys/${api_key.id}/roll`, { body })
    const thief = String(rolled.json["key"])
    expect([(await keysOf(api_key.key)).status, (await keysOf(thief)).status]).toEqual([401, 200])

    const issued = await issue(id)
    expect(issued.status).toBe(201)
    expect(issued.json).toMatchObject({ restrictions: null, expires_at: null })
    const key = String(issued.json["key"])
    const { data } = await keysOf(key)
    expect(data[0]).toMatchObject({ id: issued.json["id"], minted_by: null, restrictions: null })
    await app.call("DELETE", `/v1/api-keys/${String(rolled.json["id"])}?cascade=true`, { key })
    expect((await keysOf(thief)).status).toBe(401)

    const own = await app.call("GET", "/v1/audit-log?limit=10", { key })
    expect(own.json["data"]).toContainEqual(
      expect.objectContaining({
        actor: "operator",
        action: "api_key.created",
        target: issued.json["id"],
      }),
    )
    const { json } = await app.call("GET", "/v1/audit?action=api_key.created", { key: ADMIN_KEY })
    expect(json["data"]).toMatchObject([{ target: issued.json["id"], details: { account_id: id } }])
    expect(JSON.stringify([own.json, json])).not.toContain(key)
  })

  test("gets the same key again under an Idempotency-Key", async () => {
    const headers = { "idempotency-key": "a-lost-answer" }
    const [first, again] = [
      await issue(app.buyer.id, ADMIN_KEY, headers),
      await issue(app.buyer.id, ADMIN_KEY, headers),
    ]
    expect(again.json).toEqual(first.json)
    expect((await keysOf(app.buyer.api_key.key)).data).toHaveLength(2)
    expect((await issue("acct_01997d3e-8a00-7000-8000-000000000001")).status).toBe(404)
    expect((await issue("x")).status).toBe(404)
    expect((await issue(app.buyer.id, app.buyer.api_key.key)).status).toBe(401)
  })

  test("issues no more keys than the account's plan allows", async () => {
    const codes: Array<number> = []
    for (let n = 0; n < 20; n += 1) codes.push((await issue(app.buyer.id)).status)
    expect(codes.filter((code) => code === 201)).toHaveLength(18)
    expect(codes.at(-1)).toBe(403)
  })
})
