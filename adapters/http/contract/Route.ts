import { Context } from "effect"
import type { OperatorRole } from "../../../core/audit/Operator.ts"
import type { RouteGroup } from "../../../core/accounts/KeyRestrictions.ts"
import type { RateClass } from "../../../core/billing/RateWindow.ts"
import type { FieldRules } from "../../../core/shared/Decode.ts"
import type { ErrorShape } from "./Errors.ts"

/** Which codes answer for the fields of an endpoint's payload. */
export const Rules = Context.Reference<FieldRules>("payport/adapters/http/contract/Rules", {
  defaultValue: () => ({}),
})

/** The shape of an endpoint's error bodies. */
export const Shape = Context.Reference<ErrorShape>("payport/adapters/http/contract/Shape", {
  defaultValue: () => "flat",
})

/**
 * How an endpoint treats an `Idempotency-Key` (Request Payment, headers): "checked" looks the key
 * up before it acts; "optimistic" leaves it to the commit that stores the answer with its effect.
 * Null for endpoints that repeat harmlessly.
 */
export const Idempotency = Context.Reference<"checked" | "optimistic" | null>(
  "payport/adapters/http/contract/Idempotency",
  { defaultValue: () => null },
)

/**
 * The status of an answer where an endpoint declares several and what it shows decides; undefined
 * for the first of them.
 */
export const StatusOf = Context.Reference<((view: object) => number | undefined) | null>(
  "payport/adapters/http/contract/StatusOf",
  { defaultValue: () => null },
)

/** What requests of an account are counted as (Monthly plans, API rate limit). */
export const Rate = Context.Reference<RateClass>("payport/adapters/http/contract/Rate", {
  defaultValue: () => "standard",
})

/**
 * What a key has to be allowed for an endpoint: a group's for those that change something, since
 * reading takes `read` and anything else `manage` by default.
 */
export const Group = Context.Reference<RouteGroup | null>("payport/adapters/http/contract/Group", {
  defaultValue: () => null,
})

/** Whether an endpoint is about no service and no agent, or looks itself what it is about. */
export const Unscoped = Context.Reference<boolean>("payport/adapters/http/contract/Unscoped", {
  defaultValue: () => false,
})

/** Whom the interface is for; each has a document of its own part (`/openapi/buyer.json`). */
export const AUDIENCES = ["buyer", "seller", "operator", "receiver", "assistant"] as const
/** One of {@link AUDIENCES}. */
export type Audience = (typeof AUDIENCES)[number]

/** Whose document an endpoint is in; a test holds every endpoint to being in one. */
export const Audiences = Context.Reference<ReadonlyArray<Audience>>(
  "payport/adapters/http/contract/Audiences",
  { defaultValue: () => [] },
)

/** The largest body of most requests, in bytes. */
export const USUAL_LIMIT = 64 * 1024

/** The largest request body, in bytes. */
export const BodyLimit = Context.Reference<number>("payport/adapters/http/contract/BodyLimit", {
  defaultValue: () => USUAL_LIMIT,
})

/** The media type of an endpoint's answers. */
export const ContentType = Context.Reference<string>("payport/adapters/http/contract/ContentType", {
  defaultValue: () => "application/json; charset=utf-8",
})

/** The media type of an endpoint's answers that are text, where it has both. */
export const TextType = Context.Reference<string | null>(
  "payport/adapters/http/contract/TextType",
  { defaultValue: () => null },
)

/**
 * What an operator's key needs for an endpoint of theirs. By default reading takes `read`, and
 * anything else `accounts`.
 */
export const Role = Context.Reference<OperatorRole | null>("payport/adapters/http/contract/Role", {
  defaultValue: () => null,
})

/**
 * Whether an endpoint takes as long as it needs: it does many steps, and who asked waits for all of
 * them. Operators' endpoints always may.
 */
export const Unhurried = Context.Reference<boolean>("payport/adapters/http/contract/Unhurried", {
  defaultValue: () => false,
})

/**
 * Whether an endpoint shows what may be some moments old, where the store has replicas: it lists,
 * searches or sums up, and decides nothing. Its answer then says how old.
 */
export const MayBeStale = Context.Reference<boolean>("payport/adapters/http/contract/MayBeStale", {
  defaultValue: () => false,
})
