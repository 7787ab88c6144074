import { Effect, Layer } from "effect"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { AddressGate } from "../../../../adapters/shared/addresses/AddressGate.ts"
import { networksOf } from "../../../../adapters/shared/addresses/ClientAddress.ts"
import { SESSION_PLACE } from "../../../../adapters/pages/console/Session.ts"
import { Store } from "../../../../core/ports/Store.ts"
import { Vault } from "../../../../core/ports/Vault.ts"
import { WallClock } from "../../../../core/ports/WallClock.ts"
import { HOUR, MINUTE } from "../../../../core/shared/Timestamp.ts"
import {
  activeService,
  ADMIN_KEY,
  type App,
  authorizedPayment,
  startApp,
} from "../../../support/app.ts"

let app: App
let now = Date.UTC(2026, 0, 31)
const wall = Layer.succeed(WallClock, { now: Effect.sync(() => now) })
beforeAll(async () => {
  const gate = new AddressGate({ proxies: networksOf(["127.0.0.0/8", "::1"]) })
  app = await startApp({ sandbox: true, wall, gate })
})
afterAll(() => app.stop())

/** Each test has its own address, so that no limit by address affects another test. */
let address = ""
let tests = 0
beforeEach(() => void (address = `198.51.100.${++tests}`))

interface Said {
  readonly cookie?: string | undefined
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
}

const OWN = { "x-payport-console": "1", "sec-fetch-site": "same-origin" }

