import { Effect } from "effect"
import { rankedOf } from "../../../core/registry/ServiceMatch.ts"
import type { ServiceManifest } from "../../../core/registry/ServiceManifest.ts"
import type { ServiceSearch } from "../../../core/registry/ServiceSearch.ts"
import { ask, type ReadPools } from "../database.ts"
import { services } from "../tables/services.ts"
import { type Asked, askedOf } from "./Asked.ts"
import { type Bits, clearBit, countBits, keepCommon } from "./Bits.ts"
import { arrayOf, COLUMN_SQL, entryKey, POSTINGS_SQL, STANDING_SQL } from "./blockRows.ts"
import { decodeSellers, pricedAtMost } from "./Columns.ts"
import { findMember, MEMBER, memberAt } from "./Members.ts"
import { KeptBytes } from "./KeptBytes.ts"
import { type FoundBits, foundBits } from "./FoundBits.ts"
import { levelsOf } from "./Levels.ts"
import { type Crowd, pageOf, type Pick as Picked } from "./pageOf.ts"
import { addPlaces, noPlaces } from "./Postings.ts"
import { type Block, blockOf, type Standing, standingOf } from "./Standing.ts"

/** How many bytes of blocks' columns a process keeps, and how many loose manifests. */
const KEPT_BYTES = 48 * 1_024 * 1_024
const KEPT_MANIFESTS = 4_000

const MEMBERS = entryKey("column", "members")
const SELLERS = entryKey("column", "sellers")

type Picks = ReturnType<typeof pageOf>

const LOOSE_SQL = `SELECT services.xmin::text AS row, ${services.selection}
  FROM payport.services WHERE id = ANY ($1::uuid[])`

const PAGE_SQL = `SELECT picked.n::int AS n, ${services.selection}
  FROM unnest($1::uuid[], $2::int[]) WITH ORDINALITY AS picked (build, at, n)
  JOIN payport.search_postings ON search_postings.build = picked.build
    AND search_postings.entry = '${MEMBERS}'
  JOIN payport.services ON services.id =
    encode(substring(postings FROM picked.at * ${MEMBER} + 9 FOR 16), 'hex')::uuid`

/** What all sets have; there is one at least. */
const commonOf = (sets: ReadonlyArray<Bits>): Bits => {
  const [first, ...others] = sets
  const common = (first ?? new Uint32Array()).slice()
  for (const other of others) keepCommon(common, other)
  return common
}

const decoded = new WeakMap<Uint8Array, (at: number) => string>()

/** Whose the members of a block are, of which each is read once as long as its bytes are kept. */
const sellersIn = (column: Uint8Array | undefined): ((at: number) => string) => {
  if (column === undefined) return () => ""
  const known = decoded.get(column) ?? decodeSellers(column)
  decoded.set(column, known)
  return known
}

/** Searches of services, along the index in blocks where it is there. */
export class SearchIndex {
  readonly #database: ReadPools
  readonly #wake: () => void
  readonly #columns = new KeptBytes(KEPT_BYTES)
  readonly #manifests = new Map<
    string,
    { readonly row: string; readonly manifest: ServiceManifest }
  >()
  readonly #mostLoose: number

  constructor(database: ReadPools, wake: () => void, mostLoose: number) {
    this.#database = database
    this.#wake = wake
    this.#mostLoose = mostLoose
  }

  readonly search = Effect.fnUntraced(
    { self: this },
    function* (this: SearchIndex, search: ServiceSearch) {
      const { work } = this.#database
      const standing = standingOf(
        yield* ask(work, STANDING_SQL, [search.status, this.#mostLoose + 1]),
      )
      const { changes, fresh } = standing
      if (changes > this.#mostLoose || fresh > this.#mostLoose) {
        this.#wake()
        return undefined
      }
      const { limit, most_of_seller: most, offset } = search
      const { blocks } = standing
      const asked = askedOf(search)
      const found = yield* this.#foundIn(blocks, asked)
      const masked = yield* this.#mask(standing, found)
      const manifests = yield* this.#manifestsOf(standing, search)
      const loose = rankedOf(manifests.values(), search, asked.prefixes).map((one) => ({
        ...one,
        block: blockOf(blocks, one.service),
      }))
      const page = (crowd?: Crowd) =>
        pageOf(
          {
            levels: levelsOf(found),
            loose,
            memberAt: (block, at) => memberAt(masked.get(block) ?? new Uint8Array(MEMBER), at),
            limit,
            offset,
          },
          crowd,
        )
      const picks = most === undefined ? page() : yield* this.#uncrowded(blocks, most, page)
      const total = found.reduce((sum, one) => sum + countBits(one.found), loose.length)
      return { data: yield* this.#read(blocks, picks, search), total }
    },
  )

  /** What of each block is found, changes since it was made aside. */
  #foundIn(blocks: ReadonlyArray<Block>, { filters, prefixes, price }: Asked) {
    return Effect.gen({ self: this }, function* () {
      if (blocks.length === 0) return []
      const rows = yield* ask(this.#database.work, POSTINGS_SQL, [
        arrayOf(blocks.map(({ build }) => build)),
        arrayOf(prefixes),
        arrayOf(filters),
      ])
      const words = blocks.map(({ size }) => prefixes.map(() => noPlaces(size)))
      const passed = blocks.map(({ size }) => filters.map(() => noPlaces(size)))
      for (const { asked, block, postings } of rows) {
        const n = Number(asked)
        const places =
          n > 0 ? words[Number(block) - 1]?.[n - 1] : passed[Number(block) - 1]?.[-n - 1]
        if (places !== undefined) addPlaces(places, postings as Uint8Array)
      }
      const priced = price === undefined ? [] : yield* this.#columnsOf(blocks, price.entry)
      return blocks.map(({ size }, n): FoundBits => {
        const wanted = (passed[n] ?? []).map(({ anywhere }) => anywhere)
        if (price !== undefined) wanted.push(pricedAtMost(priced[n], size, price.most))
        return foundBits(commonOf(wanted), words[n] ?? [])
      })
    })
  }

  /** Takes out of blocks what has changed since; answers the members of those blocks. */
  #mask({ blocks, loose }: Standing, found: ReadonlyArray<FoundBits>) {
    return Effect.gen({ self: this }, function* () {
      const changed = loose.filter(({ isChanged }) => isChanged)
      const places = changed.map((one) => ({ one, n: blockOf(blocks, one) }))
      const numbers = [...new Set(places.map(({ n }) => n))]
      const named = numbers.flatMap((n) => blocks[n] ?? [])
      const columns = yield* this.#columnsOf(named, MEMBERS)
      const members = new Map(numbers.map((n, at) => [n, columns[at] ?? new Uint8Array()]))
      for (const { n, one } of places) {
        const at = findMember(members.get(n) ?? new Uint8Array(), one)
        const bits = found[n]?.found
        if (at !== undefined && bits !== undefined) clearBit(bits, at)
      }
      return members
    })
  }

