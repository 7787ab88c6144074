import { expect, test, vi } from "vitest"
import { noteTime, serviceNow } from "../../../apps/pages/console/show/clock.ts"

test("the console counts from the service's time, not from the browser's", () => {
  const browser = Date.UTC(2026, 0, 31)
  vi.useFakeTimers({ now: browser, toFake: ["Date"] })
  try {
    expect(serviceNow()).toBe(browser)
    noteTime("2026-03-01T12:00:00.000Z")
    expect(new Date(serviceNow()).toISOString()).toBe("2026-03-01T12:00:00.000Z")
    vi.setSystemTime(browser + 90_000)
    for (const unknown of [null, "", "soon"]) noteTime(unknown)
    expect(new Date(serviceNow()).toISOString()).toBe("2026-03-01T12:01:30.000Z")
  } finally {
    vi.useRealTimers()
  }
})
