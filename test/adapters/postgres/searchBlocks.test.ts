import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { chooseFold, type FoldedBlock } from "../../../adapters/postgres/search/chooseFold.ts"
import { type Bits, noBits, positionsOf, setBit } from "../../../adapters/postgres/search/Bits.ts"
import {
  decodeSellers,
  encodePrices,
  encodeSellers,
  pricedAtMost,
} from "../../../adapters/postgres/search/Columns.ts"
import { foundBits } from "../../../adapters/postgres/search/FoundBits.ts"
import { levelsOf } from "../../../adapters/postgres/search/Levels.ts"
import { encodeMembers, findMember, memberAt } from "../../../adapters/postgres/search/Members.ts"
import { BitSpace, BitSpaces } from "../../../adapters/postgres/search/BitSpace.ts"
import {
  addPlaces,
  encodePlaces,
  encodeRare,
  noPlaces,
} from "../../../adapters/postgres/search/Postings.ts"
import { prefixNodes } from "../../../adapters/postgres/search/PrefixNodes.ts"
import { T0, uuid } from "../../../apps/payport/testing/records/index.ts"

const SIZE = 100

const bitsAt = (positions: Iterable<number>): Bits => {
  const bits = noBits(SIZE)
  for (const at of positions) setBit(bits, at)
  return bits
}

const placesAt = (
  named: ReadonlyArray<number>,
  tags: ReadonlyArray<number>,
  rest: typeof tags,
) => ({
  named: bitsAt(named),
  labelled: bitsAt([...named, ...tags]),
  anywhere: bitsAt([...named, ...tags, ...rest]),
})

/** All searches share one space, so that remains of an earlier one would show. */
const space = new BitSpace()

const positions = fc.array(fc.integer({ min: 0, max: SIZE - 1 }), { maxLength: SIZE })
const places = fc.tuple(positions, positions, positions).map((one) => placesAt(...one))

describe("the memory of searches", () => {
  it("gives sets that nobody else has, and takes them back", () => {
    const spaces = new BitSpaces()
    const [one, other] = [spaces.take(), spaces.take()]
    const sets = Array.from({ length: 600 }, () => one.noBits(32_768))
    for (const [n, set] of sets.entries()) set.fill(n + 1)
    expect(sets.every((set, n) => set.every((word) => word === n + 1))).toBe(true)
    expect(one.copy(sets[7] ?? noBits(0))).toEqual(sets[7])
    expect(one.noBits(2 ** 24).length).toBe(2 ** 19)
    expect(other.noBits(32_768).every((word) => word === 0)).toBe(true)
    spaces.giveBack(one)
    const again = spaces.take()
    expect(again).toBe(one)
    expect(again.noBits(32_768).every((word) => word === 0)).toBe(true)
    expect(spaces.take()).not.toBe(one)
  })
})

describe("where words stand in a block", () => {
  it("is read as it was written, and added to what is there", () => {
    fc.assert(
      fc.property(places, places, (one, two) => {
        space.clear()
        const read = noPlaces(SIZE, space)
        addPlaces(read, encodePlaces(one))
        expect(positionsOf(read.anywhere)).toEqual(positionsOf(one.anywhere))
        expect(positionsOf(read.named)).toEqual(positionsOf(one.named))
        addPlaces(read, encodePlaces(two))
        const both = [...positionsOf(one.labelled), ...positionsOf(two.labelled)]
        expect(positionsOf(read.labelled)).toEqual(positionsOf(bitsAt(both)))
      }),
    )
  })

  it("takes two bytes a position where it is rare, and a bit where it is not", () => {
    expect(encodePlaces(placesAt([], [], [7])).length).toBe(12 + 2)
    const all = Array.from({ length: SIZE }, (_, at) => at)
    expect(encodePlaces(placesAt([], [], all)).length).toBe(12 + 16)
  })

  it("is written in the same way with and without sets of the block's size", () => {
    const rare = fc.uniqueArray(fc.integer({ min: 0, max: SIZE - 1 }), { maxLength: 7 })
    fc.assert(
      fc.property(rare, fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 7 }), (at, place) => {
        const sorted = at.toSorted((a, b) => a - b)
        const [named, tags, rest] = [0, 1, 2].map((one) =>
          sorted.filter((_, n) => place[n] === one),
        )
        const found = sorted.map((one, n) => one * 4 + (place[n] ?? 0))
        const whole = encodePlaces(placesAt(named ?? [], tags ?? [], rest ?? []))
        expect(encodeRare(found)).toEqual(whole)
      }),
    )
  })

  it("ranks by the words in names, then by those in names and tags", () => {
    const question = fc.array(places, { maxLength: 5 })
    fc.assert(
      fc.property(fc.array(question, { minLength: 1, maxLength: 3 }), (given) => {
        const least = Math.min(...given.map(({ length }) => length))
        const blocks = given.map((words) => words.slice(0, least))
        const all = bitsAt(Array.from({ length: SIZE }, (_, at) => at))
        space.clear()
        const counted = new Map<string, string>()
        const order: Array<readonly [number, number]> = []
        for (const { labelled, named, sets } of levelsOf(
          blocks.map((one) => foundBits(all, one, space)),
          space,
        )) {
          order.push([named, labelled])
          for (const [block, bits] of sets.entries()) {
            for (const at of bits === undefined ? [] : positionsOf(bits)) {
              counted.set(`${block} ${at}`, `${named} ${labelled}`)
            }
          }
        }
        expect(order).toEqual(order.toSorted((a, b) => b[0] - a[0] || b[1] - a[1]))
        const has = (bits: Bits, at: number) => positionsOf(bits).includes(at)
        for (const [block, words] of blocks.entries()) {
          for (let at = 0; at < SIZE; at += 9) {
            const isFound = words.every(({ anywhere }) => has(anywhere, at))
            const named = words.filter((word) => has(word.named, at)).length
            const labelled = words.filter((word) => has(word.labelled, at)).length
            expect(counted.get(`${block} ${at}`)).toBe(isFound ? `${named} ${labelled}` : undefined)
          }
        }
      }),
      { numRuns: 40 },
    )
  })
})

