import type { Done } from "./Thread.ts"
import type { Totals } from "./Totals.ts"

/** Counts each world that ends. With `bail`, no world begins after one has failed. */
export const counting =
  (totals: Totals, bail: boolean) =>
  (done: Done): boolean => {
    if (done.type === "report") totals.add(done.report, done.wall_ms)
    else totals.addBroken(done)
    return !bail || totals.isSound
  }
