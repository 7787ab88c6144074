import { Context } from "effect"
import type { OperatorRole } from "../../../core/audit/Operator.ts"
import type { RouteGroup } from "../../../core/accounts/KeyRestrictions.ts"
import type { RateClass } from "../../../core/billing/RateWindow.ts"
import type { FieldRules } from "../../../core/shared/Decode.ts"
import type { ErrorShape } from "./Errors.ts"

/** The codes of invalid fields of an endpoint's payload. */
export const Rules = Context.Reference<FieldRules>("payport/adapters/http/contract/Rules", {
  defaultValue: () => ({}),
})

/** The shape of an endpoint's error bodies. */
export const Shape = Context.Reference<ErrorShape>("payport/adapters/http/contract/Shape", {
  defaultValue: () => "flat",
})

/**
 * How an endpoint treats an `Idempotency-Key` (Request Payment, headers). "checked" looks the key
 * up before it acts. "optimistic" leaves the check to the commit that stores the answer with its
 * effect. Null for endpoints that can be repeated safely.
 */
export const Idempotency = Context.Reference<"checked" | "optimistic" | null>(
  "payport/adapters/http/contract/Idempotency",
  { defaultValue: () => null },
)

/**
 * Returns the status of an answer, if an endpoint declares several; undefined for the first one.
 */
export const StatusOf = Context.Reference<((view: object) => number | undefined) | null>(
  "payport/adapters/http/contract/StatusOf",
  { defaultValue: () => null },
)

/** The rate class of an account's requests (Monthly plans, API rate limit). */
export const Rate = Context.Reference<RateClass>("payport/adapters/http/contract/Rate", {
  defaultValue: () => "standard",
})

/**
 * The permission that a key needs for an endpoint. By default reading needs `read`, and everything
 * else `manage`.
 */
export const Group = Context.Reference<RouteGroup | null>("payport/adapters/http/contract/Group", {
  defaultValue: () => null,
})

/** Whether an endpoint is about no service and no agent, or checks the scope itself. */
export const Unscoped = Context.Reference<boolean>("payport/adapters/http/contract/Unscoped", {
  defaultValue: () => false,
})

/** The audiences of the interface. Each has a document with its part (`/openapi/buyer.json`). */
export const AUDIENCES = ["buyer", "seller", "operator", "receiver", "assistant"] as const
/** One of {@link AUDIENCES}. */
export type Audience = (typeof AUDIENCES)[number]

/** The audiences whose documents contain an endpoint. A test checks that every endpoint has one. */
export const Audiences = Context.Reference<ReadonlyArray<Audience>>(
  "payport/adapters/http/contract/Audiences",
  { defaultValue: () => [] },
)

/** The largest usual body, in bytes. */
export const USUAL_LIMIT = 64 * 1024

/** The largest request body, in bytes. */
export const BodyLimit = Context.Reference<number>("payport/adapters/http/contract/BodyLimit", {
  defaultValue: () => USUAL_LIMIT,
})

/** The media type of an endpoint's answers. */
export const ContentType = Context.Reference<string>("payport/adapters/http/contract/ContentType", {
  defaultValue: () => "application/json; charset=utf-8",
})

/** The media type of an endpoint's text answers, if it has both kinds. */
export const TextType = Context.Reference<string | null>(
  "payport/adapters/http/contract/TextType",
  { defaultValue: () => null },
)

/**
 * The role that an operator's key needs for an endpoint. By default reading needs `read`, and
 * everything else `accounts`.
 */
export const Role = Context.Reference<OperatorRole | null>("payport/adapters/http/contract/Role", {
  defaultValue: () => null,
})

/**
 * Whether an endpoint has no deadline, because the caller waits for many steps. Operators'
 * endpoints never have one.
 */
export const Unhurried = Context.Reference<boolean>("payport/adapters/http/contract/Unhurried", {
  defaultValue: () => false,
})

/**
 * Whether an endpoint may show data that are some moments old, if the store has replicas: it lists,
 * searches or sums up, and decides nothing. Its answer then tells their age.
 */
export const MayBeStale = Context.Reference<boolean>("payport/adapters/http/contract/MayBeStale", {
  defaultValue: () => false,
})
