import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { ServiceTime } from "../../../apps/simulate/blackbox/ServiceTime.ts"

/** The time of a service whose clock begins in 2030 and runs by itself. */
const makeTime = () => {
  let offset = Date.parse("2030-01-01T00:00:00Z") - Date.now()
  const moves: Array<number> = []
  const time = new ServiceTime((seconds) => {
    moves.push(seconds)
    offset += seconds * 1_000
    return Promise.resolve(Date.now() + offset)
  })
  time.learn(Date.now() + offset)
  return { time, moves, total: () => moves.reduce((sum, seconds) => sum + seconds, 0) }
}

const MINUTE = 60_000

// The machine's clock moves in small steps, however busy the machine is.
beforeEach(() => {
  const toFake = ["Date", "setTimeout", "clearTimeout"] as const
  vi.useFakeTimers({ toFake: [...toFake], shouldAdvanceTime: true, advanceTimeDelta: 5 })
})
afterEach(() => {
  vi.useRealTimers()
})

describe("the service's time", () => {
  test("is moved when all wait, to whoever is first, and not before", async () => {
    const { time, total } = makeTime()
    const order: Array<string> = []
    const start = time.now()
    const said = (name: string) =>
      order.push(`${name} ${Math.round((time.now() - start) / MINUTE)}`)
    await time.run(() =>
      time.together([
        async () => {
          await time.sleep(10 * MINUTE)
          said("late")
        },
        async () => {
          await new Promise((resolve) => setTimeout(resolve, 20))
          said("busy")
          await time.sleep(5 * MINUTE)
          said("early")
          await time.together([() => time.sleep(MINUTE), () => time.sleep(2 * MINUTE)])
          said("both")
        },
      ]),
    )
    expect(order).toEqual(["busy 0", "early 5", "both 7", "late 10"])
    expect(total()).toBeLessThanOrEqual(601)
  })

  test("wakes those together who are due soon, and some at an exact moment", async () => {
    const { moves, time } = makeTime()
    const start = time.now()
    const early = async () => {
      await time.until(start + MINUTE + 2_500, true)
      expect(time.now()).toBeGreaterThanOrEqual(start + MINUTE + 2_500)
      expect(time.now()).toBeLessThan(start + MINUTE + 3_000)
    }
    const soon = Array.from({ length: 50 }, (_, n) => () => time.until(start + MINUTE + n))
    await time.run(() => time.together([...soon, early]))
    expect(moves).toEqual([60, 2])
  })

  test("gives back what the story comes to, and throws what any part of it throws", async () => {
    expect(await makeTime().time.run(() => Promise.resolve(7))).toBe(7)
    const { time } = makeTime()
    const failing = time.run(() =>
      time.together([() => time.sleep(MINUTE), () => Promise.reject(new Error("no"))]),
    )
    await expect(failing).rejects.toThrow("no")
    const ended = makeTime().time
    const run = ended.run(() => new Promise(() => undefined))
    ended.stop(new Error("enough"))
    await expect(run).rejects.toThrow("enough")
  })
})
