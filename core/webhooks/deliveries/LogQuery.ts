import { Schema } from "effect"
import { isId } from "../../shared/Id.ts"
import { PageQuery } from "../../shared/Page.ts"
import { EVENT_TYPES } from "../events/Event.ts"

/** The query of `GET /v1/events`. `after` is another name for `starting_after`. */
export const ListEventsQuery = Schema.Struct({
  ...PageQuery.fields,
  type: Schema.optionalKey(Schema.Literals(EVENT_TYPES)).annotateKey({
    description: "Only events of this name.",
  }),
  after: Schema.optionalKey(Schema.NonEmptyString).annotateKey({
    description:
      "Another name of `starting_after`: the page begins after this event in the list, which is " +
      "newest first, so that it has older events.",
  }),
})
export type ListEventsQuery = typeof ListEventsQuery.Type

const idOf = (prefix: "we" | "evt", what: string) =>
  Schema.String.check(
    Schema.makeFilter((id: string) => isId(prefix, id) || `must be ${what}'s id (${prefix}_…)`),
  )

/** The query of `GET /v1/webhook-deliveries`. */
export const ListDeliveriesQuery = Schema.Struct({
  ...PageQuery.fields,
  endpoint_id: Schema.optionalKey(idOf("we", "an endpoint")).annotateKey({
    description: "Only deliveries to this endpoint.",
  }),
  event_id: Schema.optionalKey(idOf("evt", "an event")).annotateKey({
    description: "Only deliveries of this event.",
  }),
  status: Schema.optionalKey(
    Schema.Literals(["pending", "delivering", "delivered", "failed", "skipped"]),
  ).annotateKey({ description: "Only deliveries in this state." }),
})
export type ListDeliveriesQuery = typeof ListDeliveriesQuery.Type
