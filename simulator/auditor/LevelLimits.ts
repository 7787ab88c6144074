import { knowledge } from "./Knowledge.ts"

class LevelLimits {
  /** The limits of the levels for one payment, in cents, lowest level first. */
  atOnce: ReadonlyArray<number> = [1_000, 10_000, 100_000, 1_000_000]
  /** The limits of the levels for a UTC day, in cents. */
  daily: ReadonlyArray<number> = [10_000, 100_000, 1_000_000, 10_000_000]
}

/** The auditor's knowledge about the limits of levels; a world may bring its own. */
export const levelLimits = knowledge("limits of levels", LevelLimits)
