import { afterAll, beforeAll, expect, test } from "vitest"
import { defaultCatalog } from "../../core/channels/Catalog.ts"
import { ADMIN_KEY, aManifest, type App, type Reply, startApp } from "../support/app.ts"
import { documentOf, undocumented } from "../support/documented.ts"

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const ALL = defaultCatalog.map(({ id }) => id)

const register = (name: string, channels: number) =>
  app.call("POST", "/v1/services", {
    body: aManifest({ name, accepted_channels: ALL.slice(0, channels) }),
  })

const move = (id: string, action: string) => app.call("PATCH", `/v1/services/${id}/${action}`)

const plan = async (name: string) => {
  const path = `/v1/accounts/${app.seller.id}`
  const reply = await app.call("PATCH", path, { key: ADMIN_KEY, body: { plan: name } })
  expect(reply.status).toBe(200)
}

const expectRefused = async (
  method: string,
  path: string,
  reply: Reply,
  [plan, limit, requested]: readonly [string, number, number],
) => {
  expect(undocumented(await documentOf(app), method, path, reply)).toBeUndefined()
  expect([reply.status, reply.json["error"], reply.json["code"], reply.json["field"]]).toEqual([
    403,
    "authorization_error",
    "PLAN_LIMIT_EXCEEDED",
    "accepted_channels",
  ])
  expect(reply.json["details"]).toEqual({ plan, limit, requested })
}

test.each([
  ["starter", 5],
  ["pro", 10],
  ["enterprise", 13],
] as const)("a service of the %s plan accepts %d channels and not one more", async (name, most) => {
  await plan(name)
  const made = await register(name, most)
  expect(made.status).toBe(201)
  expect((await move(String(made.json["id"]), "activate")).json["status"]).toBe("active")
  if (most === ALL.length) return
  const refusal = [name, most, most + 1] as const
  await expectRefused("POST", "/v1/services", await register(`${name} and more`, most + 1), refusal)
  await expectRefused("POST", "/v1/services", await register(name, most + 1), refusal)
  const kept = await app.call("GET", `/v1/services/${String(made.json["id"])}`)
  expect(kept.json["accepted_channels"]).toEqual(ALL.slice(0, most))
})

test("what a larger plan allowed stays until its service is moved or posted again", async () => {
  await plan("pro")
  const active = String((await register("Many ways", 9)).json["id"])
  await move(active, "activate")
  const drafted = String((await register("Still a draft", 6)).json["id"])
  await plan("starter")
  const order = {
    service_id: active,
    type: "one_time",
    amount: { currency: "USD", value: 699 },
    description: "7 days",
    payer_channel: "wallet_f",
  }
  expect((await app.call("POST", "/v1/payment-intents", { body: order })).status).toBe(201)
  const nine = ["starter", 5, 9] as const
  await expectRefused("POST", "/v1/services", await register("Many ways", 9), nine)
  expect((await move(active, "pause")).json["status"]).toBe("paused")
  const resume = `/v1/services/${active}/resume`
  await expectRefused("PATCH", resume, await app.call("PATCH", resume), nine)
  const activate = `/v1/services/${drafted}/activate`
  const refused = await app.call("PATCH", activate)
  await expectRefused("PATCH", activate, refused, ["starter", 5, 6])
  expect((await register("Many ways", 5)).status).toBe(201)
  expect((await move(active, "resume")).json["status"]).toBe("active")
})