const ask = async (method: string, path: string, { body, cookie, headers = OWN }: Said = {}) => {
  const response = await fetch(`${app.url}${path}`, {
    method,
    headers: {
      "x-forwarded-for": address,
      ...(cookie !== undefined && { cookie }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const json = (text === "" ? {} : JSON.parse(text)) as { readonly [name: string]: unknown }
  const [set] = response.headers.getSetCookie()
  return { status: response.status, headers: response.headers, text, json, set }
}

const signIn = async (key: string, said: Said = {}) => {
  const reply = await ask("POST", "/console/session", { body: { key }, ...said })
  const cookie = reply.set?.split(";")[0] ?? ""
  return { ...reply, cookie }
}

const payments = (cookie: string | undefined, said: Said = {}) =>
  ask("GET", "/console/api/v1/payment-intents", { cookie, ...said })

const outcome = ({ json, status }: Awaited<ReturnType<typeof ask>>) => [status, json["code"]]

const ended = (set: string | undefined) => expect(set).toContain("payport_console=; ")

const anotherKey = async (): Promise<{ readonly id: string; readonly key: string }> => {
  const { json } = await app.call("POST", "/v1/api-keys", { body: {} })
  return { id: String(json["id"]), key: String(json["key"]) }
}

describe("signing in", () => {
  test("with an account's key gives a session, and nothing of the key", async () => {
    const { api_key, id } = app.seller
    const { cookie, headers, json, set, status, text } = await signIn(` ${api_key.key}\n`)
    expect(status).toBe(201)
    expect(json).toMatchObject({
      role: "seller",
      account: { id },
      api_key_id: api_key.id,
      exponents: { JPY: 0, KWD: 3 },
    })
    expect(set).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Max-Age=1800$/)
    for (const told of [text, String(set)]) expect(told).not.toContain(api_key.key)
    expect(headers.get("cache-control")).toBe("no-store")
    expect(headers.get("vary")).toBe("Cookie")
    const again = await ask("GET", "/console/session", { cookie })
    expect([again.status, again.json]).toEqual([200, json])
    expect((await ask("GET", "/console/session")).status).toBe(204)
  })

  test("with the operators' key gives an operator's session", async () => {
    const { cookie, json } = await signIn(ADMIN_KEY)
    expect(json).toMatchObject({ role: "operator", name: null, mode: "sandbox" })
    const accounts = await ask("GET", "/console/api/v1/accounts", { cookie })
    expect(accounts.status).toBe(200)
  })

  test("begins a session of its own each time, whatever cookie comes along", async () => {
    const first = await signIn(app.seller.api_key.key)
    const second = await signIn(app.seller.api_key.key, { cookie: first.cookie })
    expect(second.cookie).not.toBe(first.cookie)
    const planted = await signIn(app.buyer.api_key.key, { cookie: "payport_console=planted" })
    expect(planted.json).toMatchObject({ role: "buyer" })
    expect(planted.cookie).not.toContain("planted")
  })

  test.each<[string, unknown, number, string]>([
    ["an unknown key", { key: "sk_test_unknown" }, 401, "INVALID_API_KEY"],
    ["no key", {}, 422, "MISSING_REQUIRED_FIELD"],
    ["a novel", { key: "x".repeat(2_000) }, 413, "PAYLOAD_TOO_LARGE"],
  ])("with %s is refused", async (_name, body, status, code) => {
    const reply = await ask("POST", "/console/session", { body })
    expect(outcome(reply)).toEqual([status, code])
    expect(reply.set ?? "payport_console=; ").toContain("payport_console=; ")
  })

  test("with many wrong keys is refused for a while; one that was right stays right", async () => {
    const { cookie } = await signIn(app.seller.api_key.key)
    const tries = await Promise.all(Array.from({ length: 80 }, (_, n) => signIn(`sk_test_${n}`)))
    const codes = Map.groupBy(tries, ({ json }) => json["code"])
    expect([...codes.keys()]).toEqual(["INVALID_API_KEY", "RATE_LIMIT_EXCEEDED"])
    const [late] = codes.get("RATE_LIMIT_EXCEEDED") ?? []
    expect(Number(late?.headers.get("retry-after"))).toBeGreaterThan(0)
    expect((await payments(cookie)).status).toBe(200)
    expect((await signIn(app.seller.api_key.key)).status).toBe(201)
  })
})

describe("a session", () => {
  test("asks the interface with its key, and no cache keeps the answer", async () => {
    const service = await activeService(app)
    const id = await authorizedPayment(app, service, 699)
    const [seller, buyer] = [
      await signIn(app.seller.api_key.key),
      await signIn(app.buyer.api_key.key),
    ]
    for (const { cookie } of [seller, buyer]) {
      const { headers, json, status } = await payments(cookie)
      expect(status).toBe(200)
      expect(json["data"]).toMatchObject([{ id, status: "authorized" }])
      expect(headers.get("cache-control")).toBe("no-store")
      expect(headers.get("vary")).toBe("Cookie")
    }
    const captured = await ask("POST", `/console/api/v1/payment-intents/${id}/capture`, {
      cookie: buyer.cookie,
      body: {},
    })
    expect(outcome(captured)).toEqual([403, "FORBIDDEN"])
  })

  test("is not overruled by a key that comes along", async () => {
    const { cookie } = await signIn(app.buyer.api_key.key)
    const authorization = `Bearer ${ADMIN_KEY}`
    const reply = await ask("GET", "/console/api/v1/accounts", {
      cookie,
      headers: { ...OWN, authorization },
    })
    expect(outcome(reply)).toEqual([401, "INVALID_API_KEY"])
    const without = await payments(undefined, { headers: { ...OWN, authorization } })
    expect(outcome(without)).toEqual([401, "UNAUTHORIZED"])
  })

  test("ends at once with its key", async () => {
    const { id, key } = await anotherKey()
    const { cookie } = await signIn(key)
    expect((await payments(cookie)).status).toBe(200)
    await app.call("DELETE", `/v1/api-keys/${id}`)
    const refused = await payments(cookie)
    expect(outcome(refused)).toEqual([401, "INVALID_API_KEY"])
    ended(refused.set)
  })

  test("ends when nobody asks for half an hour, and lasts twelve at most", async () => {
    const begun = await signIn(app.seller.api_key.key)
    let { cookie } = begun
    for (let hours = 0; hours < 24; hours++) {
      now += HOUR / 2 - MINUTE
      const { set, status } = await payments(cookie)
      expect(status).toBe(200)
      cookie = set?.split(";")[0] ?? ""
    }
    now += 25 * MINUTE
    const late = await payments(cookie)
    expect(outcome(late)).toEqual([401, "UNAUTHORIZED"])
    ended(late.set)
    expect((await payments(begun.cookie)).status).toBe(401)
  })

  test("ends when its holder signs out", async () => {
    const { cookie } = await signIn(app.seller.api_key.key)
    const other = await signIn(app.seller.api_key.key)
    const out = await ask("DELETE", "/console/session", { cookie })
    expect(out.status).toBe(204)
    ended(out.set)
    // Copies of the cookie are invalid afterwards, and other sessions continue.
    expect(outcome(await payments(cookie))).toEqual([401, "UNAUTHORIZED"])
    expect((await payments(other.cookie)).status).toBe(200)
    expect((await ask("DELETE", "/console/session", { cookie })).status).toBe(204)
  })

  test("is not ended by a page that shows another holder", async () => {
    const { cookie } = await signIn(app.buyer.api_key.key)
    const leave = (holder: string, of = cookie) =>
      ask("DELETE", "/console/session", {
        cookie: of,
        headers: { ...OWN, "x-payport-console": holder },
      })
    const refused = await leave(app.seller.id)
    expect([...outcome(refused), refused.set]).toEqual([403, "FORBIDDEN", undefined])
    expect(refused.json["details"]).toEqual({ session: "another_holder" })
    expect((await payments(cookie)).status).toBe(200)
    expect((await leave(app.buyer.id)).status).toBe(204)
    expect((await payments(cookie)).status).toBe(401)
    // Over already, by its end or by its key's: whichever page asks.
    expect((await leave(app.seller.id)).status).toBe(204)
    const { id, key } = await anotherKey()
    const lost = await signIn(key)
    await app.call("DELETE", `/v1/api-keys/${id}`)
    const out = await leave(app.buyer.id, lost.cookie)
    expect(out.status).toBe(204)
    ended(out.set)
  })

  test("leaves the store when another begins after its longest time", async () => {
    const store = await app.run(Store)
    const kept = () =>
      Effect.runPromise(store.scan("console_session", { after: undefined, limit: 100 }))
    await signIn(app.seller.api_key.key)
    now += 12 * HOUR
    await signIn(app.seller.api_key.key)
    now += 12 * HOUR
    await signIn(app.seller.api_key.key)
    expect((await kept()).every(({ created_at }) => created_at > now - 12 * HOUR)).toBe(true)
  })

  test("opens nothing of the interface by its cookie alone", async () => {
    const { cookie } = await signIn(app.seller.api_key.key)
    const reply = await ask("GET", "/v1/payment-intents", { cookie })
    expect(outcome(reply)).toEqual([401, "UNAUTHORIZED"])
  })

  test("is none that we have not sealed as one", async () => {
    const vault = await app.run(Vault)
    const { key } = app.seller.api_key
    const { cookie } = await signIn(key)
    const text = await Effect.runPromise(vault.open(SESSION_PLACE, cookie.replace(/^.*?=/, "")))
    const unknown = text.replace(/cses_[^"]+/, "cses_0199b2c4-0000-7000-8000-000000000000")
    const sealed = vault.seal(SESSION_PLACE, text)
    const changed = sealed.replace(/.(?=.$)/, (last) => (last === "A" ? "B" : "A"))
    const forged = [
      "payport_console=x",
      `payport_console=${text}`,
      `payport_console=${vault.seal("account", text)}`,
      `payport_console=${vault.seal(SESSION_PLACE, "{}")}`,
      `payport_console=${vault.seal(SESSION_PLACE, unknown)}`,
      `payport_console=${changed}`,
      `${cookie}; ${cookie}`,
      undefined,
    ]
    for (const tried of forged) {
      expect(outcome(await payments(tried))).toEqual([401, "UNAUTHORIZED"])
    }
    expect((await payments(`payport_console=${sealed}`)).status).toBe(200)
  })

  test("is of use to nobody else's page", async () => {
    const { cookie } = await signIn(app.seller.api_key.key)
    const foreign = [
      {},
      { "sec-fetch-site": "same-origin" },
      { "x-payport-console": "1", "sec-fetch-site": "cross-site" },
      { "x-payport-console": "1", origin: "https://evil.example" },
    ]
    for (const headers of foreign) {
      expect(outcome(await payments(cookie, { headers }))).toEqual([403, "FORBIDDEN"])
      const body = { key: app.buyer.api_key.key }
      const planted = await ask("POST", "/console/session", { cookie, body, headers })
      expect([...outcome(planted), planted.set]).toEqual([403, "FORBIDDEN", undefined])
    }
    const unsaid = { "x-payport-console": "1" }
    const posted = await ask("POST", "/console/api/v1/api-keys", {
      cookie,
      body: {},
      headers: unsaid,
    })
    expect(outcome(posted)).toEqual([403, "FORBIDDEN"])
  })

  test("does nothing for a page that shows another holder, and goes on", async () => {
    const { cookie } = await signIn(app.buyer.api_key.key)
    const as = (holder: string) => ({ headers: { ...OWN, "x-payport-console": holder } })
    const refused = await payments(cookie, as(app.seller.id))
    expect([...outcome(refused), refused.set]).toEqual([403, "FORBIDDEN", undefined])
    expect(refused.json["details"]).toEqual({ session: "another_holder" })
    expect((await payments(cookie, as(app.buyer.id))).status).toBe(200)
    const operator = await signIn(ADMIN_KEY)
    const audit = (holder: string) =>
      ask("GET", "/console/api/v1/audit", { cookie: operator.cookie, ...as(holder) })
    expect((await audit(app.buyer.id)).status).toBe(403)
    expect((await audit("operator:")).status).toBe(200)
  })

  test("leads to the interface alone", async () => {
    const { cookie } = await signIn(ADMIN_KEY)
    for (const path of [
      "/console/api/metrics",
      "/console/api/v1/%2e%2e/metrics",
      "/console/api/mcp",
    ]) {
      expect((await ask("GET", path, { cookie })).status).toBe(404)
    }
    expect(outcome(await ask("PUT", "/console/session", { cookie }))).toEqual([
      405,
      "METHOD_NOT_ALLOWED",
    ])
  })

  test("passes events on as they come", async () => {
    const id = await authorizedPayment(app, await activeService(app), 699)
    const { cookie } = await signIn(app.buyer.api_key.key)
    const stop = new AbortController()
    const path = `/console/api/v1/payment-intents/${id}/events`
    const sent = { ...OWN, cookie, "x-forwarded-for": address }
    const { body, headers } = await fetch(`${app.url}${path}`, {
      headers: sent,
      signal: stop.signal,
    })
    expect(headers.get("content-type")).toContain("text/event-stream")
    for await (const piece of body!.pipeThrough(new TextDecoderStream())) {
      expect(piece).toContain('"status":"authorized"')
      break
    }
    stop.abort()
  })

  test.each(["its holder signs out", "its longest time is over"])(
    "ends what listens to events when %s",
    async (why) => {
      const id = await authorizedPayment(app, await activeService(app), 699)
      const { cookie } = await signIn(app.buyer.api_key.key)
      const path = `/console/api/v1/payment-intents/${id}/events`
      const sent = { ...OWN, cookie, "x-forwarded-for": address }
      const { body, headers } = await fetch(`${app.url}${path}`, { headers: sent })
      expect(headers.get("content-type")).toContain("text/event-stream")
      const ended = (async () => {
        for await (const _ of body!) continue
      })().then(
        () => "ended",
        () => "ended",
      )
      if (why === "its holder signs out") await ask("DELETE", "/console/session", { cookie })
      else now += 13 * HOUR
      expect(await ended).toBe("ended")
    },
  )
})
