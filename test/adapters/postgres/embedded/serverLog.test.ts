import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFile } from "node:fs/promises"
import {
  logFile,
  logSince,
  openLog,
  shortenLog,
} from "../../../../adapters/postgres/embedded/serverLog.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

describe("the log", () => {
  it.live("is moved aside when it grows too long, and goes on through the same open file", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const log = yield* Effect.acquireRelease(
        Effect.promise(() => openLog(folder)),
        (handle) => Effect.promise(() => handle.close()),
      )
      yield* Effect.promise(() => log.write("0123456789"))
      yield* shortenLog(folder, 10)
      assert.strictEqual(yield* logSince(folder, 4), "456789")
      yield* Effect.promise(() => log.write("x"))
      yield* shortenLog(folder, 10)
      yield* Effect.promise(() => log.write("after"))
      assert.strictEqual(yield* logSince(folder, 0), "after")
      const aside = yield* Effect.promise(() => readFile(`${logFile(folder)}.1`, "utf8"))
      assert.strictEqual(aside, "0123456789x")
    }),
  )
})
