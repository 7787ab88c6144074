import { Effect } from "effect"
import { ALL_KINDS, type Kind, KINDS, type Records, Store, type Write } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { resealed, type SealedFields, sealedIn } from "./SealedText.ts"

/** How many records are read at a time. */
const BATCH = 200

/** The result of a pass over all records. */
export interface Resealed {
  /** Records that were sealed again. */
  readonly changed: number
  /** Records that changed meanwhile; the next pass handles them. */
  readonly missed: number
  /** The data keys that records still use. */
  readonly named: ReadonlySet<string>
}

/** Returns where the secrets of records of the kind are. */
const fieldsOf = (kind: Kind) => KINDS[kind].sealed as SealedFields<Records[Kind]> | undefined

/** Seals a record again in a commit of its own, if it uses another key than `current`. */
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
 * Seals all secrets of all records again that do not use the data key `current`, while other
 * processes read and change them. It can be stopped at any time: the next pass skips what already
 * uses the new key.
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
