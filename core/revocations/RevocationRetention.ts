import { Context } from "effect"
import { DAY } from "../shared/Timestamp.ts"

/** After how long, in milliseconds, a revocation in effect reads as expired. */
export const RevocationRetention = Context.Reference<number>(
  "payport/core/revocations/RevocationRetention",
  { defaultValue: () => 90 * DAY },
)
