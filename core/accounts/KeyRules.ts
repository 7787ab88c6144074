import { Context, Result } from "effect"
import type { Caller } from "./Account.ts"
import type { ApiKey } from "./ApiKey.ts"
import { DAY, type Timestamp } from "../shared/Timestamp.ts"

/** The lifetime of keys in days: the default, and the most. */
export interface KeyLifetime {
  /** Null means no expiry. */
  readonly usual: number | null
  readonly most: number | null
}

/** The installation's lifetime of keys. */
export const CurrentKeyLifetime = Context.Reference<KeyLifetime>(
  "payport/core/accounts/CurrentKeyLifetime",
  { defaultValue: () => ({ usual: null, most: null }) },
)

/** Returns the earliest of these times; null where none is set. */
export const earliest = (...times: ReadonlyArray<Timestamp | null>): Timestamp | null => {
  const ends = times.filter((time) => time !== null)
  return ends.length === 0 ? null : Math.min(...ends)
}

/** The inputs to the expiry of a new key. */
export interface Issuing {
  /** The requested expiry; undefined for the default. */
  readonly asked: Timestamp | null | undefined
  /** When the issuing key expires. */
  readonly minter_expires_at: Timestamp | null
  readonly now: Timestamp
  readonly lifetime: KeyLifetime
}

/**
 * Returns when a new key expires: not after the key that issues it, and within the most that the
 * installation allows. Fails with the reason, for the field `expires_at`.
 */
export const expiryOf = ({
  asked,
  lifetime,
  minter_expires_at,
  now,
}: Issuing): Result.Result<Timestamp | null, string> => {
  const most = lifetime.most === null ? null : now + lifetime.most * DAY
  const usual = lifetime.usual === null ? null : now + lifetime.usual * DAY
  if (asked === undefined) return Result.succeed(earliest(usual, most, minter_expires_at))
  if (asked !== null && asked <= now) return Result.fail("must be in the future")
  if (most !== null && (asked === null || asked > most)) {
    return Result.fail(`must be within ${lifetime.most} days`)
  }
  if (minter_expires_at !== null && (asked === null || asked > minter_expires_at)) {
    return Result.fail("must not be after the expiry of the key that issues it")
  }
  return Result.succeed(asked)
}

/** Returns when an account's first key expires. */
export const firstExpiry = (now: Timestamp, { most, usual }: KeyLifetime): Timestamp | null =>
  earliest(usual === null ? null : now + usual * DAY, most === null ? null : now + most * DAY)

/** Returns the keys that a key has issued, directly or through others. */
export const issuedBy = (keys: ReadonlyArray<ApiKey>, id: string): ReadonlyArray<ApiKey> => {
  const byIssuer = Map.groupBy(keys, ({ minted_by }) => minted_by)
  const found = new Set([id])
  // A set is walked to its end, also over what is added meanwhile.
  for (const one of found) for (const key of byIssuer.get(one) ?? []) found.add(key.id)
  return keys.filter((key) => key.id !== id && found.has(key.id))
}

/** Returns the ids of all keys that have issued one of those that work, directly or not. */
export const issuersOfWorking = (
  keys: ReadonlyArray<ApiKey>,
  works: (key: ApiKey) => boolean,
): ReadonlySet<string> => {
  const issuerOf = new Map(keys.map(({ id, minted_by }) => [id, minted_by]))
  const issuers = new Set<string>()
  for (const key of keys) {
    if (!works(key)) continue
    // Above a known issuer all are known.
    for (let id = key.minted_by; id !== null && !issuers.has(id); id = issuerOf.get(id) ?? null) {
      issuers.add(id)
    }
  }
  return issuers
}

/** Tells whether a key is the other one or has issued it, directly or through others. */
const isOver = (keys: ReadonlyArray<ApiKey>, key: string, id: string): boolean =>
  key === id || issuedBy(keys, key).some((issued) => issued.id === id)

/**
 * Tells whether a key may roll another key of its account: itself, and keys that it has issued. A
 * key without an issuer, an expiry and restrictions may roll every key, and so may the host, whose
 * id is null. A restricted one would get more rights by rolling a key that has them.
 */
export const mayRoll = (
  keys: ReadonlyArray<ApiKey>,
  roller: { readonly id: string | null },
  id: string,
): boolean => {
  if (roller.id === null) return true
  const key = keys.find((one) => one.id === roller.id)
  const isFirst = key?.minted_by === null && key.expires_at === null && key.restrictions === null
  return isFirst || isOver(keys, roller.id, id)
}

/**
 * Returns the issuer of the key that replaces another one: the key that rolls it. A first key that
 * rolls itself stays one, and a roll by the host, which has no key, changes no issuer.
 */
export const issuerAfterRoll = (
  old: Pick<ApiKey, "id" | "minted_by">,
  roller: string | null,
): string | null =>
  roller === null || (roller === old.id && old.minted_by === null) ? old.minted_by : roller

/** Tells whether an account's first key has been replaced: another one without issuer is newer. */
const isReplaced = (keys: ReadonlyArray<ApiKey>, { created_at }: ApiKey): boolean =>
  keys.some((other) => other.minted_by === null && other.created_at > created_at)

/** The inputs to the expiry of the key that replaces another one. */
export interface Rolling {
  readonly old: ApiKey
  /** All keys of the account. */
  readonly keys: ReadonlyArray<ApiKey>
  /** The key that rolls it; the id is null for the host. */
  readonly roller: { readonly id: string | null; readonly expires_at: Timestamp | null }
  readonly now: Timestamp
  readonly lifetime: KeyLifetime
}

/**
 * Returns when the key that replaces another one expires: when the old one would have, or else
 * after the longest lifetime, and not after the key that rolls it. An account's first key that
 * rolls itself gets the installation's lifetime anew, since nothing else could replace it. Once
 * replaced, it cannot.
 */
export const expiryAfterRoll = ({
  keys,
  lifetime,
  now,
  old,
  roller,
}: Rolling): Timestamp | null => {
  const { expires_at, minted_by, restrictions } = old
  const isFirst = minted_by === null && restrictions === null && !isReplaced(keys, old)
  const hasLifetime = lifetime.usual !== null || lifetime.most !== null
  if (roller.id === old.id && expires_at !== null && isFirst && hasLifetime) {
    return firstExpiry(now, lifetime)
  }
  const most = lifetime.most === null ? null : now + lifetime.most * DAY
  return earliest(expires_at ?? most, roller.expires_at)
}

/**
 * Tells whether a key that has ended shows that a working one was replaced. Without it, the
 * replaced key could renew itself.
 */
export const marksReplaced = (
  keys: ReadonlyArray<ApiKey>,
  { created_at, minted_by }: ApiKey,
  works: (key: ApiKey) => boolean,
): boolean =>
  minted_by === null &&
  keys.some((key) => key.minted_by === null && key.created_at < created_at && works(key))

/**
 * Tells whether a caller's key may revoke a key of its account. An unrestricted one may revoke
 * each, so that every owner's key stops a leaked one. A restricted one may revoke itself and keys
 * that it has issued.
 */
export const mayRevoke = (
  keys: ReadonlyArray<ApiKey>,
  { api_key_id, restrictions = null }: Pick<Caller, "api_key_id" | "restrictions">,
  id: string,
): boolean => restrictions === null || isOver(keys, api_key_id, id)
