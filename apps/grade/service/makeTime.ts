import { SECOND } from "../../../core/shared/Timestamp.ts"
import type { Control } from "../../simulate/blackbox/Control.ts"
import { ServiceTime } from "../../simulate/blackbox/ServiceTime.ts"
import type { Service } from "./Service.ts"

/** How often a look is taken again, and by how many seconds the clock goes on before. */
const RETRIES = 3
const STEP = 2

/** Time as the checks have it. */
export type Time = Pick<Service, "now" | "advance" | "moveTo" | "until">

/** The service's time, by the control interface. */
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
