import { describe, expect, test } from "vitest"
import { freePort } from "../../support/freePort.ts"
import { aReceiver, aServer, SECRET, startListening, until } from "./process.ts"

interface Logged {
  readonly id: string
  readonly type: string
  readonly data: object
  readonly created_at: string
}

/** A log behind HTTP that a test can write to and switch off. */
const aLog = async () => {
  const log: { events: ReadonlyArray<Logged>; status: number; asked: Array<string> } = {
    events: [],
    status: 200,
    asked: [],
  }
  const url = await aServer(({ headers, url: path = "" }, response) => {
    log.asked.push(`${headers.authorization ?? ""} ${path}`)
    const after = new URL(path, "http://log.test").searchParams.get("starting_after")
    const data = log.events.slice(log.events.findIndex(({ id }) => id === after) + 1)
    response.writeHead(log.status, { "Content-Type": "application/json" })
    response.end(JSON.stringify({ data, has_more: false }))
  })
  const add = (id: string, type = "payment_intent.succeeded") => {
    const created_at = new Date(Date.UTC(2026, 2, 1) + log.events.length).toISOString()
    log.events = [{ id, type, data: { of: id }, created_at }, ...log.events]
  }
  return Object.assign(log, { url, add })
}

const options = (url: string, forward: string): ReadonlyArray<string> => [
  "--key",
  "sk_test_1",
  "--url",
  url,
  "--forward",
  forward,
  "--secret",
  SECRET,
]

test("events are forwarded in order, signed, and told in a line each", async () => {
  const [log, receiver] = [await aLog(), await aReceiver()]
  log.add("evt_before")
  const listening = startListening(...options(log.url, receiver.url))
  await listening.shows("Signed with")
  log.add("evt_1")
  log.add("evt_2", "revocation.succeeded")
  log.add("evt_3", "kyc.verified")
  log.add("evt_4", "of_a.newer_service")
  await listening.shows("evt_4")
  expect(receiver.events.map(({ id, type }) => [id, type])).toEqual([
    ["evt_1", "payment_intent.succeeded"],
    ["evt_2", "revocation.succeeded"],
    ["evt_3", "kyc.verified"],
    ["evt_4", "of_a.newer_service"],
  ])
  expect(receiver.events[0]).toMatchObject({ data: { of: "evt_1" }, created: 1_772_323_200 })
  expect(receiver.refused).toEqual([])
  expect(log.asked[0]).toBe("Bearer sk_test_1 /v1/events?limit=100")
  listening.child.kill("SIGINT")
  expect(await listening.ended).toBe(0)
  expect(listening.lines()).toEqual([
    `Following the events of ${log.url}, forwarding to ${receiver.url}`,
    `Signed with ${SECRET}`,
    expect.stringMatching(/^payment_intent\.succeeded {2}evt_1 {2}200 in \d+ ms$/),
    expect.stringMatching(/^revocation\.succeeded {2}evt_2 {2}200/),
    expect.stringMatching(/^kyc\.verified {2}evt_3 {2}200/),
    expect.stringMatching(/^of_a\.newer_service {2}evt_4 {2}200/),
    "Delivered 4 events.",
  ])
  expect(listening.stderr()).toBe("")
})

test("a receiver that is down is waited for, and nothing overtakes", async () => {
  const [log, port] = [await aLog(), await freePort()]
  const forward = `http://127.0.0.1:${port}/hook`
  const listening = startListening(...options(log.url, forward), "--json")
  await listening.shows("listening")
  log.add("evt_1")
  log.add("evt_2")
  await listening.shows("connection refused")
  const receiver = await aReceiver(port)
  await listening.shows("evt_2")
  expect(receiver.events.map(({ id }) => id)).toEqual(["evt_1", "evt_2"])
  listening.child.kill("SIGTERM")
  expect(await listening.ended).toBe(0)
  const lines = listening.lines().map((line): unknown => JSON.parse(line))
  expect(lines[0]).toEqual({ listening: { url: log.url, forward, secret: SECRET } })
  expect(lines[1]).toMatchObject({
    event: "evt_1",
    type: "payment_intent.succeeded",
    attempt: 1,
    status: null,
    error: "connection refused",
    outcome: "retry",
    retry_after_ms: 1_000,
  })
  expect(lines.at(-3)).toMatchObject({ event: "evt_1", status: 200, outcome: "delivered" })
  expect(lines.at(-2)).toMatchObject({ event: "evt_2", attempt: 1, outcome: "delivered" })
  expect(lines.at(-1)).toEqual({ delivered: 2 })
})

