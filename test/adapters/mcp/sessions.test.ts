import { describe, expect, it } from "vitest"
import { SERVICES } from "../../../adapters/mcp/doors.ts"
import { makeServer } from "../../../adapters/mcp/protocol.ts"
import { Sessions } from "../../../adapters/mcp/sessions.ts"

const tools = {
  list: () => Promise.resolve({ tools: [] }),
  call: () => Promise.resolve({ content: [] }),
}

const post = (session?: string) =>
  new Request("http://payport.test/mcp", {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...(session !== undefined && { "mcp-session-id": session }),
    },
  })

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  },
}
const list = { jsonrpc: "2.0", id: 2, method: "tools/list" }

const setUp = (mostOfHolder = 4) => {
  let time = 0
  const sessions = new Sessions(
    { most: 4, mostOfHolder, idleFor: 100, longest: 1_000 },
    {
      make: () => makeServer(SERVICES, tools),
      changing: new Set(["/mcp"]),
      now: () => time,
      heartbeatEvery: 0,
    },
  )
  return {
    sessions,
    at: (now: number) => {
      time = now
    },
    open: async (key?: string, address = "192.0.2.1") => {
      const response = await sessions.open(post(), initialize, { key, address, path: "/mcp" })
      return response.headers.get("mcp-session-id") ?? ""
    },
    /** Whether the session is still there; the request ends when `done` does. */
    use: async (
      id: string,
      done: Promise<void> = Promise.resolve(),
      key?: string,
      path = "/mcp",
    ) => {
      const options = { parsedBody: list }
      const served = await sessions.serve(id, post(id), options, { done, key, path })
      // What comes after the answer is noted in a microtask.
      await Promise.resolve()
      return served?.status === 200
    },
  }
}

describe("sessions in time", () => {
  it("end when they were idle for long", async () => {
    const { at, open, sessions, use } = setUp()
    const id = await open()
    at(99)
    expect(await use(id)).toBe(true)
    at(198)
    expect(await use(id)).toBe(true)
    at(298)
    expect(await use(id)).toBe(false)
    expect(sessions.count).toBe(0)
  })

  it("end when they are old, however busy", async () => {
    const { at, open, use } = setUp()
    const id = await open()
    for (let now = 50; now < 1_000; now += 50) {
      at(now)
      expect(await use(id)).toBe(true)
    }
    at(1_000)
    expect(await use(id)).toBe(false)
  })

  it("are not idle while a stream of theirs is open", async () => {
    const { at, open, sessions, use } = setUp()
    const id = await open()
    let finish = () => {}
    const streaming = new Promise<void>((resolve) => (finish = resolve))
    expect(await use(id, streaming)).toBe(true)
    at(900)
    sessions.sweep()
    expect(sessions.count).toBe(1)
    finish()
    await streaming
    await Promise.resolve()
    at(999)
    sessions.sweep()
    expect(sessions.count).toBe(1)
    at(1_000)
    sessions.sweep()
    expect(sessions.count).toBe(0)
  })
})

describe("sessions beyond their number", () => {
  it("take the place of the least recently used", async () => {
    const { open, sessions, use } = setUp()
    const [one, two, three, four] = [await open(), await open(), await open(), await open()]
    expect(await use(one)).toBe(true)
    const five = await open()
    expect(sessions.count).toBe(4)
    expect(await use(two)).toBe(false)
    for (const id of [one, three, four, five]) expect(await use(id)).toBe(true)
  })

  it("take strangers' places first", async () => {
    const { open, use } = setUp()
    const keyed = await open()
    await use(keyed, Promise.resolve(), "key_a")
    for (let n = 0; n < 20; n++) await open()
    expect(await use(keyed, Promise.resolve(), "key_a")).toBe(true)
    for (let n = 0; n < 4; n++) await use(await open(), Promise.resolve(), "key_b")
    expect(await use(keyed, Promise.resolve(), "key_a")).toBe(false)
  })

  it("end for those who have their share, and for nobody else", async () => {
    const { open, sessions, use } = setUp(2)
    const other = await open(undefined, "198.51.100.1")
    const own = [await open(), await open(), await open(), await open()]
    expect(sessions.count).toBe(3)
    expect(await Promise.all(own.map((id) => use(id)))).toEqual([false, false, true, true])
    expect(await use(other)).toBe(true)
  })

  it("belong to the door where they were opened", async () => {
    const { open, use } = setUp()
    const id = await open()
    expect(await use(id, Promise.resolve(), undefined, "/mcp/market")).toBe(false)
    expect(await use(id)).toBe(true)
  })

  it("all end when the door closes", async () => {
    const { open, sessions, use } = setUp()
    const id = await open()
    await sessions.close()
    expect(sessions.count).toBe(0)
    expect(await use(id)).toBe(false)
  })
})

describe("a session with a key", () => {
  it("is served to that key alone, and is not ended by others", async () => {
    const { open, use } = setUp()
    const id = await open("key_a")
    expect(await use(id, Promise.resolve(), "key_b")).toBe(false)
    expect(await use(id)).toBe(false)
    expect(await use(id, Promise.resolve(), "key_a")).toBe(true)
  })

  it("has the first key that it is used with", async () => {
    const { open, use } = setUp()
    const id = await open()
    expect(await use(id)).toBe(true)
    expect(await use(id, Promise.resolve(), "key_a")).toBe(true)
    expect(await use(id)).toBe(false)
  })
})
