import type { Retention } from "../../core/retention/Retention.ts"
import { DAY } from "../../core/shared/Timestamp.ts"

/** The retention times of a world. A world lives for a week, so days replace months. */
export const KEPT_BRIEFLY: Retention = {
  event: 2 * DAY,
  delivery: DAY,
  channel_request: 2 * DAY,
  callback: 2 * DAY,
  reply: DAY,
  unpaid: 30 * DAY,
}
