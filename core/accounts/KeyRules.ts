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

/**
 * Tells whether a key counts as issued by the other one because that replaced it: it is the older
 * one. Only the removal of ended keys depends on this, so it may be wrong where clocks differ.
 */
const isReplacedBy = (key: ApiKey, other: ApiKey): boolean =>
  key.minted_by === other.id && key.created_at < other.created_at

/**
 * Returns the ids of all keys that have issued one of those that work, directly or not. An ended
 * first key does not count as issued by its replacement here: an account that rolls its first key
 * every month would keep all of them while a key of the first one works.
 */
export const issuersOfWorking = (
  keys: ReadonlyArray<ApiKey>,
  works: (key: ApiKey) => boolean,
): ReadonlySet<string> => {
  const byId = new Map(keys.map((key) => [key.id, key]))
  const issuerOf = (id: string): string | null => {
    const key = byId.get(id)
    const issuer = byId.get(key?.minted_by ?? "")
    const isCut = key && issuer && !works(key) && isReplacedBy(key, issuer)
    return key === undefined || isCut === true ? null : key.minted_by
  }
  const issuers = new Set<string>()
  for (const key of keys) {
    if (!works(key)) continue
    // Above a known issuer all are known.
    for (let id = key.minted_by; id !== null && !issuers.has(id); id = issuerOf(id)) {
      issuers.add(id)
    }
  }
  return issuers
}

/**
 * Returns the keys that count as issued by a removed key, as issued by the issuer of the removed
 * one, so that `cascade` on that still finds them and what they have issued. For a removed first
 * key it is the key that replaced it. No time decides this: two keys may be of one millisecond.
 */
export const passedOn = (keys: ReadonlyArray<ApiKey>, removed: ApiKey): ReadonlyArray<ApiKey> =>
  removed.minted_by === null
    ? []
    : keys
        .filter((key) => key.minted_by === removed.id)
        .map((key) => ({ ...key, minted_by: removed.minted_by }))

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

/**
 * Returns the issuer of a key once another one replaces it. A first key counts as issued by its
 * replacement from then on, so that it is no first key during its grace period: what it still
 * issues or rolls ends with it, and `cascade` on the replacement finds it.
 */
export const issuerOnceReplaced = (
  { minted_by }: Pick<ApiKey, "minted_by">,
  replacement: string,
): string => minted_by ?? replacement

/** The inputs to the expiry of the key that replaces another one. */
export interface Rolling {
  readonly old: ApiKey
  /** The key that rolls it; the id is null for the host. */
  readonly roller: { readonly id: string | null; readonly expires_at: Timestamp | null }
  readonly now: Timestamp
  readonly lifetime: KeyLifetime
}

/**
 * Returns when the key that replaces another one expires: when the old one would have, or else
 * after the longest lifetime, and not after the key that rolls it. An account's first key that is
 * rolled by itself or by the host gets the installation's lifetime anew, since nothing else could
 * replace it, but no longer one than its own: a host may have issued it for an hour.
 */
export const expiryAfterRoll = ({ lifetime, now, old, roller }: Rolling): Timestamp | null => {
  const { created_at, expires_at, id, minted_by, restrictions } = old
  const isFirst = minted_by === null && restrictions === null
  const hasLifetime = lifetime.usual !== null || lifetime.most !== null
  if (isFirst && (roller.id ?? id) === id && expires_at !== null && hasLifetime) {
    return earliest(firstExpiry(now, lifetime), now + expires_at - created_at)
  }
  const most = lifetime.most === null ? null : now + lifetime.most * DAY
  return earliest(expires_at ?? most, roller.expires_at)
}

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
