import { createHash } from "node:crypto"
import type { Chance } from "../Chance.ts"

/** How many characters of an id show that this grader made it, in whatever run. */
const MARK = 12

const markOf = (start: string): string =>
  createHash("sha256").update(`payport grade channel ${start}`).digest("hex").slice(0, MARK)

/** Makes the number of a charge. */
export const chargeNumber = (chance: Chance): string => {
  const start = `pi_${chance.uuid()}`.slice(0, -MARK)
  return `${start}${markOf(start)}`
}

/** Whether a run of this grader made the number, perhaps an earlier one. */
export const isChargeNumber = (number: string): boolean => {
  const start = number.slice(0, -MARK)
  return start.startsWith("pi_") && number === `${start}${markOf(start)}`
}
