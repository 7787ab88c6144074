import { SECOND } from "../shared/Timestamp.ts"
import type { Event } from "./Event.ts"

/**
 * The body of a payment event's delivery as JSON text: `{type, data, id, created}`, `created` in
 * unix seconds (Events). The same event always gives the same text.
 */
export const paymentBody = (event: Event): string =>
  JSON.stringify({
    type: event.type,
    data: event.data,
    id: event.id,
    created: Math.floor(event.created_at / SECOND),
  })
