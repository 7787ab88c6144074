import type { Retention } from "../../core/retention/Retention.ts"
import { DAY } from "../../core/shared/Timestamp.ts"

/** How long what grows is kept in a world: a world lives for a week, so days stand for months. */
export const KEPT_BRIEFLY: Retention = {
  event: 2 * DAY,
  delivery: DAY,
  channel_request: 2 * DAY,
  callback: 2 * DAY,
  reply: DAY,
  unpaid: 30 * DAY,
}
