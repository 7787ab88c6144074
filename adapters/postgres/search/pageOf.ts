import { byAge, byRank, type Ranked } from "../../../core/registry/ServiceMatch.ts"
import type { ServiceManifest } from "../../../core/registry/ServiceManifest.ts"
import { type Bits, countBits, walkDown } from "./Bits.ts"
import type { Member } from "./Members.ts"
import type { Level } from "./Levels.ts"

/** A manifest of a page: one that is known, or where it stands in its block. */
export type Pick =
  | { readonly service: ServiceManifest }
  | { readonly block: number; readonly at: number }

/** What a page is taken from. */
export interface Found {
  /** What is found in blocks, the best first; blocks are in order of age, the oldest first. */
  readonly levels: Iterable<Level>
  /** What is found besides, the best first, then the newest, with the block of its age. */
  readonly loose: ReadonlyArray<Ranked & { readonly block: number }>
  /** A member of a block. It is asked of blocks that something loose is as old as. */
  readonly memberAt: (block: number, at: number) => Member
  readonly limit: number
  readonly offset: number
}

/** How many of a seller's are shown; `sellerOf` is asked for members of blocks. */
export interface Crowd {
  readonly most: number
  readonly sellerOf: (block: number, at: number) => string
}

class Page {
  readonly picks: Array<Pick> = []
  readonly #shown = new Map<string, number>()
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

  /** Passes so many over where the page begins behind them. */
  skips(count: number): boolean {
    if (this.#crowd !== undefined || this.#toSkip < count) return false
    this.#toSkip -= count
    return true
  }

  take(pick: Pick): boolean {
    if (this.#crowd !== undefined && this.#isCrowded(pick, this.#crowd)) return this.isFull
    if (this.#toSkip > 0) this.#toSkip -= 1
    else this.picks.push(pick)
    return this.isFull
  }

  #isCrowded(pick: Pick, { most, sellerOf }: Crowd): boolean {
    const seller =
      "service" in pick
        ? pick.service.account_id.replace(/^acct_/, "")
        : sellerOf(pick.block, pick.at)
    const before = this.#shown.get(seller) ?? 0
    this.#shown.set(seller, before + 1)
    return before >= most
  }
}

/** Takes what is found in one block under one rank, with what is loose among it. */
const takeBlock = (
  page: Page,
  block: number,
  bits: Bits,
  loose: Found["loose"],
  memberAt: Found["memberAt"],
): void => {
  if (page.skips(countBits(bits) + loose.length)) return
  let next = 0
  const full = walkDown(bits, (at) => {
    for (let one = loose[next]; one !== undefined; one = loose[next]) {
      if (byAge(one.service, memberAt(block, at)) < 0) break
      next += 1
      if (page.take({ service: one.service })) return true
    }
    return page.take({ block, at })
  })
  if (full) return
  for (const { service } of loose.slice(next)) if (page.take({ service })) return
}

const takeLevel = (page: Page, sets: Level["sets"], loose: Found["loose"], found: Found): void => {
  for (let block = sets.length; block >= 0; block--) {
    const inside = loose.filter((one) => one.block === block)
    takeBlock(page, block, sets[block] ?? new Uint32Array(), inside, found.memberAt)
    if (page.isFull) return
  }
}

/** The page of a search: best first, then newest. */
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
      for (const { service } of same) if (page.take({ service })) return
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
