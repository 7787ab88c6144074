import { byAge, byRank, type Ranked } from "../../../core/registry/ServiceMatch.ts"
import type { ServiceManifest } from "../../../core/registry/ServiceManifest.ts"
import { type Bits, countBits, walkDown } from "./Bits.ts"
import type { Sellers } from "./Columns.ts"
import type { Member } from "./Members.ts"
import type { Level } from "./Levels.ts"

/** A manifest of a page: the manifest itself, or its position in its block. */
export type Pick =
  | { readonly service: ServiceManifest }
  | { readonly block: number; readonly at: number }

/** The matches from which a page is taken. */
export interface Found {
  /** The matches in blocks, from the best. Blocks are ordered from the oldest. */
  readonly levels: Iterable<Level>
  /** The matches outside blocks, best first, then newest first, with the block of their age. */
  readonly loose: ReadonlyArray<Ranked & { readonly block: number }>
  /** Returns a member of a block. Called only for blocks that cover the age of a loose match. */
  readonly memberAt: (block: number, at: number) => Member
  readonly limit: number
  readonly offset: number
}

/** The most manifests per seller. No manifest of a block is shown while its sellers are unknown. */
export interface Crowd {
  readonly most: number
  readonly sellersOf: (block: number) => Sellers | undefined
}

/** The sellers of a block that have no place left, by number, and the number of the others. */
interface Crowded {
  readonly sellers: Sellers
  readonly isFull: Uint8Array
  left: number
}

class Page {
  readonly picks: Array<Pick> = []
  readonly #shown = new Map<string, number>()
  readonly #crowded = new Map<number, Crowded | undefined>()
  #toSkip: number
  readonly #found: Found
  readonly #crowd: Crowd | undefined

  constructor(found: Found, crowd: Crowd | undefined) {
    this.#found = found
    this.#crowd = crowd
    this.#toSkip = found.offset
  }

  get isFull(): boolean {
    return this.picks.length >= this.#found.limit
  }

  /** Skips that many matches if the page begins after them. */
  skips(count: number): boolean {
    if (this.#crowd !== undefined || this.#toSkip < count) return false
    this.#toSkip -= count
    return true
  }

  take(service: ServiceManifest): boolean {
    const seller = service.account_id.replace(/^acct_/, "")
    const isCrowded = this.#crowd !== undefined && this.#isCrowded(seller, this.#crowd)
    return isCrowded ? this.isFull : this.#add({ service })
  }

  /** Adds a member of a block. Returns true also if no seller of that block has a place left. */
  takeMember(block: number, at: number): boolean {
    if (this.#crowd === undefined) return this.#add({ block, at })
    const crowded = this.#crowdedIn(block, this.#crowd)
    if (crowded === undefined || crowded.left === 0) return true
    const { isFull, sellers } = crowded
    const number = sellers.numberAt(at)
    if (isFull[number] === 1) return false
    if (!this.#isCrowded(sellers.nameOf(number), this.#crowd)) return this.#add({ block, at })
    isFull[number] = 1
    crowded.left -= 1
    return crowded.left === 0
  }

  #add(pick: Pick): boolean {
    if (this.#toSkip > 0) this.#toSkip -= 1
    else this.picks.push(pick)
    return this.isFull
  }

  #crowdedIn(block: number, { sellersOf }: Crowd): Crowded | undefined {
    if (this.#crowded.has(block)) return this.#crowded.get(block)
    const sellers = sellersOf(block)
    const made =
      sellers === undefined
        ? undefined
        : { sellers, isFull: new Uint8Array(sellers.count), left: sellers.count }
    this.#crowded.set(block, made)
    return made
  }

  #isCrowded(seller: string, { most }: Crowd): boolean {
    const before = this.#shown.get(seller) ?? 0
    if (before >= most) return true
    this.#shown.set(seller, before + 1)
    return false
  }
}

/** Adds the matches of one rank in one block, merged with the loose ones. */
const takeBlock = (
  page: Page,
  block: number,
  bits: Bits,
  loose: Found["loose"],
  memberAt: Found["memberAt"],
): void => {
  if (page.skips(countBits(bits) + loose.length)) return
  let next = 0
  walkDown(bits, (at) => {
    for (let one = loose[next]; one !== undefined; one = loose[next]) {
      if (byAge(one.service, memberAt(block, at)) < 0) break
      next += 1
      if (page.take(one.service)) return true
    }
    return page.takeMember(block, at)
  })
  if (page.isFull) return
  for (const { service } of loose.slice(next)) if (page.take(service)) return
}

const takeLevel = (page: Page, sets: Level["sets"], loose: Found["loose"], found: Found): void => {
  for (let block = sets.length; block >= 0; block--) {
    const inside = loose.filter((one) => one.block === block)
    takeBlock(page, block, sets[block] ?? new Uint32Array(), inside, found.memberAt)
    if (page.isFull) return
  }
}

/** Returns the page of a search: best first, then newest first. */
export const pageOf = (found: Found, crowd?: Crowd): ReadonlyArray<Pick> => {
  const page = new Page(found, crowd)
  if (page.isFull) return page.picks
  let rest = found.loose
  const looseAtLeast = (least: Level | undefined): void => {
    while (rest.length > 0 && !page.isFull) {
      const [{ rank } = { rank: { named: 0, labelled: 0 } }] = rest
      if (least !== undefined && byRank(rank, least) <= 0) return
      const same = rest.filter((one) => byRank(one.rank, rank) === 0)
      rest = rest.slice(same.length)
      for (const { service } of same) if (page.take(service)) return
    }
  }
  for (const level of found.levels) {
    looseAtLeast(level)
    if (page.isFull) return page.picks
    const same = rest.filter((one) => byRank(one.rank, level) === 0)
    rest = rest.slice(same.length)
    if (!page.skips(level.count + same.length)) takeLevel(page, level.sets, same, found)
    if (page.isFull) return page.picks
  }
  looseAtLeast(undefined)
  return page.picks
}
