import { Effect } from "effect"
import { ALL_KINDS, type Kind, KINDS, type Records, Store, type Write } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { resealed, type SealedFields, sealedIn } from "./SealedText.ts"

/** Records that are read at a time. */
const BATCH = 200

/** What one walk over all records came to. */
export interface Resealed {
  /** Records that were sealed again. */
  readonly changed: number
  /** Records that somebody else changed meanwhile: the next walk comes to them. */
  readonly missed: number
  /** The data keys that records name still. */
  readonly named: ReadonlySet<string>
}

/** Where the secrets of a record of the kind are. */
const fieldsOf = (kind: Kind) => KINDS[kind].sealed as SealedFields<Records[Kind]> | undefined

/** The record sealed again, in a commit of its own, where `current` is not what it names. */
const resealOne = Effect.fnUntraced(function* (kind: Kind, record: Records[Kind], current: string) {
  const fields = fieldsOf(kind)
  const values = fields === undefined ? [] : sealedIn(fields, record)
  const vault = yield* Vault
  const old = values.filter(({ sealed }) => vault.keyOf(sealed) !== current)
  if (fields === undefined || old.length === 0) return "current" as const
  const anew = new Map<string, string>()
  for (const { place, sealed } of old) {
    anew.set(sealed, vault.seal(place, yield* vault.open(place, sealed)))
  }
  const write = { op: "replace", kind, record: resealed(fields, record, anew) } as Write
  return yield* (yield* Store).commit({ writes: [write] }).pipe(
    Effect.as("changed" as const),
    Effect.catchTag("Conflict", () => Effect.succeed("missed" as const)),
  )
})

/**
 * Seals every secret of every record again that is not under the data key `current`, while others
 * go on reading and changing them. It can be stopped at any time: what has been sealed again names
 * the new key, and the next walk leaves it alone.
 */
export const resealRecords = Effect.fn("resealRecords")(function* (current: string) {
  const store = yield* Store
  const { keyOf } = yield* Vault
  const named = new Set<string>()
  const counts = { current: 0, changed: 0, missed: 0 }
  for (const kind of ALL_KINDS) {
    const fields = fieldsOf(kind)
    if (fields === undefined) continue
    let after: string | undefined
    while (true) {
      const page = yield* store.scan(kind, { after, limit: BATCH })
      for (const record of page) {
        const outcome = yield* resealOne(kind, record, current)
        counts[outcome] += 1
        if (outcome !== "missed") continue
        for (const { sealed } of sealedIn(fields, record)) named.add(keyOf(sealed) ?? "")
      }
      after = page.at(-1)?.id
      if (page.length < BATCH) break
    }
  }
  const { changed, missed } = counts
  return { changed, missed, named } satisfies Resealed
})
