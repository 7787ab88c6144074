import { drawScript, type DrawOptions } from "./drawScript.ts"
import { perform, type PerformOptions } from "./perform.ts"
import type { Report } from "./Report.ts"

/** What decides a run, and who watches it: equal options give equal runs. */
export interface SimulateOptions extends DrawOptions, PerformOptions {}

/**
 * Runs the world that a seed decides: draws its script and performs it. Returns when everything has
 * come to rest. Throws only where the world itself is broken.
 */
export const simulate = (options: SimulateOptions): Report => perform(drawScript(options), options)
