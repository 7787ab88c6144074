import { Deferred, Effect } from "effect"
import { describe, expect, test } from "vitest"
import { probeListener } from "../../../apps/server/observe/probeSettings.ts"
import { seriesOfBacklog } from "../../../apps/server/observe/observeBacklog.ts"
import { shareLook } from "../../../apps/server/observe/shareLook.ts"

describe("a look that several share", () => {
  test("is made once an interval, whoever asks, and once at a time", () =>
    Effect.gen(function* () {
      let [time, looks] = [0, 0]
      const end = yield* Deferred.make<void>()
      const look = Effect.suspend(() => {
        looks += 1
        return looks < 3 ? Effect.void : Deferred.await(end)
      })
      const shared = yield* shareLook(10, look, () => time)
      const both = Effect.all([shared, shared], { concurrency: "unbounded", discard: true })
      yield* both
      time = 9
      yield* both
      expect(looks).toBe(1)
      time = 10
      yield* both
      expect(looks).toBe(2)
      time = 20
      // If a count hangs, its reader continues after a while, and no other count begins.
      yield* both
      time = 90
      yield* both
      expect(looks).toBe(3)
      yield* Deferred.succeed(end, undefined)
      yield* Effect.yieldNow
      time = 91
      yield* both
      expect(looks).toBe(4)
    }).pipe(Effect.scoped, Effect.runPromise))

  test("that failed is made again after the interval", () =>
    Effect.gen(function* () {
      let [time, looks] = [0, 0]
      const look = Effect.suspend(() => Effect.fail(`look ${(looks += 1)}`))
      const shared = yield* shareLook(10, look, () => time)
      yield* shared
      time = 10
      yield* shared
      expect(looks).toBe(2)
    }).pipe(Effect.scoped, Effect.runPromise))
})

test("what waits is shown in seconds, of the busiest receivers", () => {
  const receivers = Array.from({ length: 12 }, (_, n) => ({ receiver: `we_${n + 10}`, count: 1 }))
  const shown = seriesOfBacklog(
    {
      due: [
        { kind: "event", count: 2, oldest: 1_000 },
        { kind: "quote", count: 0, oldest: null },
      ],
      receivers,
      channel_requests: [{ channel: "wallet_a", status: "unknown", count: 3, oldest: 500 }],
    },
    4_500,
  )
  expect(shown).toMatchObject({
    due: [
      [{ kind: "event" }, 2],
      [{ kind: "quote" }, 0],
    ],
    dueLag: [
      [{ kind: "event" }, 3.5],
      [{ kind: "quote" }, 0],
    ],
    channelRequests: [[{ channel: "wallet_a", status: "unknown" }, 3]],
    channelRequestAge: [[{ channel: "wallet_a", status: "unknown" }, 4]],
  })
  expect(shown.backlog.length).toBe(11)
  expect(shown.backlog.at(-1)).toEqual([{ receiver: "others" }, 2])
})

describe("the listener of probes", () => {
  const host = "127.0.0.1"
  test.each([
    ["a worker's usual one", undefined, {}, { port: 4021, part: "probes", isWanted: false }],
    ["a worker's with an operators' listener: that one", undefined, { admin: true }, undefined],
    ["none where requests are served", undefined, { api: true }, undefined],
    ["the one that is wanted", 9, { api: true }, { port: 9, part: "probes", isWanted: true }],
    ["no metrics beside operators'", 9, { admin: true }, { port: 9, part: "health" }],
    ["none", "off", {}, undefined],
  ] as const)("%s", (_, port, listeners, expected) => {
    const found = probeListener({ host, port }, { api: false, admin: false, ...listeners })
    if (expected === undefined) expect(found).toBeUndefined()
    else expect(found).toMatchObject({ host, ...expected })
  })
})
