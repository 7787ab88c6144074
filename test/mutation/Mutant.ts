import { createHash } from "node:crypto"

/** One change to the core that could be made by mistake. */
export interface Mutant {
  /** The id that switches it on, different in each run. */
  readonly id: string
  /** Its place in the draw. It is the same as long as its code does not change. */
  readonly lot: string
  /** The path from the project's root, with forward slashes. */
  readonly file: string
  readonly line: number
  readonly operator: string
  readonly original: string
  readonly replacement: string
}

/** The core with all of its mutants in it, each of which is off. */
export interface MutatedCore {
  readonly mutants: ReadonlyArray<Mutant>
  /** The text of each file with its mutants. */
  readonly sources: ReadonlyMap<string, string>
}

/** Returns a mutant's place in the draw. It depends on its code and file, but not on its line. */
export const lotOf = (
  { file, operator, original, replacement }: Omit<Mutant, "id" | "line" | "lot">,
  nth: number,
): string =>
  createHash("sha256")
    .update(JSON.stringify([file, operator, original, replacement, nth]))
    .digest("hex")

/**
 * Returns a sample of the mutants, or all if there are no more. `skip` leaves out the first of the
 * draw.
 */
export const sampled = (
  mutants: ReadonlyArray<Mutant>,
  count: number,
  skip = 0,
): ReadonlyArray<Mutant> =>
  mutants.toSorted((a, b) => (a.lot < b.lot ? -1 : 1)).slice(skip, skip + count)

const shown = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ").trim()
  return line.length <= 70 ? line : `${line.slice(0, 69)}…`
}

/** For example `core/refunds/Refund.ts:31 a < b is a <= b`. */
export const describeMutant = ({ file, line, original, replacement }: Mutant): string =>
  `${file}:${line} ${shown(original)} is ${shown(replacement) || "left out"}`
