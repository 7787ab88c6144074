import { describe, expect, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { Conflict } from "../../../core/ports/Store.ts"
import { Failure, type FailureCode } from "../../../core/shared/Failure.ts"
import { attempt } from "../../../core/work/attempt.ts"

const failing = (code: FailureCode) => Effect.fail(new Failure({ code, message: "No." }))

const overtaken = Effect.fail(
  new Conflict({ reason: { type: "stale_version", kind: "invoice", id: "inv_1" } }),
)

describe("a piece of due work", () => {
  it.effect.each([
    ["waits for what passes, with a warning", failing("TEMPORARILY_UNAVAILABLE"), "Warn"],
    ["fails with an error otherwise", failing("NOT_FOUND"), "Error"],
    ["fails with an error where it breaks", Effect.die("broken"), "Error"],
    ["is left alone without a word where it was overtaken", overtaken, undefined],
  ] as const)("%s", ([, work, level]) =>
    Effect.gen(function* () {
      const heard: Array<string> = []
      const logger = Logger.make(({ logLevel }) => {
        heard.push(logLevel)
      })
      const done = yield* Effect.provide(
        attempt<unknown, never>("invoice", "inv_1", work),
        Logger.layer([logger]),
      )
      expect(done).toBe(false)
      expect(heard).toEqual(level === undefined ? [] : [level])
    }),
  )
})
