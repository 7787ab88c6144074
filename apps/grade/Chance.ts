import { createHash } from "node:crypto"

/** A grader's random choices, the same for the same seed. */
export interface Chance {
  /** Returns so many hex digits, 64 at most. */
  readonly hex: (digits: number) => string
  /** Returns a UUIDv7. */
  readonly uuid: () => string
}

/** Makes the random choices of a seed. */
export const makeChance = (seed: string): Chance => {
  let count = 0
  const hex = (digits: number): string => {
    count += 1
    return createHash("sha256").update(`${seed}/${count}`).digest("hex").slice(0, digits)
  }
  return {
    hex,
    uuid: () => {
      const digits = hex(31)
      const parts = [digits.slice(0, 8), digits.slice(8, 12), `7${digits.slice(12, 15)}`]
      return [...parts, `8${digits.slice(15, 18)}`, digits.slice(18, 30)].join("-")
    },
  }
}
