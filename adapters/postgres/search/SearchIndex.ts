import { Array, Effect } from "effect"
import type { ServiceManifest } from "../../../core/registry/ServiceManifest.ts"
import type { ServiceSearch } from "../../../core/registry/ServiceSearch.ts"
import { ask, type ReadPools } from "../database.ts"
import { services } from "../tables/services.ts"
import { type Asked, askedOf } from "./Asked.ts"
import { type Bits, clearBit, countBits, keepCommon } from "./Bits.ts"
import { arrayOf, COLUMN_SQL, entryKey, STANDING_SQL } from "./blockRows.ts"
import { decodeSellers, pricedAtMost, type Sellers } from "./Columns.ts"
import { type BitSpace, BitSpaces } from "./BitSpace.ts"
import { findMember, MEMBER, memberAt } from "./Members.ts"
import { KeptBytes } from "./KeptBytes.ts"
import { KeptWords } from "./KeptWords.ts"
import { type FoundBits, foundBits } from "./FoundBits.ts"
import { levelsOf } from "./Levels.ts"
import { type Crowd, pageOf, type Pick as Picked } from "./pageOf.ts"
import { addPlaces, noPlaces, type Places } from "./Postings.ts"
import { rankedInPieces } from "./rankedInPieces.ts"
import { type Block, blockOf, type Standing, standingOf } from "./Standing.ts"

/** The most bytes of columns and words, and the most loose manifests, that a process caches. */
const KEPT_BYTES = 48 * 1_024 * 1_024
const KEPT_MANIFESTS = 4_000

/** Loose manifests per read, so that decoding them does not stop the process. */
const READ = 100

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

/** Returns the intersection of the sets. There must be at least one. */
const commonOf = (sets: ReadonlyArray<Bits>, space: BitSpace): Bits => {
  const [first, ...others] = sets
  const common = space.copy(first ?? new Uint32Array())
  for (const other of others) keepCommon(common, other)
  return common
}

/** The cached value of a column that a block does not have. */
const NOTHING = new Uint8Array()

/** Returns the places in a cached column; none if the block has no such column. */
const placesOf = (column: Uint8Array | undefined, size: number, space: BitSpace): Places => {
  const places = noPlaces(size, space)
  if (column !== undefined) addPlaces(places, column)
  return places
}

const decoded = new WeakMap<Uint8Array, Sellers>()

/** Returns the sellers of a block's members. They are decoded once while their bytes are cached. */
const sellersIn = (column: Uint8Array | undefined): Sellers => {
  if (column === undefined) return { count: 0, numberAt: () => 0, nameOf: () => "" }
  const known = decoded.get(column) ?? decodeSellers(column)
  decoded.set(column, known)
  return known
}

/** Searches services, along the index in blocks if it exists. */
export class SearchIndex {
  readonly #database: ReadPools
  readonly #wake: () => void
  readonly #columns = new KeptBytes(KEPT_BYTES)
  readonly #words: KeptWords
  readonly #spaces = new BitSpaces()
  readonly #manifests = new Map<
    string,
    { readonly row: string; readonly manifest: ServiceManifest }
  >()
  readonly #mostLoose: number

  constructor(database: ReadPools, wake: () => void, mostLoose: number) {
    this.#database = database
    this.#words = new KeptWords(database, this.#columns)
    this.#wake = wake
    this.#mostLoose = mostLoose
  }

