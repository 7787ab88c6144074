import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { MOST_ENTRIES, searchEntries } from "../../../core/registry/SearchEntries.ts"
import { placeOf, sortedEntries } from "../../../core/registry/SortedEntries.ts"

const word = fc
  .array(fc.constantFrom("a", "b", "Z", "é", "𐐀", "𐐁", "中", "支付", "\uffee"), {
    minLength: 1,
    maxLength: 4,
  })
  .map((letters) => letters.join(""))
const words = fc.array(word, { maxLength: 12 })

describe("the entries of a service", () => {
  it("say of each prefix the best field that has it, as a walk over all of them does", () => {
    fc.assert(
      fc.property(words, words, words, word, (name, tags, description, prefix) => {
        const manifest = { name: name.join(" "), tags, description: description.join(" ") }
        const walked = [...searchEntries(manifest)].find(([entry]) => entry.startsWith(prefix))
        expect(placeOf(sortedEntries(manifest), prefix)).toBe(walked?.[1])
      }),
      { numRuns: 500 },
    )
  })

  it("are read a few times for a prefix, however many they are", () => {
    const description = Array.from({ length: 600 }, (_, n) => `0${n.toString(36)}`).join(" ")
    const sorted = sortedEntries({ name: "Rain", tags: ["hail"], description })
    let reads = 0
    const counted = (list: ReadonlyArray<string>) =>
      new Proxy(list, {
        get: (target, key) => {
          if (typeof key === "string" && /^\d+$/.test(key)) reads += 1
          return Reflect.get(target, key) as unknown
        },
      })
    const watched = {
      name: counted(sorted.name),
      tags: counted(sorted.tags),
      description: counted(sorted.description),
    }
    expect(sorted.description.length).toBe(MOST_ENTRIES - 2)
    for (const prefix of ["0", "09", "0zzz", "a", "rain", "zebra"]) {
      reads = 0
      placeOf(watched, prefix)
      expect(reads, prefix).toBeLessThanOrEqual(16)
    }
  })
})
