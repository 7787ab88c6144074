import { createHmac } from "node:crypto"
import { describe, expect, it } from "vitest"
import { SERVICES } from "../../../adapters/mcp/doors.ts"
import { makeServer } from "../../../adapters/mcp/protocol.ts"
import { SessionIds } from "../../../adapters/mcp/SessionIds.ts"
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

let asked = 1
const list = () => ({ jsonrpc: "2.0", id: ++asked, method: "tools/list" })

const LONGEST = 1_000

/** The signatures of an installation with this master key. */
const signedBy = (masterKey: string) => ({
  equal: (a: string, b: string) => a === b,
  fingerprint: (text: string) => createHmac("sha256", masterKey).update(text).digest("hex"),
})

const setUp = (mostOfHolder = 4, masterKey = "one key") => {
  let time = 0
  const sessions = new Sessions(
    { most: 4, mostOfHolder, idleFor: 100, longest: LONGEST },
    {
      make: () => makeServer(SERVICES, tools),
      changing: new Set(["/mcp"]),
      now: () => time,
      ids: new SessionIds(signedBy(masterKey), LONGEST, () => time),
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
    /** Whether the session still exists. The request ends with `done`. */
    use: async (
      id: string,
      done: Promise<void> = Promise.resolve(),
      key?: string,
      path = "/mcp",
    ) => {
      const options = { parsedBody: list() }
      const caller = { address: "192.0.2.1", done, key, path }
      const served = await sessions.serve(id, post(id), options, caller)
      // The result of the answer is recorded in a microtask.
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

describe("a session that another process opened", () => {
  it("is taken over where its client comes, also by several requests at once", async () => {
    const [first, second] = [setUp(), setUp()]
    const id = await first.open()
    expect(await Promise.all([second.use(id), second.use(id), second.use(id)])).toEqual([
      true,
      true,
      true,
    ])
    expect(second.sessions.count).toBe(1)
    expect(await first.use(id)).toBe(true)
  })

  it("keeps its door and its key", async () => {
    const [first, second] = [setUp(), setUp()]
    const id = await first.open("key_a")
    expect(await second.use(id, Promise.resolve(), "key_b")).toBe(false)
    expect(await second.use(id)).toBe(false)
    expect(await second.use(id, Promise.resolve(), "key_a", "/mcp/market")).toBe(false)
    expect(second.sessions.count).toBe(0)
    expect(await second.use(id, Promise.resolve(), "key_a")).toBe(true)
  })

  it("lasts no longer than it would there", async () => {
    const [first, second, third] = [setUp(), setUp(), setUp()]
    const id = await first.open()
    second.at(LONGEST - 1)
    expect(await second.use(id)).toBe(true)
    second.at(LONGEST)
    expect(await second.use(id)).toBe(false)
    third.at(LONGEST)
    expect(await third.use(id)).toBe(false)
  })

  it("is not taken over where it has ended", async () => {
    const { at, open, sessions, use } = setUp()
    const id = await open()
    at(200)
    sessions.sweep()
    expect(await use(id)).toBe(false)
  })

  it("is not that of an installation with another master key, and cannot be made up", async () => {
    const [ours, theirs] = [setUp(4, "our key"), setUp(4, "their key")]
    expect(await ours.use(await theirs.open())).toBe(false)
    const id = await setUp(4, "our key").open("key_a")
    for (const forged of [
      id.replace(".key.", ".any."),
      id.replace(/^./, (digit) => (digit === "0" ? "1" : "0")),
      id.replace(/\.\w+\.key/, ".zzzzzz.key"),
      id.slice(0, -1),
      "",
      "0",
    ]) {
      expect(await ours.use(forged, Promise.resolve(), "key_a")).toBe(false)
    }
    expect(ours.sessions.count).toBe(0)
  })
})
