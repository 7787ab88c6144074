import { Context, Schema, SchemaAST } from "effect"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { AccountKey, AdminKey } from "../../../adapters/http/contract/Access.ts"
import { Api } from "../../../adapters/http/contract/Api.ts"
import { Role } from "../../../adapters/http/contract/Route.ts"
import type { OperatorRole } from "../../../core/audit/Operator.ts"
import { fieldsOf } from "../mutants.ts"

type Json = { readonly [key: string]: unknown }

/** The kinds of things that have ids. */
export const ID_KINDS = [
  "account",
  "agent",
  "api_key",
  "appeal",
  "audit_entry",
  "challenge",
  "delivery",
  "endpoint",
  "event",
  "install",
  "invoice",
  "ledger_entry",
  "log_entry",
  "payment_intent",
  "quote",
  "refund",
  "refund_request",
  "listing",
  "service",
  "statement",
  "subscription",
  "tab",
  "token",
  "verification",
  "webhook_key",
] as const
export type IdKind = (typeof ID_KINDS)[number]

/** The kind of the ids after a segment of a path, or in its list; null for no account's. */
const SEGMENTS: { readonly [segment: string]: IdKind | null } = {
  accounts: "account",
  agents: "agent",
  "api-keys": "api_key",
  appeals: "appeal",
  audit: "audit_entry",
  "audit-log": "log_entry",
  channel: null,
  channels: null,
  entries: "ledger_entry",
  events: "event",
  installs: "install",
  invoices: "invoice",
  listings: "listing",
  openapi: null,
  paid: "service",
  "payment-challenges": "challenge",
  "payment-intents": "payment_intent",
  "refund-requests": "refund_request",
  refunds: "refund",
  "service-manifests": "service",
  services: "service",
  statements: "statement",
  subscriptions: "subscription",
  verifications: "verification",
  "webhook-deliveries": "delivery",
  "webhook-endpoints": "endpoint",
  "webhook-keys": "webhook_key",
}

/** The kind of the ids in fields of queries and bodies, by the last part of the field's name. */
const FIELDS: { readonly [field: string]: IdKind } = {
  account_id: "account",
  agent_id: "agent",
  endpoint_id: "endpoint",
  event_id: "event",
  id: "token",
  payment_intent: "payment_intent",
  quote_id: "quote",
  service_id: "service",
  subscription: "subscription",
  tab: "tab",
  target: "account",
  verification_id: "verification",
}

/** Fields of queries with a position in the list at the end of the path. */
const CURSORS = new Set(["starting_after", "after"])

/** Paths at which such a field is a number or a day. */
const NUMBERED = new Set(["/v1/audit ?after", "/v1/audit/heads ?after"])

/**
 * Fields that cannot name another account's record: texts, choices, amounts, times, fields that the
 * service itself publishes, and secrets, which name nothing without the id beside them.
 */
const NO_IDS = new Set([
  ..."account action actor amount billing_cycle business_name channel channel_preference".split(
    " ",
  ),
  ..."country created_after created_before currency data date_of_birth default_channel".split(" "),
  ..."description document_number email enabled_events encryption endpoint expires_at".split(" "),
  ..."fallback_channel from full_name grace_period_seconds human_id idempotency_key image".split(
    " ",
  ),
  ..."kind kyc_level label level limit merchant_account metadata month name now occurred_at".split(
    " ",
  ),
  ..."offset otp payment_identifier payment_method period phone plan plan_id public_key q".split(
    " ",
  ),
  ..."quantity queries".split(" "),
  // Filters of x402 discovery, whose services are public.
  ..."extensions method".split(" "),
  ..."query rate reason registration_number resource return_url revoke_url scope scopes".split(" "),
  ..."settlement_currency status tags to token type unit url value verify wallet_a_user_id".split(
    " ",
  ),
  ..."wallet_b_open_id accepted_channels channels features payer_channel settle".split(" "),
  // MPP: a challenge made by a paywall, which is not looked up.
  "challenge",
  // Restrictions of a key are stored as given and not looked up.
  ..."services agents addresses".split(" "),
  // A program's fields: its signed id, its redirect address, and its own values.
  ..."client_id redirect_uri code_challenge state".split(" "),
  // x402's own words: a payment is found only by its signed proof.
  ..."paymentPayload scheme network asset payTo extra".split(" "),
])

