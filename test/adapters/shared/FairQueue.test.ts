import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { FairQueue } from "../../../adapters/shared/FairQueue.ts"

const drain = (queue: FairQueue<string>): ReadonlyArray<string> => {
  const items: Array<string> = []
  for (let item = queue.next(); item !== undefined; item = queue.next()) items.push(item)
  return items
}

describe("FairQueue", () => {
  test("owners take turns, each with its own order", () => {
    const queue = new FairQueue<string>({ mostWaiting: 10, mostOfOne: 5 })
    for (const item of ["a1", "a2", "a3", "b1", "c1", "b2"]) queue.add(item.charAt(0), item)
    expect(drain(queue)).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"])
  })

  test("an owner over its share is refused, and the others are not", () => {
    const queue = new FairQueue<string>({ mostWaiting: 4, mostOfOne: 2 })
    const taken = ["a1", "a2", "a3", "b1", "b2", "c1"].map((item) =>
      queue.add(item.charAt(0), item),
    )
    expect(taken).toEqual([true, true, false, true, true, false])
    expect(queue.size).toBe(4)
  })

  test("what left the line does not come, and makes room", () => {
    const queue = new FairQueue<string>({ mostWaiting: 2, mostOfOne: 2 })
    queue.add("a", "a1")
    queue.add("a", "a2")
    expect([queue.remove("a", "a1"), queue.remove("a", "a1"), queue.remove("b", "a2")]).toEqual([
      true,
      false,
      false,
    ])
    expect(queue.add("b", "b1")).toBe(true)
    expect(drain(queue)).toEqual(["a2", "b1"])
  })

  test("nobody waits for more than one item of each other owner between two of its own", () => {
    const owners = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 40 })
    fc.assert(
      fc.property(owners, (arrivals) => {
        const queue = new FairQueue<string>({ mostWaiting: 100, mostOfOne: 100 })
        for (const owner of arrivals) queue.add(owner, owner)
        const served = drain(queue)
        expect([...served].sort()).toEqual([...arrivals].sort())
        for (const [place, owner] of served.entries()) {
          const next = served.indexOf(owner, place + 1)
          const between = next < 0 ? [] : served.slice(place + 1, next)
          expect(new Set(between).size).toBe(between.length)
        }
      }),
    )
  })
})
