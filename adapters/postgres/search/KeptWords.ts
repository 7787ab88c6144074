import { Effect } from "effect"
import { ask, type ReadPools } from "../database.ts"
import type { BitSpace } from "./BitSpace.ts"
import { arrayOf, POSTINGS_SQL } from "./blockRows.ts"
import type { KeptBytes } from "./KeptBytes.ts"
import { addPlaces, encodePlaces, noPlaces, type Places } from "./Postings.ts"
import type { Block } from "./Standing.ts"

/** The number of prefixes that are remembered after their first search. */
const REMEMBERED = 1_000

/** The cached value of a prefix that a block does not have. */
const NOTHING = new Uint8Array()

const keyOf = (build: string, prefix: string): string => `${build} q${prefix}`

/**
 * Caches where words are in blocks, for words that are searched again. Otherwise the database would
 * send megabytes each time, and every few searches the process would stop to collect them.
 */
export class KeptWords {
  readonly #database: ReadPools
  readonly #kept: KeptBytes
  readonly #asked = new Set<string>()

  constructor(database: ReadPools, kept: KeptBytes) {
    this.#database = database
    this.#kept = kept
  }

  /** Returns the places in each block of each prefix. */
  placesIn(blocks: ReadonlyArray<Block>, prefixes: ReadonlyArray<string>, space: BitSpace) {
    return Effect.gen({ self: this }, function* () {
      const places = blocks.map(({ size }) => prefixes.map(() => noPlaces(size, space)))
      const isAgain = prefixes.map((prefix) => this.#isAskedAgain(prefix))
      const missing = this.#addKept(blocks, prefixes, places)
      if (missing.length === 0) return places
      const asked = [...new Set(missing.map(({ prefix }) => prefix))]
      const lacking = [...new Set(missing.map(({ block }) => block))]
      const rows = yield* ask(this.#database.work, POSTINGS_SQL, [
        arrayOf(lacking.map((block) => blocks[block]?.build ?? "")),
        arrayOf(asked.map((prefix) => prefixes[prefix] ?? "")),
      ])
      const whole = new Set<number>()
      for (const row of rows) {
        const block = lacking[Number(row["block"]) - 1] ?? 0
        const found = places[block]?.[asked[Number(row["asked"]) - 1] ?? 0]
        const postings = row["postings"] as Uint8Array | null
        if (found !== undefined && postings !== null) addPlaces(found, postings)
        if (row["whole"] === true) whole.add(block)
      }
      for (const { block, prefix } of missing) {
        const found = places[block]?.[prefix]
        // A replica may not have the whole block yet.
        if (found === undefined || isAgain[prefix] !== true || !whole.has(block)) continue
        this.#kept.keep(
          keyOf(blocks[block]?.build ?? "", prefixes[prefix] ?? ""),
          hasPlaces(found) ? encodePlaces(found) : NOTHING,
        )
      }
      return places
    })
  }

  /** Adds the cached places, and returns what is not cached. */
  #addKept(
    blocks: ReadonlyArray<Block>,
    prefixes: ReadonlyArray<string>,
    places: ReadonlyArray<ReadonlyArray<Places>>,
  ) {
    return blocks.flatMap(({ build }, block) =>
      prefixes.flatMap((text, prefix) => {
        const kept = this.#kept.get(keyOf(build, text))
        const found = places[block]?.[prefix]
        if (kept === undefined || found === undefined) return { block, prefix }
        if (kept !== NOTHING) addPlaces(found, kept)
        return []
      }),
    )
  }

  /** Words that are searched once must not displace words that are searched often. */
  #isAskedAgain(prefix: string): boolean {
    const isAgain = this.#asked.delete(prefix)
    this.#asked.add(prefix)
    for (const oldest of this.#asked) {
      if (this.#asked.size <= REMEMBERED) break
      this.#asked.delete(oldest)
    }
    return isAgain
  }
}

const hasPlaces = ({ anywhere }: Places): boolean => anywhere.some((word) => word !== 0)
