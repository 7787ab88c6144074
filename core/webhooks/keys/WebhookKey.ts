import { HOLDINGS } from "../../accounts/Holding.ts"
import { defineKind } from "../../commits/KindDeclaration.ts"
import { Schema } from "effect"
import type { Timestamp } from "../../shared/Timestamp.ts"
import { shownAs } from "../../shared/View.ts"
import { Time } from "../../shared/Wire.ts"

/** The most keys of an account: the one in use and those used before. */
export const MOST_KEYS = HOLDINGS.enterprise.webhook_keys

/**
 * A public key of an account that bodies of webhooks are encrypted for (Authentication 5). The
 * account's newest key is used if an endpoint has none.
 */
export interface WebhookKey {
  /** `whk_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  readonly account_id: string
  /** Its place among the account's keys, from 1 to {@link MOST_KEYS}. */
  readonly place: number
  readonly key_type: "x25519"
  /** 32 bytes in base64. */
  readonly public_key: string
  /** `fp_` and 16 hex digits. */
  readonly fingerprint: string
  readonly label: string | null
  readonly created_at: Timestamp
}

/** A key as it is shown. */
export const WebhookKeyView = Schema.Struct({
  id: Schema.String.annotate({ description: "`whk_` and a UUIDv7." }),
  key_type: Schema.Literal("x25519").annotateKey({ description: "`x25519`." }),
  fingerprint: Schema.String.annotate({
    description: "`fp_` and the first 16 hex digits of the SHA-256 of the key's 32 bytes.",
  }),
  label: Schema.NullOr(Schema.String).annotateKey({
    description: "The account's own name for the key.",
  }),
  created_at: Time.annotateKey({ description: "The time of creation." }),
}).annotate({
  identifier: "WebhookKey",
  description: "A public key that encrypts webhooks.",
  examples: [
    {
      id: "whk_01997d3e-8a00-7000-8000-000000000005",
      key_type: "x25519",
      fingerprint: "fp_9c1ba7bc1d5ae5c1",
      label: "2026",
      created_at: "2026-01-31T08:00:00.000Z",
    },
  ],
})

/** Returns the view, see {@link WebhookKeyView}. */
export const webhookKeyView = (key: WebhookKey) => shownAs(WebhookKeyView, key)

declare module "../../commits/Records.ts" {
  interface Records {
    readonly webhook_key: WebhookKey
  }
}

/** How webhook keys are kept. */
export const webhookKeyKind = defineKind("webhook_key", {
  prefix: "whk",
  erased: true,
  unique: [{ by: ["account_id", "place"] }],
  lists: [["account_id"]],
})
