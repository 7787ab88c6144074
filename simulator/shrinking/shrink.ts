import type { Script } from "../world/plans/Plan.ts"
import { Shrinker, type Shrinking, type Shrunk } from "./Shrinker.ts"

/** What shrinking is bounded by, and who watches it. */
export interface ShrinkOptions {
  /** How many smaller scripts are tried at the most; 400 without it. */
  readonly tries?: number
  /** Asked before each try: whether no other is to begin. */
  readonly isTimeUp?: () => boolean
  readonly onTry?: (now: Shrinking) => void
}

/** So many smaller scripts are tried where nothing else is said. */
export const TRIES = 400

/**
 * Makes a failing script as small as it can, and says why it ended and what is needed: fewer
 * payments, faults, incidents, crashes and parts, then shorter stories, then two things at once,
 * again and again until nothing changes. `fails` performs a script and says whether it still shows
 * what is looked for. The script given has to fail; `parts` are all that a world can play.
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
