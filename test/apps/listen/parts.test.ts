import { describe, expect, test } from "vitest"
import type { LoggedEvent } from "../../../apps/listen/eventLog.ts"
import { REFUSE_BEYOND } from "../../../core/shared/ClockOffset.ts"
import { makeFollower } from "../../../apps/listen/listen.ts"
import { nextAfter } from "../../../apps/listen/forward.ts"
import { readOptions, type Since } from "../../../apps/listen/options.ts"

const needed = ["--key", "sk_test_1", "--forward", "http://localhost:3000/hook"]

describe("the options", () => {
  test("have their defaults, with a new secret each time", () => {
    const [options, again] = [readOptions(needed), readOptions(needed)]
    expect(options).toMatchObject({
      url: "http://127.0.0.1:4020",
      key: "sk_test_1",
      forward: "http://localhost:3000/hook",
      types: undefined,
      since: { kind: "now" },
      json: false,
    })
    expect(options?.secret).toMatch(/^whsec_[\w-]{43}$/)
    expect(again?.secret).not.toBe(options?.secret)
  })

  test("are all read", () => {
    const said = ["--url", "https://pay.example/base/", "--secret", "whsec_x", "--json"]
    const more = ["--types", "ping, kyc.verified", "--since", "2026-03-01T12:00:00Z"]
    expect(readOptions([...needed, ...said, ...more])).toMatchObject({
      url: "https://pay.example/base",
      secret: "whsec_x",
      types: new Set(["ping", "kyc.verified"]),
      since: { kind: "time", at: Date.UTC(2026, 2, 1, 12) },
      json: true,
    })
    expect(readOptions([...needed, "--since", "evt_1"])?.since).toEqual({
      kind: "event",
      id: "evt_1",
    })
    expect(readOptions(["--help"])).toBeUndefined()
  })

  test.each([
    [[], /--key is missing/],
    [["--key", ""], /--key is missing/],
    [["--key", "a b", "--forward", "http://localhost/"], /--key has to be visible/],
    [["--key", "k"], /--forward is missing/],
    [[...needed, "--forward", "localhost:3000"], /--forward has to be a URL/],
    [[...needed, "--forward", "http://"], /--forward has to be a URL/],
    [[...needed, "--forward", "http:/localhost"], /--forward has to be a URL/],
    [[...needed, "--forward", "http://localhost:0/"], /--forward has to be a URL/],
    [[...needed, "--url", "ftp://localhost/"], /--url has to be a URL/],
    [[...needed, "--secret", "with\nline"], /--secret has to be visible/],
    [[...needed, "--types", ""], /--types has to be types of events/],
    [[...needed, "--types", "a,,b"], /--types has to be types of events/],
    [[...needed, "--since", "yesterday"], /--since has to be an event's id or a time/],
    [[...needed, "--since", "2026-13-01T12:00:00Z"], /--since/],
    [[...needed, "--sinc", "now"], /Unknown option '--sinc'/],
    [[...needed, "more"], /Unexpected argument 'more'/],
  ])("%j are refused", (args, message) => {
    expect(() => readOptions(args)).toThrow(message)
  })
})

test.each([
  [200, 1, { type: "delivered" }],
  [204, 9, { type: "delivered" }],
  [400, 1, { type: "given_up" }],
  [404, 1, { type: "given_up" }],
  [401, 1, { type: "retry", after: 1_000 }],
  [401, 5, { type: "given_up" }],
  [302, 2, { type: "retry", after: 2_000 }],
  [500, 4, { type: "retry", after: 8_000 }],
  [500, 5, { type: "given_up" }],
  [null, 1, { type: "retry", after: 1_000 }],
  [null, 5, { type: "retry", after: 15_000 }],
  [null, 500, { type: "retry", after: 30_000 }],
])("after %s at attempt %i comes %j", (status, attempt, next) => {
  expect(nextAfter(status, attempt)).toEqual(next)
})

const START = Date.UTC(2026, 2, 1)

/** A log in memory that is read in pages of three. */
const aLog = () => {
  const events: Array<LoggedEvent> = []
  const add = (id: string, at: number) => {
    const created_at = new Date(START + at).toISOString()
    events.unshift({ id, type: "ping", data: {}, created_at })
    events.sort((a, b) => (a.created_at < b.created_at ? 1 : -1))
  }
  const link = { isCut: false, reads: Infinity }
  const read = async (startingAfter: string | undefined) => {
    if (link.isCut || link.reads-- <= 0) throw new Error("cut")
    const from = events.findIndex(({ id }) => id === startingAfter) + 1
    return { data: events.slice(from, from + 3), has_more: from + 3 < events.length }
  }
  const following = (since: Since) => {
    const follow = makeFollower(read, since)
    return async () => (await follow()).map(({ id }) => id)
  }
  return { add, following, link }
}

describe("a follower", () => {
  const now: Since = { kind: "now" }

  test("tells what comes from now on, the oldest first, once", async () => {
    const { add, following } = aLog()
    for (let n = 0; n < 5; n++) add(`old${n}`, n)
    const next = following(now)
    expect(await next()).toEqual([])
    for (let n = 0; n < 8; n++) add(`new${n}`, 1_000 + n)
    expect(await next()).toEqual(Array.from({ length: 8 }, (_, n) => `new${n}`))
    expect(await next()).toEqual([])
    add("later", 9_000)
    expect(await next()).toEqual(["later"])
  })

  test("begins with an empty log", async () => {
    const { add, following } = aLog()
    const next = following(now)
    expect(await next()).toEqual([])
    add("first", 0)
    expect(await next()).toEqual(["first"])
  })

  test("sees an event that shows up in the log behind a younger one", async () => {
    const { add, following } = aLog()
    add("old", 0)
    const next = following(now)
    await next()
    add("b", 20_000)
    expect(await next()).toEqual(["b"])
    add("a", 19_000)
    expect(await next()).toEqual(["a"])
    expect(await next()).toEqual([])
  })

  test("sees the event of a process whose clock is behind that of another", async () => {
    const { add, following } = aLog()
    add("old", 0)
    const next = following(now)
    await next()
    add("of the fast one", 100_000 + REFUSE_BEYOND)
    expect(await next()).toEqual(["of the fast one"])
    add("of the slow one", 101_000 - REFUSE_BEYOND)
    expect(await next()).toEqual(["of the slow one"])
    expect(await next()).toEqual([])
  })

  test("continues after a long break where it stopped", async () => {
    const { add, following, link } = aLog()
    add("old", 0)
    const next = following(now)
    await next()
    add("seen", 1_000)
    expect(await next()).toEqual(["seen"])
    link.isCut = true
    const missed = Array.from({ length: 20 }, (_, n) => `missed${n}`)
    for (const [n, id] of missed.entries()) add(id, 60_000 * (n + 1))
    await expect(next()).rejects.toThrow("cut")
    link.isCut = false
    link.reads = 2
    await expect(next()).rejects.toThrow("cut")
    link.reads = Infinity
    expect(await next()).toEqual(missed)
  })

  test("begins after an event", async () => {
    const { add, following } = aLog()
    for (let n = 0; n < 9; n++) add(`evt_${n}`, n)
    const next = following({ kind: "event", id: "evt_4" })
    expect(await next()).toEqual(["evt_5", "evt_6", "evt_7", "evt_8"])
    expect(await next()).toEqual([])
    await expect(following({ kind: "event", id: "evt_x" })()).rejects.toThrow(/no event evt_x/)
  })

  test.each<Since>([now, { kind: "event", id: "b" }])(
    "sees one that shows up behind the event with which it begins: %j",
    async (since) => {
      const { add, following } = aLog()
      for (let n = 0; n < 5; n++) add(`old${n}`, n)
      add("b", 10_000)
      const next = following(since)
      expect(await next()).toEqual([])
      add("a", 9_000)
      expect(await next()).toEqual(["a"])
      expect(await next()).toEqual([])
    },
  )

  test("begins at a time", async () => {
    const { add, following } = aLog()
    for (let n = 0; n < 9; n++) add(`evt_${n}`, n)
    const next = following({ kind: "time", at: START + 6 })
    expect(await next()).toEqual(["evt_6", "evt_7", "evt_8"])
    expect(await next()).toEqual([])
  })
})
