import { once } from "node:events"
import { connect } from "node:net"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { INTAKE_LIMITS, Intake } from "../../../../adapters/shared/Intake.ts"
import { ADMIN_KEY, aManifest, startApp } from "../../../support/app.ts"
import { hangingStore } from "../../../support/hangingStore.ts"
import { request } from "../../../support/rawHttp.ts"
import { stillClock } from "../../../support/stillClock.ts"

describe("a server's intake", () => {
  test("takes on so many at once, and one more for each that leaves", () => {
    const intake = new Intake({ most: 2 })
    expect([intake.admit(), intake.admit(), intake.admit()]).toEqual([true, true, false])
    intake.leave()
    expect([intake.admit(), intake.admit()]).toEqual([true, false])
  })

  test("leaves some places to others than one account", () => {
    const intake = new Intake({ most: 16 })
    const asked = Array.from({ length: 16 }, () => intake.admitAccount("one"))
    expect(asked.filter(Boolean)).toHaveLength(14)
    expect(intake.admitAccount("another")).toBe(true)
    intake.leaveAccount("one")
    expect([intake.admitAccount("one"), intake.admitAccount("one")]).toEqual([true, false])
  })

  test("knows accounts that have their share by their key, until they have it no more", () => {
    const intake = new Intake({ most: 1 })
    expect(intake.isShareTaken("Bearer one")).toBe(false)
    expect(intake.admitAccount("one", "Bearer one")).toBe(true)
    expect(intake.isShareTaken("Bearer one")).toBe(false)
    expect(intake.admitAccount("one", "Bearer one")).toBe(false)
    expect(["Bearer one", "Bearer two", undefined].map((key) => intake.isShareTaken(key))).toEqual([
      true,
      false,
      false,
    ])
    intake.leaveAccount("one")
    expect(intake.isShareTaken("Bearer one")).toBe(false)
  })

  test("tells so many refusals a second at once, and holds the others back", () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "performance"] })
    onTestFinished(() => void vi.useRealTimers())
    const intake = new Intake()
    const told: Array<number> = []
    for (let n = 0; n < 2_000; n++) intake.refuse(() => void told.push(n))
    expect(told).toHaveLength(100)
    vi.advanceTimersByTime(990)
    expect(told).toHaveLength(100)
    // Five hundred are told after a second, and each further one two milliseconds later.
    vi.advanceTimersByTime(40)
    expect(told.length).toBeGreaterThan(600)
    expect(told.length).toBeLessThan(630)
    intake.refuse(() => void told.push(2_000))
    expect(told.at(-1)).toBe(2_000)
    vi.advanceTimersByTime(3_000)
    expect(told).toHaveLength(2_001)
  })

  /** A clock that tests move, and turns of the event loop that they start. */
  const inSteps = () => {
    vi.useFakeTimers({ toFake: ["setImmediate"] })
    onTestFinished(() => void vi.useRealTimers())
    let now = 1_000
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now)
    onTestFinished(() => clock.mockRestore())
    return {
      pass: (milliseconds: number) => {
        now += milliseconds
      },
      turn: () => void vi.runOnlyPendingTimers(),
    }
  }

  test.each([
    ["a few in a short turn of the event loop", 5, 8],
    ["as long as everything else took in a long one", 60, 30],
  ])("begins %s", (_, elsewhere, expected) => {
    const { pass, turn } = inSteps()
    const intake = new Intake()
    let begun = 0
    for (let n = 0; n < 100; n++) {
      intake.inTurn(() => {
        begun++
        pass(2)
      })
    }
    pass(elsewhere)
    turn()
    expect(begun).toBe(expected)
    turn()
    expect(begun).toBe(expected + 8)
  })

  test("goes on with the others after one that breaks, in their order", () => {
    const { turn } = inSteps()
    const intake = new Intake()
    const begun: Array<number> = []
    intake.inTurn(() => {
      throw new Error("broken")
    })
    for (let n = 0; n < 20; n++) intake.inTurn(() => void begun.push(n))
    expect(turn).toThrow("broken")
    for (let n = 0; n < 3; n++) turn()
    expect(begun).toEqual(Array.from({ length: 20 }, (_unused, n) => n))
  })

  test.each([
    [0, INTAKE_LIMITS.within],
    [4_000, INTAKE_LIMITS.within - 4_000],
    [INTAKE_LIMITS.within + 1_000, -1_000],
  ])("leaves a request that began %i ms ago %i ms", (ago, left) => {
    stillClock()
    expect(new Intake().deadline(performance.now() - ago).left()).toBeCloseTo(left)
  })
})

test("a request is answered at its end, gives back its place, and probes never wait", async () => {
  const { hang, layer: store, waiting } = hangingStore()
  const app = await startApp({ store, intake: { most: 2, within: 5_000 } })
  const any = () => app.call("GET", "/v1/nothing", { key: null })
  hang(true)
  const asked = [
    app.call("GET", "/v1/payment-intents/pi_01997d3e-8a00-7000-8000-00000000ffff"),
    app.call("POST", "/v1/services", { body: aManifest() }),
  ]
  await expect.poll(waiting).toBe(2)
  expect((await any()).json["code"]).toBe("OVERLOADED")
  expect((await app.call("GET", "/healthz")).status).toBe(200)
  const [read, changed] = await Promise.all(asked)
  expect([read?.status, read?.json["code"]]).toEqual([503, "TEMPORARILY_UNAVAILABLE"])
  expect([changed?.status, changed?.json["code"]]).toEqual([503, "OUTCOME_UNKNOWN"])
  expect(changed?.headers.get("retry-after")).toBe("5")
  hang(false)
  await expect.poll(async () => (await any()).status).toBe(404)
  await app.stop()
})

test("whoever sends a body slowly keeps nobody out", async () => {
  const app = await startApp({ intake: { most: 2 } })
  const body = JSON.stringify(aManifest())
  const [head = ""] = request("POST /v1/services", {
    Authorization: `Bearer ${app.seller.api_key.key}`,
    "Content-Type": "application/json",
    "Content-Length": String(body.length),
  })
  const slow = [connect(app.port, "127.0.0.1"), connect(app.port, "127.0.0.1")]
  for (const socket of slow) socket.write(head + body.slice(0, 10))
  await expect
    .poll(async () => (await app.call("GET", "/metrics", { key: ADMIN_KEY })).text)
    .toMatch(/^payport_http_requests_in_flight 3$/m)
  expect((await app.call("GET", "/v1/services")).status).toBe(200)
  const answers = slow.map(async (socket) => {
    const answer = once(socket, "data")
    socket.write(body.slice(10))
    return String((await answer)[0]).slice(9, 12)
  })
  expect(await Promise.all(answers)).toEqual(["201", "201"])
  await app.stop()
})
