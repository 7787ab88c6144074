import type { Script } from "../world/plans/Plan.ts"
import { Shrinker, type Shrinking, type Shrunk } from "./Shrinker.ts"

/** The limits of shrinking, and its listeners. */
export interface ShrinkOptions {
  /** The maximum number of smaller scripts to try; 400 by default. */
  readonly tries?: number
  /** Called before each try; returns whether to stop. */
  readonly isTimeUp?: () => boolean
  readonly onTry?: (now: Shrinking) => void
}

/** The default number of smaller scripts to try. */
export const TRIES = 400

/**
 * Makes a failing script as small as possible, and reports why it ended and what is needed. It
 * removes payments, faults, incidents, crashes and parts, then simplifies plans, then removes two
 * things at once, and repeats this until nothing changes. `fails` performs a script and returns
 * whether it still fails in the same way. The given script has to fail; `parts` are all parts that
 * a world can play.
 */
export const shrink = (
  script: Script,
  parts: ReadonlyArray<string>,
  fails: (script: Script) => boolean,
  { isTimeUp, onTry, tries = TRIES }: ShrinkOptions = {},
): Shrunk => {
  const shrinker = new Shrinker(script, parts, { tries, isTimeUp })
  for (let one = shrinker.begin(); one !== undefined; one = shrinker.begin()) {
    shrinker.hear(one, fails(one.script))
    onTry?.(shrinker.now)
  }
  return shrinker.shrunk
}
