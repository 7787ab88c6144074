import { describe, expect, onTestFinished, test, vi } from "vitest"
import { Alarms } from "../../../adapters/shared/Alarms.ts"

const inTime = () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
  onTestFinished(() => void vi.useRealTimers())
  const alarms = new Alarms()
  const rung: Array<string> = []
  return { rung, set: (name: string, after: number) => alarms.after(after, () => rung.push(name)) }
}

describe("alarms", () => {
  test("ring in their time, whichever was set first", () => {
    const { rung, set } = inTime()
    set("late", 200)
    set("soon", 50)
    set("between", 100)
    const seen = [49, 1, 50, 99, 1].map((passed) => {
      vi.advanceTimersByTime(passed)
      return rung.join(" ")
    })
    expect(seen).toEqual(["", "soon", "soon between", "soon between", "soon between late"])
  })

  test("do not ring once they are stopped, and leave no timer behind", () => {
    const { rung, set } = inTime()
    const stops = [set("one", 10), set("another", 20)]
    stops[0]?.()
    vi.advanceTimersByTime(15)
    expect(vi.getTimerCount()).toBe(1)
    stops[1]?.()
    expect(vi.getTimerCount()).toBe(0)
    vi.advanceTimersByTime(100)
    expect(rung).toEqual([])
  })

  test("that ring may set others", () => {
    const { rung, set } = inTime()
    set("outer", 10)
    vi.advanceTimersByTime(9)
    set("inner", 11)
    vi.advanceTimersByTime(20)
    expect(rung).toEqual(["outer", "inner"])
  })
})
