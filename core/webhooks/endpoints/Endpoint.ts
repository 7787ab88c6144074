import { Result, Schema } from "effect"
import { canonicalJson } from "../../shared/Text.ts"
import * as Machine from "../../shared/Machine.ts"
import type { Timestamp } from "../../shared/Timestamp.ts"
import { enables, type EventType } from "../events/Event.ts"
import { HOLDINGS } from "../../accounts/Holding.ts"
import type { SigningSecret } from "../../accounts/SigningSecret.ts"
import type { WebhookKey } from "../keys/WebhookKey.ts"
import { shownAs } from "../../shared/View.ts"
import { Time } from "../../shared/Wire.ts"

/** The most endpoints of an account. One event makes at most as many deliveries. */
export const MOST_ENDPOINTS = HOLDINGS.enterprise.webhook_endpoints

/** Why an endpoint is disabled: its account asked for it, or it failed for too long. */
export type DisabledReason = "requested" | "delivery_failures"

/** The endpoint's own public key, which its deliveries are encrypted for. */
export interface EndpointKey extends Pick<WebhookKey, "key_type" | "public_key" | "fingerprint"> {
  /** `whk_` and a UUIDv7, like an account's keys; new with every change of the key. */
  readonly id: string
}

/** A receiver that an account registered (Webhook endpoint). */
export interface Endpoint extends SigningSecret {
  /** `we_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  readonly account_id: string
  /** Its place among the account's endpoints, from 1 to {@link MOST_ENDPOINTS}. */
  readonly place: number
  readonly url: string
  readonly description: string | null
  readonly enabled_events: ReadonlyArray<string>
  readonly status: "enabled" | "disabled"
  readonly disabled_reason: DisabledReason | null
  readonly disabled_at: Timestamp | null
  /** When deliveries began to fail; null since the last 2xx. */
  readonly first_failure_at: Timestamp | null
  readonly encryption: EndpointKey | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

/** The fields of each state. */
interface EndpointFacts {
  enabled: { disabled_reason: null; disabled_at: null }
  disabled: { disabled_reason: DisabledReason; disabled_at: Timestamp }
}

/** The events of an endpoint. */
type EndpointEvent =
  | { readonly type: "disabled"; readonly reason: DisabledReason; readonly at: Timestamp }
  | { readonly type: "enabled"; readonly at: Timestamp }

const table: Machine.Table<EndpointFacts, EndpointEvent, never> = {
  enabled: {
    disabled: {
      to: "disabled",
      set: ({ at, reason }) => ({ disabled_reason: reason, disabled_at: at }),
    },
  },
  disabled: {
    enabled: { to: "enabled", set: () => ({ disabled_reason: null, disabled_at: null }) },
  },
}

/** The lifecycle of an endpoint. */
export const machine = Machine.make<
  Omit<Endpoint, keyof EndpointFacts["enabled"] | "status">,
  EndpointFacts,
  EndpointEvent,
  never
>(table)

type Known = Parameters<typeof machine.step>[0]

const move = (endpoint: Endpoint, event: EndpointEvent): Endpoint => {
  const moved = machine.step(endpoint as Known, event)
  return Result.isFailure(moved) ? endpoint : { ...moved.success.record, updated_at: event.at }
}

/** Disables the endpoint, so that its deliveries are skipped. A disabled one stays as it is. */
export const disable = (endpoint: Endpoint, reason: DisabledReason, at: Timestamp): Endpoint =>
  move(endpoint, { type: "disabled", reason, at })

/** Enables the endpoint and clears its failures. */
export const enable = (endpoint: Endpoint, at: Timestamp): Endpoint =>
  endpoint.status === "enabled"
    ? endpoint
    : { ...move(endpoint, { type: "enabled", at }), first_failure_at: null }

/** The changeable fields of an endpoint. A field that is left out stays. */
export type EndpointChanges = Partial<
  Pick<Endpoint, "url" | "description" | "enabled_events" | "encryption" | "status">
>

/**
 * Returns the endpoint with the changes, or the same object if nothing changes. A new address
 * clears the failures. A key that it already has keeps its id.
 */
export const change = (
  endpoint: Endpoint,
  { status = endpoint.status, ...named }: EndpointChanges,
  at: Timestamp,
): Endpoint => {
  const isSameKey = named.encryption?.public_key === endpoint.encryption?.public_key
  const moved = named.url !== undefined && named.url !== endpoint.url
  const changed: Endpoint = {
    ...endpoint,
    ...named,
    ...(isSameKey && { encryption: endpoint.encryption }),
    ...(moved && { first_failure_at: null }),
  }
  const next = status === "enabled" ? enable(changed, at) : disable(changed, "requested", at)
  return canonicalJson(next) === canonicalJson(endpoint) ? endpoint : { ...next, updated_at: at }
}

/** Returns whether the endpoint wants events of that type, also while it is disabled. */
export const wants = ({ enabled_events }: Endpoint, type: EventType): boolean =>
  enables(enabled_events, type)

/** Returns the place that an endpoint's secrets are sealed for. */
export const endpointSecretPlace = (endpointId: string): string => `endpoint:${endpointId}:secret`

const example = {
  id: "we_01997d3e-8a00-7000-8000-000000000004",
  url: "https://weather.example/webhooks",
  description: "Bookkeeping",
  enabled_events: ["payment_intent.succeeded", "payment_intent.failed"],
  status: "enabled",
  disabled_reason: null,
  disabled_at: null,
  encryption: {
    public_key_fingerprint: "fp_9c1ba7bc1d5ae5c1",
    key_type: "x25519",
    enabled: true,
  },
  created_at: "2026-01-31T08:00:00.000Z",
  updated_at: "2026-01-31T08:00:00.000Z",
} as const

/** An endpoint as it is shown. */
export const EndpointView = Schema.Struct({
  id: Schema.String.annotate({ description: "`we_` and a UUIDv7." }),
  url: Schema.String.annotateKey({ description: "The https URL that receives the events." }),
  description: Schema.NullOr(Schema.String).annotateKey({
    description: "The account's own note on the endpoint.",
  }),
  enabled_events: Schema.Array(Schema.String).annotateKey({
    description: "The events that are sent to the endpoint. `*` stands for most of them.",
  }),
  status: Schema.Literals(["enabled", "disabled"]).annotate({
    description: "Deliveries to a disabled endpoint are skipped.",
  }),
  disabled_reason: Schema.NullOr(Schema.Literals(["requested", "delivery_failures"])).annotate({
    description: "Why the endpoint is disabled: at your request, or after five days of failures.",
  }),
  disabled_at: Schema.NullOr(Time).annotateKey({
    description: "When the endpoint was disabled; null while it is enabled.",
  }),
  encryption: Schema.Struct({
    public_key_fingerprint: Schema.NullOr(Schema.String).annotateKey({
      description: "The key's fingerprint; null without a key.",
    }),
    key_type: Schema.NullOr(Schema.Literal("x25519")).annotateKey({
      description: "`x25519`; null without a key.",
    }),
    enabled: Schema.Boolean.annotateKey({
      description: "Whether bodies to the endpoint are encrypted.",
    }),
  })
    .annotate({
      description:
        "The key that encrypts deliveries: the endpoint's own, otherwise the account's newest.",
    })
    .annotateKey({ description: "The key that encrypts bodies to the endpoint." }),
  created_at: Time.annotateKey({ description: "The time of creation." }),
  updated_at: Time.annotateKey({ description: "The time of the last change." }),
}).annotate({
  identifier: "WebhookEndpoint",
  description: "A receiver of an account's events.",
  examples: [example],
})

/** A new endpoint with its secret, shown only in the answer to its registration. */
export const NewEndpointView = Schema.Struct({
  ...EndpointView.fields,
  secret: Schema.String.annotate({
    description: "The secret that signs deliveries to the endpoint. It is shown only once.",
  }),
}).annotate({
  identifier: "NewWebhookEndpoint",
  description: "The endpoint with its secret.",
  examples: [{ ...example, secret: "whsec_…" }],
})

/** Returns the view. `accountKey` is used if the endpoint has no key of its own. */
export const endpointView = (
  endpoint: Endpoint,
  accountKey: WebhookKey | undefined,
): typeof EndpointView.Type => {
  const key = endpoint.encryption ?? accountKey
  return shownAs(EndpointView, endpoint, {
    encryption: {
      public_key_fingerprint: key?.fingerprint ?? null,
      key_type: key?.key_type ?? null,
      enabled: key !== undefined,
    },
  })
}

declare module "../../commits/Records.ts" {
  interface DueRecords {
    readonly endpoint: Endpoint
  }
}
