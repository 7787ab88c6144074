import { vi } from "vitest"

/**
 * Has `performance.now()` stand still until the end of the test; what is returned moves it on, by
 * milliseconds. What grows old by it does so when the test says, however busy the machine is.
 */
export const stillClock = (): ((milliseconds: number) => void) => {
  let now = performance.now()
  vi.spyOn(performance, "now").mockImplementation(() => now)
  return (milliseconds) => {
    now += milliseconds
  }
}
