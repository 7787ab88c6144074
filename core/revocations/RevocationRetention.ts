import { Context } from "effect"
import { DAY } from "../shared/Timestamp.ts"

/** After how many milliseconds a revocation is shown as expired. */
export const RevocationRetention = Context.Reference<number>(
  "payport/core/revocations/RevocationRetention",
  { defaultValue: () => 90 * DAY },
)
