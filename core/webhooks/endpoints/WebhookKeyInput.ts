import { Schema } from "effect"
import type { FieldRules } from "../../shared/Decode.ts"
import { line } from "../../shared/Text.ts"
import { KeyType } from "./EndpointInput.ts"
import { PublicKey } from "../keys/PublicKey.ts"

/** The body of `POST /v1/merchant/webhook-keys` (Webhook management). */
export const WebhookKeyInput = Schema.Struct({
  public_key: PublicKey.annotateKey({
    description: "The X25519 public key that encrypts bodies: 32 bytes in base64.",
  }),
  key_type: KeyType,
  label: Schema.optionalKey(Schema.NullOr(line(128))).annotateKey({
    description: "The account's own name for the key.",
  }),
})
/** A decoded key. */
export type WebhookKeyInput = typeof WebhookKeyInput.Type
/** An invalid key has its own error code. */
export const webhookKeyRules = {
  invalid: { public_key: "INVALID_PUBLIC_KEY" },
} satisfies FieldRules