  /** The manifests that are in no block as they are now. */
  #manifestsOf({ loose }: Standing, { status }: ServiceSearch) {
    return Effect.gen({ self: this }, function* () {
      const wanted = loose.filter((one) => one.status === status)
      const kept = this.#manifests
      const missing = wanted.filter(({ id, row }) => kept.get(id)?.row !== row)
      const ids = arrayOf(missing.map(({ id }) => id))
      const rows = missing.length === 0 ? [] : yield* ask(this.#database.work, LOOSE_SQL, [ids])
      if (kept.size > KEPT_MANIFESTS) kept.clear()
      const read = rows.map((row) => ({ row: String(row["row"]), manifest: services.fromRow(row) }))
      for (const one of read) kept.set(one.manifest.id, one)
      const known = wanted.flatMap(({ id, row }) => {
        const found = kept.get(id)
        return found?.row === row ? [[id, found.manifest] as const] : []
      })
      // One that has changed meanwhile is as it was read, and one that has gone is not there.
      return new Map([...known, ...read.map(({ manifest }) => [manifest.id, manifest] as const)])
    })
  }

  /** One column of blocks, in their order; undefined where a block has none. */
  #columnsOf(blocks: ReadonlyArray<Pick<Block, "build">>, entry: string) {
    return Effect.gen({ self: this }, function* () {
      const keyOf = (build: string) => `${build} ${entry}`
      const kept = new Map(blocks.map(({ build }) => [build, this.#columns.get(keyOf(build))]))
      const missing = blocks.flatMap(({ build }) => (kept.get(build) === undefined ? build : []))
      if (missing.length === 0) return blocks.map(({ build }) => kept.get(build))
      const rows = yield* ask(this.#database.work, COLUMN_SQL, [arrayOf(missing), entry])
      for (const { build, postings } of rows) {
        kept.set(String(build), postings as Uint8Array)
        this.#columns.keep(keyOf(String(build)), postings as Uint8Array)
      }
      return blocks.map(({ build }) => kept.get(build))
    })
  }

  /**
   * The page, of each seller so many at most. Whose the members of a block are is read where the
   * page gets so far, of more and more blocks at once.
   */
  #uncrowded(blocks: ReadonlyArray<Block>, most: number, page: (crowd: Crowd) => Picks) {
    return Effect.gen({ self: this }, function* () {
      const sellers = new Map<number, (at: number) => string>()
      while (true) {
        let lacking: number | undefined
        const picks = page({
          most,
          sellerOf: (block, at) => {
            const sellerOf = sellers.get(block)
            if (sellerOf === undefined) lacking ??= block
            return sellerOf?.(at) ?? ""
          },
        })
        if (lacking === undefined) return picks
        const from = Math.max(0, lacking - sellers.size)
        const some = blocks.slice(from, lacking + 1)
        const columns = yield* this.#columnsOf(some, SELLERS)
        for (const [n, column] of columns.entries()) sellers.set(from + n, sellersIn(column))
      }
    })
  }

  /** The manifests of a page; one that has gone meanwhile is not shown. */
  #read(blocks: ReadonlyArray<Block>, picks: ReadonlyArray<Picked>, { status }: ServiceSearch) {
    return Effect.gen({ self: this }, function* () {
      const inBlocks = picks.flatMap((pick) => ("at" in pick ? pick : []))
      if (inBlocks.length === 0) return picks.flatMap((pick) => ("at" in pick ? [] : pick.service))
      const rows = yield* ask(this.#database.work, PAGE_SQL, [
        arrayOf(inBlocks.map(({ block }) => blocks[block]?.build ?? "")),
        `{${inBlocks.map(({ at }) => at).join(",")}}`,
      ])
      const read = new Map(rows.map((row) => [Number(row["n"]) - 1, services.fromRow(row)]))
      let next = 0
      return picks.flatMap((pick) => {
        if (!("at" in pick)) return pick.service
        const service = read.get(next++)
        return service?.status === status ? service : []
      })
    })
  }
}
