import { Effect, Schema } from "effect"
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import {
  AUDIT_ACTIONS,
  type AuditEntry,
  type AuditHead,
  brokenAt,
  NO_ENTRY,
} from "../../core/audit/AuditEntry.ts"
import { StartFailure } from "./address.ts"

const Hash = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))

/** An entry as `GET /v1/audit` shows it. */
const Line = Schema.Struct({
  id: Schema.String,
  sequence: Schema.Int,
  at: Schema.String,
  actor: Schema.String,
  action: Schema.Literals(AUDIT_ACTIONS),
  target: Schema.String,
  request_id: Schema.String,
  details: Schema.Record(
    Schema.String,
    Schema.NullOr(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])),
  ),
  previous_hash: Hash,
  hash: Hash,
})

const decodeLine = Schema.decodeUnknownEffect(Line)

const failure = (message: string) => new StartFailure({ message })

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

const HEAD = /^(\d{1,15}):([0-9a-f]{64})$/

/** A head that was noted down, such as `12:9b2f…`; undefined for what is none. */
export const parseHead = (text: string): AuditHead | undefined => {
  const [, sequence, hash] = HEAD.exec(text) ?? []
  return sequence === undefined || hash === undefined
    ? undefined
    : { sequence: Number(sequence), hash }
}

/**
 * The place of the first hole in a log from its beginning on: where an entry does not follow from
 * the one before it, or is not the one of which a head was noted down. Undefined for a whole log.
 */
export const firstHole = (
  entries: ReadonlyArray<AuditEntry>,
  noted: ReadonlyArray<AuditHead>,
): number | undefined => {
  const sorted = entries.toSorted((a, b) => a.sequence - b.sequence)
  const missed = noted
    .filter(({ hash, sequence }) => sorted[sequence - 1]?.hash !== hash)
    .map(({ sequence }) => Math.min(sequence, sorted.length + 1))
  const holes = [brokenAt(sorted, NO_ENTRY, sha256), ...missed].filter((at) => at !== undefined)
  return holes.length === 0 ? undefined : Math.min(...holes)
}

const readLog = Effect.fnUntraced(function* (path: string) {
  const text = yield* Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: () => failure(`The log ${path} cannot be read.`),
  })
  const lines = text.split("\n").filter((line) => line.trim() !== "")
  return yield* Effect.forEach(lines, (line, n) =>
    Effect.try({ try: (): unknown => JSON.parse(line), catch: () => "not JSON" }).pipe(
      Effect.flatMap(decodeLine),
      Effect.mapError(() => failure(`Line ${n + 1} of ${path} is no entry of the audit log.`)),
      Effect.map((entry): AuditEntry => ({ ...entry, at: Date.parse(entry.at) })),
    ),
  )
})

/**
 * Proves a copy of the audit log, an entry a line, without the service, and holds it to heads that
 * were noted down. Fails with a line that names the first hole.
 */
export const verifyAudit = Effect.fnUntraced(function* (
  path: string,
  noted: ReadonlyArray<AuditHead>,
  print: (text: string) => Effect.Effect<void>,
) {
  const entries = yield* readLog(path)
  const hole = firstHole(entries, noted)
  if (hole !== undefined) {
    return yield* failure(`The audit log does not hold: its first hole is at sequence ${hole}.`)
  }
  const last = entries.toSorted((a, b) => a.sequence - b.sequence).at(-1) ?? NO_ENTRY
  yield* print(
    `The audit log is whole: ${last.sequence} entries, head ${last.sequence}:${last.hash}`,
  )
})
