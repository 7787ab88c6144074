import { Effect, Schema } from "effect"
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { signedBy } from "../../adapters/crypto/signatures.ts"
import {
  type AuditEntry,
  AuditEntryView,
  type AuditHead,
  brokenAt,
  type Checking,
  NO_ENTRY,
} from "../../core/audit/AuditEntry.ts"
import { SignedHead, signedTextOf } from "../../core/audit/SignedHead.ts"
import { StartFailure } from "./StartFailure.ts"
import type { Output } from "./Output.ts"

const failure = (message: string) => new StartFailure({ message })

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

const HEAD = /^(\d{1,15}):([0-9a-f]{64})$/

/** Parses a recorded head, such as `12:9b2f…`; undefined for any other text. */
export const parseHead = (text: string): AuditHead | undefined => {
  const [, sequence, hash] = HEAD.exec(text) ?? []
  return sequence === undefined || hash === undefined
    ? undefined
    : { sequence: Number(sequence), hash }
}

/**
 * Returns the place of the first break in a log, from its beginning: an entry that does not follow
 * from the one before it, is not signed, or differs from a recorded head. Undefined if there is no
 * break.
 */
export const firstHole = (
  entries: ReadonlyArray<AuditEntry>,
  kept: ReadonlyArray<AuditHead>,
  isSigned: Checking["isSigned"],
): number | undefined => {
  const sorted = entries.toSorted((a, b) => a.sequence - b.sequence)
  const missed = kept
    .filter(({ hash, sequence }) => (sorted[sequence - 1] ?? NO_ENTRY).hash !== hash)
    .map(({ sequence }) => Math.max(1, Math.min(sequence, sorted.length + 1)))
  const broken = brokenAt(sorted, NO_ENTRY, { sha256, isSigned })
  const holes = [broken, ...missed].filter((at) => at !== undefined)
  return holes.length === 0 ? undefined : Math.min(...holes)
}

const decodeEntry = Schema.decodeUnknownEffect(AuditEntryView)
const decodeHead = Schema.decodeUnknownEffect(SignedHead)

/** Decodes the lines of a file. */
const readLines = Effect.fnUntraced(function* <A, E>(
  path: string,
  what: string,
  decode: (json: unknown) => Effect.Effect<A, E>,
) {
  const text = yield* Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: () => failure(`The file ${path} cannot be read.`),
  })
  const lines = text.split("\n").filter((line) => line.trim() !== "")
  return yield* Effect.forEach(lines, (line, n) =>
    Effect.try({ try: (): unknown => JSON.parse(line), catch: () => "not JSON" }).pipe(
      Effect.flatMap(decode),
      Effect.mapError(() =>
        failure(`Line ${n + 1} of ${path} is not a valid ${what} of the audit log.`),
      ),
    ),
  )
})

/** Reads recorded heads: one as an argument, or a file of signed ones. */
const readHeads = Effect.fnUntraced(function* (place: string) {
  const noted = parseHead(place)
  return noted === undefined
    ? { noted: [], signed: yield* readLines(place, "head", decodeHead) }
    : { noted: [noted], signed: [] }
})

/** Opens the key that verifies signatures: the recorded one, otherwise the one in the heads. */
const openKey = Effect.fnUntraced(function* (
  given: string | undefined,
  signed: ReadonlyArray<SignedHead>,
) {
  const key = given ?? signed[0]?.public_key
  if (key === undefined) return undefined
  const isSigned = signedBy(key)
  return isSigned === undefined
    ? yield* failure(`${key} is not a public key, which has 43 base64url characters.`)
    : { key, isSigned }
})

/** A copy of the audit log, and what it is verified with. */
export interface Evidence {
  /** The path of the copy. */
  readonly log: string
  /** Each is `SEQUENCE:HASH`, or the path of a file of signed heads. */
  readonly heads: ReadonlyArray<string>
  /** The public key of signatures, recorded elsewhere. */
  readonly key: string | undefined
}

/**
 * Verifies a copy of the audit log, one entry a line, without the service, and compares it with
 * heads that were recorded elsewhere. Fails with a line that names the first break.
 */
export const verifyAudit = Effect.fnUntraced(function* (
  { heads: places, key: given, log }: Evidence,
  { result, say }: Output,
) {
  const shown = yield* readLines(log, "entry", decodeEntry)
  const entries = shown.map((entry): AuditEntry => ({ ...entry, at: Date.parse(entry.at) }))
  const heads = yield* Effect.forEach(places, readHeads)
  const signed = heads.flatMap((some) => some.signed)
  const opened = yield* openKey(given, signed)
  const forged = signed.find(
    (head) => opened?.isSigned(signedTextOf(head), head.signature) !== true,
  )
  if (forged !== undefined) {
    return yield* failure(
      `The head of ${forged.at} at sequence ${forged.sequence} is not signed by ${opened?.key}.`,
    )
  }
  const kept = [...signed, ...heads.flatMap(({ noted }) => noted)]
  const hole = firstHole(entries, kept, opened?.isSigned ?? (() => true))
  if (hole !== undefined) {
    yield* result({ whole: false, hole })
    return yield* failure(
      opened !== undefined && firstHole(entries, kept, () => true) !== hole
        ? `The log's entry at sequence ${hole} is not signed by ${opened.key}.`
        : `The audit log is not whole: its first hole is at sequence ${hole}.`,
    )
  }
  const last = entries.toSorted((a, b) => a.sequence - b.sequence).at(-1) ?? NO_ENTRY
  const proved = `${last.sequence}:${last.hash}`
  yield* say(`The audit log is whole: ${last.sequence} entries, head ${proved}`)
  yield* say(
    opened === undefined
      ? "No signature was checked: give --key, or a file of signed heads."
      : `Every entry is signed by ${opened.key}${
          given === undefined ? ": compare it with the key that you noted." : ""
        }`,
  )
  yield* result({
    whole: true,
    entries: last.sequence,
    head: proved,
    signed_by: opened?.key ?? null,
  })
})
