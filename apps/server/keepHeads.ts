import { Cause, Effect, Schema } from "effect"
import { appendFile, readFile, truncate } from "node:fs/promises"
import { headsAfter, publishHead } from "../../core/audit/publishHeads.ts"
import { SignedHead } from "../../core/audit/SignedHead.ts"
import { StartFailure } from "./StartFailure.ts"

/** How often a process checks whether the day has a head. */
const LOOK_EVERY = "15 minutes"

/** How many heads are read at a time. */
const PAGE = 100

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(SignedHead))

const failure = (path: string, why: string) =>
  new StartFailure({ message: `PAYPORT_AUDIT_HEADS: ${path} ${why}.` })

const readText = (path: string) =>
  Effect.tryPromise({
    try: () =>
      readFile(path, "utf8").catch((error: NodeJS.ErrnoException) =>
        error.code === "ENOENT" ? "" : Promise.reject(error),
      ),
    catch: () => failure(path, "cannot be read"),
  })

/** Removes an incomplete last line that a crash has left; returns the rest. */
const wholeLines = Effect.fnUntraced(function* (path: string) {
  const text = yield* readText(path)
  const whole = text.slice(0, text.lastIndexOf("\n") + 1)
  if (whole !== text) {
    yield* Effect.tryPromise({
      try: () => truncate(path, Buffer.byteLength(whole)),
      catch: () => failure(path, "cannot be written"),
    })
  }
  return whole
})

/** Returns the day of the last head in the file; empty if there is none. */
const lastDay = Effect.fnUntraced(function* (path: string) {
  const last = (yield* wholeLines(path)).trimEnd().split("\n").at(-1) ?? ""
  if (last === "") return ""
  return yield* Effect.try({
    try: () => decode(last).at.slice(0, 10),
    catch: () => failure(path, "ends with a line that is not a head of the audit log"),
  })
})

/**
 * Adds the missing heads to the file, whichever process signed them. Heads that a crash or an
 * unavailable file has prevented are added at the next check.
 */
export const appendHeads = Effect.fnUntraced(function* (path: string) {
  while (true) {
    const heads = yield* headsAfter(yield* lastDay(path), PAGE)
    if (heads.length === 0) return
    const lines = heads.map((head) => `${JSON.stringify(head)}\n`).join("")
    yield* Effect.tryPromise({
      try: () => appendFile(path, lines, { flush: true }),
      catch: () => failure(path, "cannot be written"),
    })
  }
})

/** Signs the day's head of the audit log, and keeps the file up to date, until interrupted. */
export const keepHeads = (path: string | undefined) =>
  publishHead().pipe(
    Effect.andThen(path === undefined ? Effect.void : appendHeads(path)),
    Effect.catchCause((cause) =>
      Cause.hasInterrupts(cause)
        ? Effect.failCause(cause)
        : Effect.logError("The head of the audit log could not be stored.", cause),
    ),
    Effect.andThen(Effect.sleep(LOOK_EVERY)),
    Effect.forever,
  )