test("a refused event is given up, others are left out by type or begin in the past", async () => {
  const log = await aLog()
  const taken: Array<string> = []
  const receiver = await aServer(({ headers }, response) => {
    const id = String(headers["webhook-id"])
    taken.push(id)
    response.writeHead(id === "evt_2" ? 400 : 200).end()
  })
  for (const id of ["evt_1", "evt_2"]) log.add(id)
  log.add("evt_3", "kyc.verified")
  log.add("evt_4")
  const said = ["--since", "evt_1", "--types", "payment_intent.succeeded"]
  const listening = startListening(...options(log.url, receiver), ...said)
  await listening.shows("evt_4")
  await listening.shows("400 in")
  expect(listening.lines().find((line) => line.includes("evt_2"))).toMatch(/given up$/)
  expect(taken).toEqual(["evt_2", "evt_4"])
  listening.child.kill("SIGINT")
  expect(await listening.ended).toBe(0)
  expect(listening.lines().at(-1)).toBe("Delivered 1 event.")
})

test("a service that is away is waited for, told of once; a key that is gone ends it", async () => {
  const [log, receiver] = [await aLog(), await aReceiver()]
  const listening = startListening(...options(log.url, receiver.url))
  await listening.shows("Signed with")
  log.status = 503
  await listening.shows("answers 503; trying again.")
  log.add("evt_1")
  log.status = 200
  await listening.shows("evt_1")
  log.status = 401
  expect(await listening.ended).toBe(1)
  expect(listening.lines().filter((line) => line.includes("answers 503"))).toHaveLength(1)
  expect(listening.stderr()).toMatch(/refuses this key/)
})

test("the signal ends a wait for the receiver, too", async () => {
  const log = await aLog()
  const forward = `http://127.0.0.1:${await freePort()}/`
  log.add("evt_1")
  const said = ["--since", "2026-01-01T00:00:00Z"]
  const listening = startListening(...options(log.url, forward), ...said)
  await listening.shows("again in 4 s")
  listening.child.kill("SIGTERM")
  expect(await listening.ended).toBe(0)
})

describe("one sentence and an exit code for", () => {
  const ends = async (args: ReadonlyArray<string>, code: number, sentence: RegExp) => {
    const listening = startListening(...args)
    expect(await listening.ended).toBe(code)
    expect(listening.stderr()).toMatch(sentence)
    expect(listening.stderr().trimEnd()).not.toContain("\n")
    expect(listening.lines()).toEqual([])
  }
  const forward = "http://127.0.0.1:9/"

  test("a service that is not there", async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    await ends(options(url, forward), 1, /\(connection refused\)\. Start the service/)
  })

  test.each([
    [401, /refuses this key\. Set --key/],
    [404, /has no event log\. Is --url/],
    [403, /refuses to show the event log: it answered 403/],
    [500, /answers 500\. Start the service/],
  ])("an answer of %i", async (status, sentence) => {
    const log = await aLog()
    log.status = status
    await ends(options(log.url, forward), 1, sentence)
  })

  test("something that is no log", async () => {
    const url = await aServer((_, response) => response.end("<html>"))
    await ends(options(url, forward), 1, /does not answer with an event log/)
  })

  test("a bad URL", () =>
    ends(options("nowhere", forward), 2, /^--url has to be a URL such as .* not "nowhere"/))

  test("an event that is not in the log", async () => {
    const log = await aLog()
    await ends([...options(log.url, forward), "--since", "evt_9"], 1, /no event evt_9/)
  })
})

test("--help says how it is called", async () => {
  const listening = startListening("--help")
  expect(await listening.ended).toBe(0)
  expect(listening.lines()[0]).toMatch(/^Usage: payport listen/)
  await until(() => listening.stderr() === "", listening.stderr)
})