describe("beginnings that many words share", () => {
  it("are, for any beginning, the first of them that begins so, or few words begin so", () => {
    const word = fc
      .array(fc.constantFrom("a", "b", "𐐀", "𐐁", "中"), { minLength: 1, maxLength: 5 })
      .map((letters) => letters.join(""))
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 40 }), word, (given, asked) => {
        const words = given.toSorted()
        const nodes = [...prefixNodes(words, 3)].flatMap((node) => node ?? [])
        const byBytes = nodes
          .filter(({ prefix }) => prefix.startsWith(asked))
          .toSorted((a, b) => Buffer.compare(Buffer.from(a.prefix), Buffer.from(b.prefix)))
        const expected = words.filter((one) => one.startsWith(asked))
        const [first] = byBytes
        if (expected.length < 3) expect(first).toBeUndefined()
        else expect(words.slice(first?.first, (first?.last ?? 0) + 1)).toEqual(expected)
      }),
    )
  })
})

describe("the columns of a block", () => {
  it("tell of each member who it is, whose, and where it stands", () => {
    const members = [3, 4, 4, 9].map((at, n) => ({ created_at: T0 + at, id: uuid(n + 1) }))
    const bytes = encodeMembers(members)
    expect(members.map((_, at) => memberAt(bytes, at))).toEqual(members)
    expect(members.map((one) => findMember(bytes, one))).toEqual([0, 1, 2, 3])
    expect(findMember(bytes, { created_at: T0 + 4, id: uuid(9) })).toBeUndefined()
    const sellers = [7, 8, 7, 7].map(uuid)
    const { count, nameOf, numberAt } = decodeSellers(encodeSellers(sellers))
    expect(sellers.map((_, at) => nameOf(numberAt(at)))).toEqual(sellers)
    expect(count).toBe(2)
  })

  it.each([
    [0, []],
    [2.5, [2]],
    [99, [2]],
    [100, [0, 2, 4]],
    [Infinity, [0, 2, 3, 4]],
  ])("find who has a price of at most %d", (most, found) => {
    const bytes = encodePrices([100, undefined, 2.5, 7_000, 100])
    expect([...positionsOf(pricedAtMost(bytes, 5, most, space))]).toEqual(found)
    expect([...positionsOf(pricedAtMost(undefined, 5, most, space))]).toEqual([])
  })
})

const sizes = { largest: 64, words: 640, least: 4, together: 4 }

/** Blocks of so many manifests, or of so many manifests and words. */
const blocksOf = (
  ...given: ReadonlyArray<number | readonly [size: number, words: number]>
): ReadonlyArray<FoldedBlock> =>
  given.map((one, n) => {
    const [size, words] = typeof one === "number" ? [one, 0] : one
    return { build: uuid(n), size, words, upto: { created_at: T0 + n, id: uuid(n) } }
  })

describe("which blocks are made anew", () => {
  it.each([
    ["nothing where little has changed", [64, 16], [1, 2], 3, undefined],
    ["what is in no block", [64, 16], [90, 0], 4, { from: 2, to: 2 }],
    ["four of a size, the newest first", [4, 4, 4, 4, 16, 5, 6, 7, 4], [], 0, { from: 5, to: 9 }],
    ["four of a size that are not the newest", [64, 16, 17, 16, 16, 4], [], 0, { from: 1, to: 5 }],
    ["none of the largest", [64, 64, 64, 64, 70], [], 0, undefined],
    [
      "none full of words",
      [
        [16, 640],
        [16, 640],
        [16, 700],
        [17, 640],
        [64, 64],
      ],
      [],
      0,
      undefined,
    ],
    [
      "four of as many words, whatever their sizes",
      [
        [16, 640],
        [4, 160],
        [16, 20],
        [5, 200],
        [16, 0],
        [16, 650],
      ],
      [],
      0,
      { from: 1, to: 5 },
    ],
    ["what has changed most", [64, 64, 16], [1, 2, 1], 0, { from: 1, to: 2 }],
  ] as const)("is %s", (_, given, changed, fresh, fold) => {
    expect(chooseFold(blocksOf(...given), { changed, fresh }, sizes)).toEqual(fold)
  })
})
