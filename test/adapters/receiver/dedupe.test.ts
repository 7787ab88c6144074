import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { dedupe, memorySeen, receive } from "../../../adapters/receiver/webhooks.ts"
import { anEvent, NOW, schemeA, SECRET } from "./deliveries.ts"

const HOUR = 3_600_000

/** A memory with its own clock. */
const memory = (capacity = 100) => {
  const clock = { now: 0 }
  return { clock, seen: memorySeen({ capacity, now: () => clock.now }) }
}

const nothing = () => undefined

describe("of an event's deliveries", () => {
  test("the first is handled and every later one is a duplicate", async () => {
    const { seen } = memory()
    let handled = 0
    const outcomes = []
    for (let n = 0; n < 3; n++) outcomes.push(await dedupe(seen, "evt_1", () => void handled++))
    expect(outcomes).toEqual(["processed", "duplicate", "duplicate"])
    expect(handled).toBe(1)
    expect(await dedupe(seen, "evt_2", nothing)).toBe("processed")
  })

  test("one is handled where many come at once, and none is called done before it is", async () => {
    const { seen } = memory()
    const gate = Promise.withResolvers<void>()
    let handled = 0
    const handle = () => {
      handled++
      return gate.promise
    }
    const first = dedupe(seen, "evt_1", handle)
    const others = await Promise.all(
      Array.from({ length: 20 }, () => dedupe(seen, "evt_1", handle)),
    )
    expect(new Set(others)).toEqual(new Set(["in_progress"]))
    gate.resolve()
    expect(await first).toBe("processed")
    expect(await dedupe(seen, "evt_1", handle)).toBe("duplicate")
    expect(handled).toBe(1)
  })

  test("one that fails leaves the event to the next", async () => {
    const { seen } = memory()
    const broken = new Error("the database is away")
    await expect(dedupe(seen, "evt_1", () => Promise.reject(broken))).rejects.toBe(broken)
    expect(await dedupe(seen, "evt_1", nothing)).toBe("processed")
  })

  test("one that fails is told of, even when the store fails after it", async () => {
    const { seen } = memory()
    const broken = new Error("the handler")
    const failing = { ...seen, release: () => Promise.reject(new Error("the store")) }
    await expect(dedupe(failing, "evt_1", () => Promise.reject(broken))).rejects.toBe(broken)
  })
})

describe("the memory", () => {
  test("remembers for more than 72 hours, and not for ever", async () => {
    const { clock, seen } = memory()
    await dedupe(seen, "evt_1", nothing)
    clock.now = 96 * HOUR - 1
    expect(await seen.claim("evt_1")).toEqual({ state: "processed" })
    clock.now = 96 * HOUR
    expect(await seen.claim("evt_1")).toMatchObject({ state: "claimed" })
  })

  test("lets a claim lapse whose process has died, and then ignores its token", async () => {
    const { clock, seen } = memory()
    const dead = await seen.claim("evt_1")
    clock.now = 59_999
    expect(await seen.claim("evt_1")).toEqual({ state: "processing" })
    clock.now = 60_000
    const next = await seen.claim("evt_1")
    if (dead.state !== "claimed" || next.state !== "claimed") throw new Error("no claims")
    await seen.release("evt_1", dead.token)
    await seen.confirm("evt_1", dead.token)
    expect(await seen.claim("evt_1")).toEqual({ state: "processing" })
    await seen.confirm("evt_1", next.token)
    expect(await seen.claim("evt_1")).toEqual({ state: "processed" })
  })

  test("takes a late confirmation where nobody else has begun", async () => {
    const { clock, seen } = memory()
    const slow = await seen.claim("evt_1")
    clock.now = 70_000
    await seen.claim("evt_2")
    await seen.confirm("evt_1", slow.state === "claimed" ? slow.token : "")
    expect(await seen.claim("evt_1")).toEqual({ state: "processed" })
  })

  test("forgets the oldest beyond its capacity, and takes no more claims than that", async () => {
    const { seen } = memory(3)
    for (const id of ["a", "b", "c", "d"]) await dedupe(seen, id, nothing)
    expect(await seen.claim("b")).toEqual({ state: "processed" })
    expect(await seen.claim("a")).toMatchObject({ state: "claimed" })
    expect(await seen.claim("x")).toMatchObject({ state: "claimed" })
    expect(await seen.claim("y")).toMatchObject({ state: "claimed" })
    expect(await seen.claim("z")).toEqual({ state: "processing" })
  })

  test("never has an event handled twice at once, nor again once it was", async () => {
    const step = fc.record({
      id: fc.constantFrom("a", "b"),
      fails: fc.boolean(),
      turns: fc.nat({ max: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const { seen } = memory()
        const [running, done] = [new Set<string>(), new Set<string>()]
        const handle = async ({ id, fails, turns }: (typeof steps)[number]) => {
          expect(running.has(id) || done.has(id)).toBe(false)
          running.add(id)
          for (let n = 0; n < turns; n++) await Promise.resolve()
          running.delete(id)
          if (fails) throw new Error("it fails")
          done.add(id)
        }
        await Promise.allSettled(steps.map((step) => dedupe(seen, step.id, () => handle(step))))
        for (const id of ["a", "b"]) await dedupe(seen, id, () => void done.add(id))
        expect(done).toEqual(new Set(["a", "b"]))
      }),
    )
  })
})

describe("receive", () => {
  const take = (seen: ReturnType<typeof memorySeen>, handle: () => Promise<void> | void) =>
    receive(schemeA(), { secrets: SECRET, now: () => NOW, seen, handle })

  test("returns the event, the outcome and what to answer", async () => {
    const { seen } = memory()
    const gate = Promise.withResolvers<void>()
    const event = anEvent()
    const first = take(seen, () => gate.promise)
    expect(await take(seen, nothing)).toEqual({ event, outcome: "in_progress", status: 503 })
    gate.resolve()
    expect(await first).toEqual({ event, outcome: "processed", status: 200 })
    expect(await take(seen, nothing)).toEqual({ event, outcome: "duplicate", status: 200 })
  })

  test("handles nothing that is not genuine, and remembers nothing of it", async () => {
    const { seen } = memory()
    let handled = 0
    const options = { secrets: "whsec_other", now: () => NOW, seen, handle: () => void handled++ }
    await expect(receive(schemeA(), options)).rejects.toMatchObject({ status: 401 })
    expect(handled).toBe(0)
    expect((await take(seen, nothing)).outcome).toBe("processed")
  })
})
