import { vi } from "vitest"

/**
 * Stops `performance.now()` until the end of the test. The returned function advances it by
 * milliseconds, so the test decides the age of things, however busy the machine is.
 */
export const stillClock = (): ((milliseconds: number) => void) => {
  let now = performance.now()
  vi.spyOn(performance, "now").mockImplementation(() => now)
  return (milliseconds) => {
    now += milliseconds
  }
}