/** A place of a request that takes an id. */
export interface Place {
  readonly in: "path" | "query" | "body"
  readonly path: ReadonlyArray<string>
  readonly kind: IdKind
}

/** A route of the contract with the places of its ids. */
export interface Row {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly access: "account" | "admin" | "none"
  /** The role that an operator needs for it. */
  readonly role: OperatorRole
  /** Whether it responds with a stream of events. */
  readonly streams: boolean
  readonly example: Json
  readonly places: ReadonlyArray<Place>
  /** Parameters and fields that are in none of these tables. */
  readonly unknown: ReadonlyArray<string>
}

const pathPlaces = (path: string) => {
  const parts = path.split("/")
  return parts.flatMap((part, index): ReadonlyArray<Place | string> => {
    if (!part.startsWith(":")) return []
    const kind = SEGMENTS[parts[index - 1] ?? ""]
    if (kind === undefined) return [`${path} ${part}`]
    return kind === null ? [] : [{ in: "path", path: [part.slice(1)], kind }]
  })
}

const listed = (path: string): IdKind | null | undefined =>
  SEGMENTS[path.split("/").findLast((part) => !part.startsWith(":")) ?? ""]

const fieldPlace = (
  where: "query" | "body",
  route: string,
  path: ReadonlyArray<string>,
): Place | string | undefined => {
  const name = path.findLast((part) => !/^\d+$/.test(part)) ?? ""
  if (where === "query" && NUMBERED.has(`${route} ?${name}`)) return undefined
  if (where === "query" && CURSORS.has(name)) {
    const kind = listed(route)
    return kind == null ? `${route} ?${name}` : { in: where, path, kind }
  }
  const kind = FIELDS[name]
  if (kind !== undefined) return { in: where, path, kind }
  return NO_IDS.has(name) ? undefined : `${route} ${where} ${path.join(".")}`
}

const inputOf = (schema: unknown): { readonly ast: SchemaAST.AST } | undefined =>
  Schema.isSchema(schema) && "fields" in schema ? schema : undefined

const exampleOf = (ast: SchemaAST.AST): Json => {
  const [example] = (SchemaAST.resolve(ast)?.["examples"] ?? []) as ReadonlyArray<Json>
  return example ?? {}
}

const TAKES_IDS = new Set(["text", "anything"])

const rowOf = (
  endpoint: HttpApiEndpoint.Top,
  { access, role, streams }: Pick<Row, "access" | "role" | "streams">,
): Row => {
  const { method, path } = endpoint
  const [payload] = endpoint.payload.values()
  const body = inputOf(payload?.schemas[0])
  const query = inputOf(endpoint.query)
  const texts = (input: typeof body) =>
    input === undefined
      ? []
      : fieldsOf(input.ast).filter(({ path: at, takes }) => TAKES_IDS.has(takes) && at.length > 0)
  const found = [
    ...pathPlaces(path),
    ...texts(query).map((field) => fieldPlace("query", path, field.path)),
    ...texts(body).map((field) => fieldPlace("body", path, field.path)),
  ]
  return {
    name: `${method} ${path}`,
    method,
    path,
    access,
    role,
    streams,
    example: body === undefined ? {} : exampleOf(body.ast),
    places: found.filter((one) => typeof one === "object"),
    unknown: found.filter((one) => typeof one === "string"),
  }
}

/** Every route of the contract. */
export const matrix = (): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations, middleware, successes }) => {
      const keys = new Set<unknown>(middleware)
      const access = keys.has(AccountKey) ? "account" : keys.has(AdminKey) ? "admin" : "none"
      const role =
        Context.get(mergedAnnotations, Role) ?? (endpoint.method === "GET" ? "read" : "accounts")
      rows.push(rowOf(endpoint, { access, role, streams: successes.size === 0 }))
    },
  })
  return rows
}
