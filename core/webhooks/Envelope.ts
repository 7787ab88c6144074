import { SECOND, toIso } from "../shared/Timestamp.ts"
import { type Event, familyOf } from "./Event.ts"

/**
 * The body of an event's delivery as JSON text, the envelope of its family (Events). `created` is
 * in unix seconds. The same event always gives the same text.
 */
export const eventBody = ({
  created_at,
  data,
  id,
  type,
}: Pick<Event, "id" | "type" | "data" | "created_at">): string => {
  const family = familyOf(type)
  return JSON.stringify({
    ...(family === "revocation" ? { event: type } : { type }),
    data,
    ...(family === "kyc" && { created_at: toIso(created_at) }),
    id,
    created: Math.floor(created_at / SECOND),
  })
}
