import { afterAll, beforeAll, expect, test } from "vitest"
import { readEvents } from "../../../../adapters/pages/console/world/streamEvents.ts"
import { afterFrame, type WorldState } from "../../../../simulator/live/WorldState.ts"
import type { Frame } from "../../../../simulator/live/Frame.ts"
import { ADMIN_KEY } from "../../../support/app.ts"
import { openSite, type SiteApp } from "../../../support/site.ts"

let app: SiteApp
beforeAll(async () => {
  app = await openSite({}, 50)
})
afterAll(() => app.stop())

const OWN = { "x-payport-console": "1", "sec-fetch-site": "same-origin" }

const ask = (method: string, path: string, cookie: string, body?: object, own: object = OWN) =>
  fetch(`${app.url}/console${path}`, {
    method,
    headers: { ...own, cookie, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

const signIn = async (key: string): Promise<string> => {
  const response = await ask("POST", "/session", "", { key })
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? ""
}

const restricted = async (routes: ReadonlyArray<string>): Promise<string> => {
  const { json } = await app.call("POST", "/v1/api-keys", { body: { restrictions: { routes } } })
  return signIn(String(json["key"]))
}

const wish = { scenario: "callback_storm", seed: 5, payments: 4 }

const WORLDS = "/worlds"

test("a session plays a world of its own, and sees it stop where it said", async () => {
  const { json } = await app.call("POST", "/v1/api-keys", { body: {} })
  const mine = await signIn(String(json["key"]))
  const theirs = await signIn(ADMIN_KEY)
  const offer = await (await ask("GET", WORLDS, mine)).json()
  expect(offer).toMatchObject({
    world: null,
    scenarios: expect.arrayContaining([expect.objectContaining({ name: "callback_storm" })]),
  })
  const begun = await ask("POST", WORLDS, mine, wish)
  expect(begun.status).toBe(201)
  const { id } = (await begun.json()) as { readonly id: string }
  const path = `${WORLDS}/${id}`
  for (const [method, rest] of [
    ["GET", "/stream"],
    ["GET", "/file"],
    ["DELETE", ""],
  ] as const) {
    expect((await ask(method, `${path}${rest}`, theirs)).status).toBe(404)
  }

  const stream = await ask("GET", `${path}/stream`, mine)
  expect(stream.headers.get("content-type")).toMatch(/^text\/event-stream/)
  const command = { type: "run_to", what: "fault", fault: "callback_duplicated" }
  let state: WorldState | undefined
  let text = ""
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  const runOn = async (): Promise<WorldState> => {
    const steps = state?.frame.steps ?? -1
    expect((await ask("POST", `${path}/commands`, mine, { command })).status).toBe(204)
    for (;;) {
      const { events, rest } = readEvents(text + (await reader?.read())?.value)
      text = rest
      for (const { data } of events) state = afterFrame(state, JSON.parse(data) as Frame)
      if (state !== undefined && state.frame.stop !== null && state.frame.steps > steps)
        return state
    }
  }
  // A callback about something else, such as a mandate, names no payment.
  let stopped = await runOn()
  while (stopped.frame.stop?.line.payments.length === 0) stopped = await runOn()
  expect(stopped.frame).toMatchObject({
    stop: { fault: "callback_duplicated" },
    control: { plays: false },
  })
  expect(stopped.lines.at(-1)).toEqual(stopped.frame.stop?.line)
  const [payment = ""] = stopped.frame.stop?.line.payments ?? []
  expect(stopped.cards.get(payment)?.faults).toBeGreaterThan(0)
  const story = await (await ask("GET", `${path}/payments/${payment}`, mine)).json()
  expect(story).toMatchObject({ type: "story", card: { id: payment } })
  const file = await (await ask("GET", `${path}/file`, mine)).json()
  expect(file).toMatchObject({ format: "payport simulation 1", script: { seed: 5 } })

  expect((await ask("DELETE", path, mine)).status).toBe(204)
  await expect.poll(async () => (text += (await reader?.read())?.value)).toContain("event: ended")
  expect((await ask("POST", `${path}/commands`, mine, { command })).status).toBe(404)
})

test("nobody plays without a session, from elsewhere, or with a key for less", async () => {
  const mine = await signIn(app.buyer.api_key.key)
  const foreign = { "x-payport-console": "1", "sec-fetch-site": "cross-site" }
  const plain = { "sec-fetch-site": "same-origin" }
  const statuses = [
    await ask("GET", WORLDS, ""),
    await ask("POST", WORLDS, mine, wish, foreign),
    await ask("GET", WORLDS, mine, undefined, plain),
    await ask("GET", WORLDS, await restricted(["read", "pay"])),
    await ask("GET", WORLDS, await restricted(["manage"])),
    await ask("POST", WORLDS, mine, { ...wish, seed: "x" }),
    await ask("GET", `${WORLDS}/not-there/stream`, mine),
  ].map(({ status }) => status)
  expect(statuses).toEqual([401, 403, 403, 403, 200, 422, 404])
})

test.each(["its key is revoked", "somebody signs out"])(
  "what watches a world ends when %s",
  async (why) => {
    const { json } = await app.call("POST", "/v1/api-keys", { body: {} })
    const mine = await signIn(String(json["key"]))
    const begun = (await (await ask("POST", WORLDS, mine, wish)).json()) as { readonly id: string }
    const { body } = await ask("GET", `${WORLDS}/${begun.id}/stream`, mine)
    const heard = (async () => {
      let text = ""
      for await (const piece of body!.pipeThrough(new TextDecoderStream())) text += piece
      return text
    })()
    if (why === "somebody signs out") await ask("DELETE", "/session", mine)
    else await app.call("DELETE", `/v1/api-keys/${String(json["id"])}`)
    expect(await heard).toMatch(/event: ended\ndata: signed_out\n\n$/)
  },
)

test("a world is watched in so many windows, and no more", async () => {
  const mine = await signIn(app.seller.api_key.key)
  const { id } = (await (await ask("POST", WORLDS, mine, wish)).json()) as { readonly id: string }
  const path = `${WORLDS}/${id}`
  const open = () => ask("GET", `${path}/stream`, mine)
  const answers = await Promise.all(Array.from({ length: 11 }, open))
  expect(answers.filter(({ status }) => status === 503)).toHaveLength(1)
  for (const { body } of answers) await body?.cancel()
  await expect.poll(async () => (await open()).status).toBe(200)
  expect((await ask("DELETE", path, mine)).status).toBe(204)
})
