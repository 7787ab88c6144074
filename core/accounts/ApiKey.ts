import { defineKind } from "../commits/KindDeclaration.ts"
import { Schema } from "effect"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { AccountKind } from "./Account.ts"
import { Amount, Time } from "../shared/Wire.ts"
import { shownAs } from "../shared/View.ts"
import { type OauthGrant, OauthGrantView } from "./OauthGrant.ts"
import { type KeyRestrictions, RestrictionsView, restrictionsView } from "./KeyRestrictions.ts"

/**
 * An account's secret key (Authentication 1 and 8). Only its SHA-256 is stored. The response that
 * issues the key shows it once.
 */
export interface ApiKey {
  /** `key_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  readonly account_id: string
  /** Lower-case hex SHA-256 of the whole key. */
  readonly hash: string
  /** The first characters of the key, by which people recognize it. */
  readonly hint: string
  readonly created_at: Timestamp
  readonly expires_at: Timestamp | null
  readonly revoked_at: Timestamp | null
  /**
   * The key that issued it; null for a first key, which no key has issued. A first key that was
   * rolled has the key that replaced it here.
   */
  readonly minted_by: string | null
  /** Null for an unrestricted key. */
  readonly restrictions: KeyRestrictions | null
  /** When an operator suspended the key; null if it works. */
  readonly suspended_at: Timestamp | null
  /** The OAuth grant of the program that holds the key; null for other keys. */
  readonly oauth: OauthGrant | null
}

const FORMAT = /^(?:ag_)?sk_(test|live)_[A-Za-z0-9_-]{43}$/
const HINT = /^(?:ag_)?sk_(?:test|live)_.{4}/

/** The mode of an installation. */
export type Mode = "sandbox" | "live"

/** The beginnings of the keys of sellers and of buyers. */
export const KEY_PREFIXES = {
  sandbox: ["sk_test_", "ag_sk_test_"],
  live: ["sk_live_", "ag_sk_live_"],
} as const satisfies { readonly [M in Mode]: readonly [seller: string, buyer: string] }

/** Tells whether the key is neither revoked nor expired at `now`. */
export const isValid = (key: ApiKey, now: Timestamp): boolean =>
  key.revoked_at === null && (key.expires_at === null || now < key.expires_at)

/** Makes the key around 43 random characters: `sk_test_…` for sellers, `ag_sk_…` for buyers. */
export const keyText = (kind: AccountKind, mode: Mode, token: string): string =>
  `${KEY_PREFIXES[mode][kind === "buyer" ? 1 : 0]}${token}`

/** Tells whether the text has the format of a key of an installation in that mode. */
export const hasKeyFormat = (text: string, mode: Mode): boolean =>
  FORMAT.exec(text)?.[1] === (mode === "live" ? "live" : "test")

/** Returns the part of a key that may be shown: its prefix and four of its 43 characters. */
export const hintOf = (text: string): string => HINT.exec(text)?.[0] ?? ""

/** Returns the key of an `Authorization: Bearer` header; undefined when the header has none. */
export const bearerKey = (authorization: string | undefined): string | undefined =>
  /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1]

/** A key as lists show it. */
export const ApiKeyView = Schema.Struct({
  id: Schema.String.annotateKey({ description: "`key_` and a UUIDv7." }),
  hint: Schema.String.annotate({ description: "The first characters of the key." }),
  created_at: Time.annotateKey({ description: "The time of creation." }),
  expires_at: Schema.NullOr(Time).annotateKey({
    description: "When the key expires; null for never.",
  }),
  revoked_at: Schema.NullOr(Time).annotateKey({
    description: "When the key was revoked; null if it was not.",
  }),
  minted_by: Schema.NullOr(Schema.String).annotate({
    description:
      "The key that issued this key; null for a first key, which no key has issued. For a first " +
      "key that was rolled, the key that replaced it.",
  }),
  restrictions: Schema.NullOr(RestrictionsView).annotate({
    description: "The key's restrictions; null for a key that may do everything.",
  }),
  budget_spent: Schema.optionalKey(Amount).annotate({
    description:
      "The part of the budget spent in the current period. Shown only in the account's own list.",
  }),
  suspended_at: Schema.NullOr(Time).annotate({
    description: "When an operator suspended the key; null if it is not suspended.",
  }),
  oauth: Schema.NullOr(OauthGrantView).annotate({
    description: "The program that received the key from a person over OAuth; null for other keys.",
  }),
}).annotate({
  identifier: "ApiKey",
  description: "A key without its secret.",
  examples: [
    {
      id: "key_01997d3e-8a00-7000-8000-000000000002",
      hint: "sk_test_9fKq",
      created_at: "2026-01-31T08:00:00.000Z",
      expires_at: null,
      revoked_at: null,
      minted_by: null,
      restrictions: null,
      suspended_at: null,
      oauth: null,
    },
  ],
})

/** See {@link ApiKeyView}. */
export const apiKeyView = (key: ApiKey) =>
  shownAs(ApiKeyView, key, {
    restrictions: key.restrictions === null ? null : restrictionsView(key.restrictions),
    oauth: key.oauth === null ? null : shownAs(OauthGrantView, key.oauth),
  })

/** The example of a new key. */
export const exampleKey = {
  id: "key_01997d3e-8a00-7000-8000-000000000002",
  key: "sk_test_…",
  created_at: "2026-01-31T08:00:00.000Z",
  expires_at: null,
  restrictions: null,
}

/** A new key with its secret, which only this response shows. */
export const IssuedKeyView = Schema.Struct({
  id: Schema.String.annotate({ description: "`key_` and a UUIDv7." }),
  key: Schema.String.annotate({ description: "The secret key. It is shown only once." }),
  created_at: Time.annotateKey({ description: "The time of creation." }),
  expires_at: Schema.NullOr(Time).annotateKey({
    description: "When the key expires; null for never.",
  }),
  restrictions: Schema.NullOr(RestrictionsView).annotate({
    description: "The key's restrictions; null for a key that may do everything.",
  }),
}).annotate({ identifier: "IssuedKey", description: "A new secret key.", examples: [exampleKey] })

/** See {@link IssuedKeyView}. */
export const issuedKeyView = (key: ApiKey, text: string) =>
  shownAs(IssuedKeyView, key, {
    key: text,
    restrictions: key.restrictions === null ? null : restrictionsView(key.restrictions),
  })

/** A new key, and when the key that it replaces stops working. */
export const RolledKeyView = Schema.Struct({
  ...IssuedKeyView.fields,
  replaces: Schema.Struct({
    id: Schema.String.annotateKey({ description: "The old key's id." }),
    expires_at: Time.annotateKey({ description: "When the old key stops working." }),
  }).annotate({
    description: "The replaced key and when it stops working.",
  }),
}).annotate({
  identifier: "RolledKey",
  description: "The new key, and when the old key stops working.",
  examples: [
    {
      id: "key_01997d3e-8a00-7000-8000-000000000003",
      key: "sk_test_…",
      created_at: "2026-01-31T08:00:00.000Z",
      expires_at: null,
      restrictions: null,
      replaces: {
        id: "key_01997d3e-8a00-7000-8000-000000000002",
        expires_at: "2026-02-01T08:00:00.000Z",
      },
    },
  ],
})

declare module "../commits/Records.ts" {
  interface Records {
    readonly api_key: ApiKey
  }
}

/** How the store keeps API keys. */
export const apiKeyKind = defineKind("api_key", {
  prefix: "key",
  erased: false,
  cached: "within",
  unique: [{ by: ["hash"] }],
  lists: [["account_id"]],
})
