import { Schema } from "effect"
import type { ApiKey } from "../accounts/ApiKey.ts"
import { toIso } from "../shared/Timestamp.ts"
import { Time } from "../shared/Wire.ts"
import type { EventType, Happening } from "../webhooks/events/Event.ts"

/** The `data` of `api_key.created`, `api_key.rolled` and `api_key.revoked`. */
export const KeyChanged = Schema.Struct({
  api_key_id: Schema.String.annotateKey({ description: "The key's id." }),
  hint: Schema.String.annotateKey({ description: "The key's first characters." }),
  minted_by: Schema.NullOr(Schema.String).annotateKey({
    description:
      "The key that issued this key, or that replaced it if it was a first key; null for a first " +
      "key.",
  }),
  expires_at: Schema.NullOr(Time).annotateKey({ description: "When the key expires." }),
  revoked_at: Schema.NullOr(Time).annotateKey({ description: "When the key was revoked." }),
  actor: Schema.String.annotate({ description: "The id of the acting key, or `operator`." }),
})

/** Makes an event about one of an account's keys. */
export const keyEvent = (
  type: Extract<EventType, `api_key.${string}`>,
  key: ApiKey,
  actor: string,
): Happening => ({
  type,
  accounts: [key.account_id],
  service_id: null,
  subject_id: key.id,
  data: {
    api_key_id: key.id,
    hint: key.hint,
    minted_by: key.minted_by,
    expires_at: key.expires_at === null ? null : toIso(key.expires_at),
    revoked_at: key.revoked_at === null ? null : toIso(key.revoked_at),
    actor,
  },
})

declare module "../webhooks/events/Event.ts" {
  interface EventData {
    readonly "api_key.created": typeof KeyChanged.Type
    readonly "api_key.rolled": typeof KeyChanged.Type
    readonly "api_key.revoked": typeof KeyChanged.Type
  }
}
