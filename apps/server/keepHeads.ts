import { Cause, Clock, Effect, Schedule, Schema } from "effect"
import { appendFile, readFile, truncate } from "node:fs/promises"
import { findHead, headsAfter, publishHead } from "../../core/audit/publishHeads.ts"
import { SignedHead } from "../../core/audit/SignedHead.ts"
import { Documents } from "../../core/ports/Documents.ts"
import { MINUTE } from "../../core/shared/Timestamp.ts"
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

const dayOf = (head: SignedHead | undefined): string => head?.at.slice(0, 10) ?? ""

/**
 * Returns the last head in the file, undefined if there is none. Fails if this database has signed
 * another head for that day, or none: heads that were added to it would prove nothing together.
 */
const lastHead = Effect.fnUntraced(function* (path: string) {
  const last = (yield* wholeLines(path)).trimEnd().split("\n").at(-1) ?? ""
  if (last === "") return undefined
  const head = yield* Effect.try({
    try: () => decode(last),
    catch: () => failure(path, "ends with a line that is not a head of the audit log"),
  })
  const own = yield* findHead(dayOf(head))
  if (own?.signature === head.signature) return head
  return yield* failure(
    path,
    `ends with a head of ${head.at} that this database does not have. After a restore, move the ` +
      "lines of later heads to another file. Each database needs a file of its own",
  )
})

/** The document by which one process at a time adds heads, and for how long it does at most. */
const WRITER = { scope: "audit-heads-writer", id: "lease" }
const LEASE = MINUTE

/** Takes the lease; returns its version, undefined if another process has it. */
const takeLease = Effect.gen(function* () {
  const documents = yield* Documents
  const now = yield* Clock.currentTimeMillis
  const { due_at = null, version = 0 } = (yield* documents.get(WRITER.scope, WRITER.id)) ?? {}
  if (due_at !== null && due_at > now && due_at <= now + LEASE) return undefined
  return yield* documents.put({ ...WRITER, version, body: {}, due_at: now + LEASE }).pipe(
    Effect.as(version + 1),
    Effect.catchTag("Conflict", () => Effect.succeed(undefined)),
  )
})

/**
 * Waits until no other process of this database adds heads. Two would add the same ones, and one
 * would cut off the line that the other is writing.
 */
const lease = (path: string) =>
  Effect.acquireRelease(
    Effect.filterOrFail(
      takeLease,
      (version) => version !== undefined,
      () => failure(path, "is being written by another process"),
    ),
    (version) =>
      Effect.flatMap(Documents, (documents) =>
        Effect.ignore(documents.put({ ...WRITER, version, body: {}, due_at: null })),
      ),
  ).pipe(
    // Outside of the acquisition, which nothing interrupts: a service can stop while it waits.
    Effect.retry({
      while: (error) => error instanceof StartFailure,
      schedule: Schedule.spaced("1 second"),
      times: 90,
    }),
  )

/**
 * Adds the missing heads to the file, whichever process signed them. Heads that a crash or an
 * unavailable file has prevented are added at the next check. Fails if the file does not end with a
 * head of this database.
 */
export const appendHeads = Effect.fnUntraced(function* (path: string) {
  yield* lease(path)
  let last = yield* lastHead(path)
  while (true) {
    const heads = yield* headsAfter(dayOf(last), PAGE)
    if (heads.length === 0) return
    last = heads.at(-1)
    const lines = heads.map((head) => `${JSON.stringify(head)}\n`).join("")
    yield* Effect.tryPromise({
      try: () => appendFile(path, lines, { flush: true }),
      catch: () => failure(path, "cannot be written"),
    })
  }
}, Effect.scoped)

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
