import { Clock, Effect, Schema } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { Store } from "../ports/Store.ts"
import type { IntentQuery } from "./IntentQuery.ts"
import { isUuid } from "../shared/Id.ts"
import { badCursor, integer } from "../shared/Page.ts"
import { fromIso, IsoTime } from "../shared/Timestamp.ts"
import { findVisible } from "./access.ts"
import { view } from "./IntentView.ts"
import { SHOWN_STATUSES } from "./PaymentIntent.ts"

/** The query of `GET /v1/payment-intents`. */
export const ListIntentsQuery = Schema.Struct({
  service_id: Schema.optionalKey(
    Schema.String.check(Schema.makeFilter((id: string) => isUuid(id) || "must be a service's id")),
  ).annotateKey({ description: "Only payments for this service." }),
  status: Schema.optionalKey(Schema.Literals(SHOWN_STATUSES)).annotateKey({
    description: "Only payments in this state.",
  }),
  created_after: Schema.optionalKey(IsoTime).annotateKey({
    description: "Only payments created at this time or later.",
  }),
  created_before: Schema.optionalKey(IsoTime).annotateKey({
    description: "Only payments created before this time.",
  }),
  limit: integer(1, 100, 20).annotateKey({ description: "The maximum number of items per page." }),
  starting_after: Schema.optionalKey(Schema.NonEmptyString).annotateKey({
    description: "The id of the last item of the previous page.",
  }),
})
export type ListIntentsQuery = typeof ListIntentsQuery.Type

const storedStatuses = (
  status: (typeof SHOWN_STATUSES)[number],
): NonNullable<IntentQuery["statuses"]> =>
  status === "authorized"
    ? ["authorized", "capturing"]
    : status === "pending"
      ? ["pending", "debiting"]
      : [status]

const read = Effect.fnUntraced(function* (
  caller: Caller,
  query: ListIntentsQuery,
  agents?: ReadonlyArray<string>,
) {
  const store = yield* Store
  const now = yield* Clock.currentTimeMillis
  const { limit, starting_after } = query
  if (starting_after !== undefined) {
    yield* findVisible(caller, starting_after).pipe(
      Effect.catchTag("Failure", () => Effect.fail(badCursor("payment intent"))),
    )
  }
  const after = query.created_after === undefined ? undefined : fromIso(query.created_after)
  const before = query.created_before === undefined ? undefined : fromIso(query.created_before)
  const found = yield* store.listIntents({
    viewer: caller.account.id,
    ...(agents !== undefined && { agents }),
    ...(query.service_id !== undefined && { service_id: query.service_id }),
    ...(query.status !== undefined && { statuses: storedStatuses(query.status) }),
    ...(after !== undefined && { created_after: after }),
    ...(before !== undefined && { created_before: before }),
    ...(starting_after !== undefined && { starting_after }),
    limit: limit + 1,
    now,
  })
  return { now, data: found.slice(0, limit), has_more: found.length > limit }
})

/**
 * Returns a page of the payments that the caller takes part in, newest first.
 *
 * Fails with `INVALID_QUERY` if `starting_after` is none of them.
 */
export const listIntents = Effect.fn("listIntents")(function* (
  caller: Caller,
  query: ListIntentsQuery,
) {
  const { data, has_more, now } = yield* read(caller, query)
  return { data: data.map((intent) => view(intent, now, caller.account.id)), has_more }
})

/** Returns a page of the caller's payments by some of its agents. Fails as {@link listIntents}. */
export const listIntentsBy = Effect.fn("listIntentsBy")(function* (
  caller: Caller,
  agents: ReadonlyArray<string>,
  query: ListIntentsQuery,
) {
  const { data, has_more, now } = yield* read(caller, query, agents)
  return { data: data.map((intent) => view(intent, now, caller.account.id)), has_more }
})
