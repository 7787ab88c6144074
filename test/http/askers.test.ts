import { Effect, Layer } from "effect"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as MemoryStore from "../../adapters/memory/MemoryStore.ts"
import { Store } from "../../core/ports/Store.ts"
import { CurrentAsker } from "../../core/shared/CurrentAsker.ts"
import { activeService, ADMIN_KEY, type App, callTool, startApp } from "../support/app.ts"

/** A store that records the callers, and answers lists with this age in milliseconds. */
const AGE = 1_234.2
const noted: Array<{ readonly asked: "list" | "commit"; readonly by: string | null }> = []

const layer = Layer.effect(
  Store,
  Effect.map(Store, (inner) => {
    const listing = <A, E>(reading: Effect.Effect<A, E>) =>
      Effect.flatMap(CurrentAsker, ({ accepts, name }) => {
        if (accepts !== undefined) {
          noted.push({ asked: "list", by: name })
          accepts(AGE - 1_000)
          accepts(AGE)
          accepts(AGE - 1)
        }
        return reading
      })
    return Store.of({
      ...inner,
      list: (kind, query) => listing(inner.list(kind, query)),
      listIntents: (query) => listing(inner.listIntents(query)),
      listBalances: (id) => listing(inner.listBalances(id)),
      commit: (commit) =>
        Effect.flatMap(CurrentAsker, ({ name }) => {
          noted.push({ asked: "commit", by: name })
          return inner.commit(commit)
        }),
    })
  }),
).pipe(Layer.provide(MemoryStore.layer))

let app: App
let service: string
beforeAll(async () => {
  app = await startApp({ store: layer })
  service = await activeService(app)
})
afterAll(() => app.stop())

const ageOf = async (path: string, key: string) => {
  const answer = await fetch(app.url + path, { headers: { authorization: `Bearer ${key}` } })
  expect(answer.status).toBe(200)
  await answer.text()
  return answer.headers.get("payport-data-age")
}

test("a list is asked in its caller's name and says how old its oldest part may be", async () => {
  noted.length = 0
  const { api_key, id } = app.seller
  expect(await ageOf("/v1/payment-intents", api_key.key)).toBe("1.235")
  expect(noted).toContainEqual({ asked: "list", by: id })
})

test("a balance says of which time it is", async () => {
  const { key } = app.seller.api_key
  const answer = await app.call("GET", "/v1/balance", { key })
  expect(answer.headers.get("payport-data-age")).toBe("1.235")
  expect(Date.parse(String(answer.json["as_of"]))).toBeLessThanOrEqual(Date.now() - AGE)
})

test("what decides, or is read by its id, accepts nothing of before", async () => {
  noted.length = 0
  expect(await ageOf(`/v1/services/${service}`, app.seller.api_key.key)).toBeNull()
  const pausing = await app.call("PATCH", `/v1/services/${service}/pause`)
  expect(pausing.status).toBe(200)
  await app.call("PATCH", `/v1/services/${service}/resume`)
  expect(noted.filter(({ asked }) => asked === "list")).toStrictEqual([])
})

test("writes are their caller's, over HTTP, by tools and as an operator", async () => {
  noted.length = 0
  await app.call("PATCH", `/v1/services/${service}/pause`)
  await app.call("PATCH", `/v1/services/${service}/resume`)
  expect(noted.at(-1)).toStrictEqual({ asked: "commit", by: app.seller.id })

  noted.length = 0
  const args = { manifest_id: service, amount: 699, currency: "USD" }
  const authorization = `Bearer ${app.buyer.api_key.key}`
  const paid = await callTool(app, `${service}__pay_one_time`, args, { authorization })
  expect(paid.status).toBe(200)
  const said = await paid.text()
  expect(noted, said).toContainEqual({ asked: "commit", by: app.buyer.id })

  noted.length = 0
  const body = { name: "New", kind: "seller", agent_id: "new_one" }
  const opened = await app.call("POST", "/v1/accounts", { key: ADMIN_KEY, body })
  expect(opened.status).toBe(201)
  const operators = "acct_00000000-0000-7000-8000-000000000000"
  expect(noted).toContainEqual({ asked: "commit", by: operators })
})
