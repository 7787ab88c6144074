import { SECOND } from "../../../core/shared/Timestamp.ts"
import type { Control } from "../../simulate/blackbox/Control.ts"
import { ServiceTime } from "../../simulate/blackbox/ServiceTime.ts"
import type { Service } from "./Service.ts"

/** How often a read is repeated, and by how many seconds the clock is moved before each. */
const RETRIES = 3
const STEP = 2

/** The time functions of the checks. */
export type Time = Pick<Service, "now" | "advance" | "moveTo" | "until">

/** Makes the time functions from the control interface. */
export const makeTime = (control: Control): Time => {
  const time = new ServiceTime(control.advance)
  const advance = async (seconds: number) => time.learn(await control.advance(seconds))
  return {
    now: () => time.now(),
    advance,
    moveTo: async (at) => {
      const seconds = Math.ceil((at - time.now()) / SECOND)
      if (seconds > 0) await advance(seconds)
    },
    until: async (look, holds) => {
      for (let asked = 1; ; asked += 1) {
        const seen = await look()
        if (holds(seen) || asked > RETRIES) return seen
        await advance(STEP)
      }
    },
  }
}