  readonly search = (search: ServiceSearch) =>
    Effect.suspend(() => {
      const space = this.#spaces.take()
      const ended = Effect.sync(() => this.#spaces.giveBack(space))
      return Effect.ensuring(this.#searchIn(space, search), ended)
    })

  readonly #searchIn = Effect.fnUntraced(
    { self: this },
    function* (this: SearchIndex, space: BitSpace, search: ServiceSearch) {
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
      const found = yield* this.#foundIn(blocks, asked, space)
      const masked = yield* this.#mask(standing, found)
      const manifests = yield* this.#manifestsOf(standing, search)
      const ranked = yield* rankedInPieces([...manifests.values()], search, asked.prefixes)
      const loose = ranked.map((one) => ({ ...one, block: blockOf(blocks, one.service) }))
      const page = (crowd?: Crowd) =>
        pageOf(
          {
            levels: levelsOf(found, space),
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

  /** Returns the matches in each block, regardless of later changes. */
  #foundIn(blocks: ReadonlyArray<Block>, { filters, prefixes, price }: Asked, space: BitSpace) {
    return Effect.gen({ self: this }, function* () {
      if (blocks.length === 0) return []
      const words = yield* this.#words.placesIn(blocks, prefixes, space)
      const passed = yield* Effect.forEach(filters, (entry) => this.#columnsOf(blocks, entry))
      const priced = price === undefined ? [] : yield* this.#columnsOf(blocks, price.entry)
      return blocks.map(({ size }, n): FoundBits => {
        const wanted = passed.map((columns) => placesOf(columns[n], size, space).anywhere)
        if (price !== undefined) wanted.push(pricedAtMost(priced[n], size, price.most, space))
        return foundBits(commonOf(wanted, space), words[n] ?? [], space)
      })
    })
  }

  /** Removes changed manifests from the matches. Returns the members of their blocks. */
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

  /** Reads the manifests whose current form is in no block. */
  #manifestsOf({ loose }: Standing, { status }: ServiceSearch) {
    return Effect.gen({ self: this }, function* () {
      const wanted = loose.filter((one) => one.status === status)
      const kept = this.#manifests
      const missing = wanted.filter(({ id, row }) => kept.get(id)?.row !== row)
      const pieces = Array.chunksOf(missing, READ).map((some) => arrayOf(some.map(({ id }) => id)))
      const read = (yield* Effect.forEach(pieces, (ids) => this.#readLoose(ids))).flat()
      if (kept.size > KEPT_MANIFESTS) kept.clear()
      for (const one of read) kept.set(one.manifest.id, one)
      const known = wanted.flatMap(({ id, row }) => {
        const found = kept.get(id)
        return found?.row === row ? [[id, found.manifest] as const] : []
      })
      // A manifest that changed meanwhile is returned as it was read. A removed one is missing.
      return new Map([...known, ...read.map(({ manifest }) => [manifest.id, manifest] as const)])
    })
  }

  #readLoose(ids: string) {
    return Effect.map(ask(this.#database.work, LOOSE_SQL, [ids]), (rows) =>
      rows.map((row) => ({ row: String(row["row"]), manifest: services.fromRow(row) })),
    )
  }

  /** Returns one column of the blocks, in their order; undefined if a block has none. */
  #columnsOf(blocks: ReadonlyArray<Pick<Block, "build">>, entry: string) {
    return Effect.gen({ self: this }, function* () {
      const keyOf = (build: string) => `${build} ${entry}`
      const kept = new Map(blocks.map(({ build }) => [build, this.#columns.get(keyOf(build))]))
      const missing = blocks.flatMap(({ build }) => (kept.get(build) === undefined ? build : []))
      if (missing.length > 0) {
        const rows = yield* ask(this.#database.work, COLUMN_SQL, [arrayOf(missing), entry])
        for (const { build, postings, whole } of rows) {
          const column = (postings as Uint8Array | null) ?? NOTHING
          kept.set(String(build), column)
          // A replica may not have the block yet.
          if (column !== NOTHING || whole === true) this.#columns.keep(keyOf(String(build)), column)
        }
      }
      return blocks.map(({ build }) => {
        const column = kept.get(build)
        return column === NOTHING ? undefined : column
      })
    })
  }

  /**
   * Returns the page, with at most so many manifests per seller. The sellers of a block are read
   * when the page reaches it, for more and more blocks at once.
   */
  #uncrowded(blocks: ReadonlyArray<Block>, most: number, page: (crowd: Crowd) => Picks) {
    return Effect.gen({ self: this }, function* () {
      const sellers = new Map<number, Sellers>()
      while (true) {
        let lacking: number | undefined
        const picks = page({
          most,
          sellersOf: (block) => {
            const known = sellers.get(block)
            if (known === undefined) lacking ??= block
            return known
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

  /** Reads the manifests of a page. Manifests that were removed meanwhile are left out. */
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
