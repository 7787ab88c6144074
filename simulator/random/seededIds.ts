import type { Ids } from "../../core/ports/Ids.ts"
import type { Timestamp } from "../../core/shared/Timestamp.ts"
import type { Chance } from "./Chance.ts"

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0")

/**
 * Makes version 7 UUIDs from virtual time and a seed. They increase: within a millisecond by a
 * counter of twelve bits, and beyond it with the next millisecond.
 */
export const seededIds = (now: () => Timestamp, chance: Chance): Ids["Service"] => {
  let millis = 0
  let counter = 0
  return {
    uuid: () => {
      counter += 1
      if (now() > millis || counter > 0xfff) {
        millis = Math.max(now(), millis + (counter > 0xfff ? 1 : 0))
        counter = 0
      }
      const time = hex(millis, 12)
      const variant = hex(0x8000 | chance.int(0, 0x3fff), 4)
      const tail = hex(chance.int(0, 0xffffff), 6) + hex(chance.int(0, 0xffffff), 6)
      return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(counter, 3)}-${variant}-${tail}`
    },
  }
}
