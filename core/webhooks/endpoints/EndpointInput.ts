import { Effect, Schema } from "effect"
import type { FieldRules } from "../../shared/Decode.ts"
import { block } from "../../shared/Text.ts"
import { ENABLED_NAMES } from "../events/Event.ts"
import { PublicKey } from "../keys/PublicKey.ts"

const url = Schema.String.check(Schema.isPattern(/\S/, { expected: "a text that is not blank" }))

const EVENTS_SENT =
  "The events that are sent to the endpoint. `*` means all but `webhook.delivery.*`, " +
  "`refund.*` and `api_key.*`, which are sent only if they are named. `escrow.*` is " +
  "reserved: no such event is sent."

const enabledEvents = Schema.Array(Schema.Literals(["*", ...ENABLED_NAMES])).check(
  Schema.isMinLength(1),
  Schema.isUnique(),
)

/** The only type of key. */
export const KeyType = Schema.Literal("x25519")
  .annotate({ description: "`x25519`." })
  .pipe(Schema.withDecodingDefaultKey(Effect.succeed("x25519" as const)))

const encryption = Schema.Struct({
  public_key: PublicKey.annotateKey({
    description: "The X25519 public key that encrypts bodies: 32 bytes in base64.",
  }),
  key_type: KeyType,
}).annotate({
  description: "The endpoint's own key. Default: the account's newest key.",
})

/** The body of `POST /v1/webhook-endpoints` (Webhook management). */
export const EndpointInput = Schema.Struct({
  url: url.annotateKey({ description: "The https URL that receives the events." }),
  description: Schema.optionalKey(Schema.NullOr(block(1024))).annotateKey({
    description: "The account's own note on the endpoint.",
  }),
  enabled_events: enabledEvents.annotateKey({
    description: EVENTS_SENT,
  }),
  encryption: Schema.optionalKey(Schema.NullOr(encryption)).annotateKey({
    description: "The endpoint's own key. Default: the account's newest key.",
  }),
})
/** A decoded endpoint. */
export type EndpointInput = typeof EndpointInput.Type

/** The changeable fields of an endpoint. A field that is left out stays. */
export const EndpointChange = Schema.Struct({
  url: Schema.optionalKey(url).annotateKey({
    description: "The https URL that receives the events.",
  }),
  description: Schema.optionalKey(Schema.NullOr(block(1024))).annotateKey({
    description: "The account's own note on the endpoint.",
  }),
  enabled_events: Schema.optionalKey(enabledEvents).annotateKey({
    description: EVENTS_SENT,
  }),
  encryption: Schema.optionalKey(Schema.NullOr(encryption)).annotateKey({
    description: "The endpoint's own key. Default: the account's newest key.",
  }),
  status: Schema.optionalKey(Schema.Literals(["enabled", "disabled"])).annotateKey({
    description: "`disabled` stops deliveries. `enabled` starts them again.",
  }),
})
/** A decoded change. */
export type EndpointChange = typeof EndpointChange.Type

/** An invalid address or key has its own error code. */
export const endpointRules = {
  invalid: { url: "INVALID_URL", "encryption.public_key": "INVALID_PUBLIC_KEY" },
} satisfies FieldRules

/** What changes an endpoint. Whoever sends `enabled` would believe that it has an effect. */
export const endpointChangeRules = {
  ...endpointRules,
  misnamed: {
    enabled: 'send {"status": "disabled"} to stop deliveries, {"status": "enabled"} to go on',
  },
} satisfies FieldRules
