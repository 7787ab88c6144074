import { defineKind, ofAccount } from "../commits/KindDeclaration.ts"
import { type Timestamp, toIso } from "../shared/Timestamp.ts"
import type { AccountKind } from "./Account.ts"

/**
 * An account's secret key (Authentication 1 and 8). Only a SHA-256 of it is kept: the key itself is
 * shown once, in the answer that issues it.
 */
export interface ApiKey {
  /** `key_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  readonly account_id: string
  /** Lower-case hex SHA-256 of the whole key. */
  readonly hash: string
  /** The first characters of the key, so that people can tell their keys apart. */
  readonly hint: string
  readonly created_at: Timestamp
  readonly expires_at: Timestamp | null
  readonly revoked_at: Timestamp | null
}

const FORMAT = /^(?:ag_)?sk_(?:test|live)_[A-Za-z0-9_-]{43}$/
const HINT = /^(?:ag_)?sk_(?:test|live)_.{4}/

/** Whether the key still opens its account at that time. */
export const isValid = (key: ApiKey, now: Timestamp): boolean =>
  key.revoked_at === null && (key.expires_at === null || now < key.expires_at)

/** The whole key around 43 random characters: `sk_test_…` for sellers, `ag_sk_…` for buyers. */
export const keyText = (kind: AccountKind, mode: "sandbox" | "live", token: string): string =>
  `${kind === "buyer" ? "ag_sk" : "sk"}_${mode === "live" ? "live" : "test"}_${token}`

/** Whether the text could be a key at all. */
export const hasKeyFormat = (text: string): boolean => FORMAT.test(text)

/** What of a key may be shown: its prefix and four of its 43 characters. */
export const hintOf = (text: string): string => HINT.exec(text)?.[0] ?? ""

/** The key of an `Authorization: Bearer` header; undefined when the header holds none. */
export const bearerKey = (authorization: string | undefined): string | undefined =>
  /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1]

const optionalIso = (at: Timestamp | null): string | null => (at === null ? null : toIso(at))

/** A key as lists show it. */
export const apiKeyView = (key: ApiKey) => ({
  id: key.id,
  hint: key.hint,
  created_at: toIso(key.created_at),
  expires_at: optionalIso(key.expires_at),
  revoked_at: optionalIso(key.revoked_at),
})

/** A key as the one answer shows it that issues it: with the key itself. */
export const issuedKeyView = (key: ApiKey, text: string) => ({
  id: key.id,
  key: text,
  created_at: toIso(key.created_at),
  expires_at: optionalIso(key.expires_at),
})

declare module "../commits/Records.ts" {
  interface Records {
    readonly api_key: ApiKey
  }
}

/** How API keys are kept. */
export const apiKeyKind = defineKind("api_key", {
  prefix: "key",
  erased: false,
  cached: "within",
  names: ({ hash }) => [hash],
  lists: ofAccount,
})
