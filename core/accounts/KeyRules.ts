import { Context, Result } from "effect"
import type { ApiKey } from "./ApiKey.ts"
import { DAY, type Timestamp } from "../shared/Timestamp.ts"

/** How long keys work, in days: those that nobody gave an end, and every key at most. */
export interface KeyLifetime {
  /** Null: without an end. */
  readonly usual: number | null
  readonly most: number | null
}

/** The installation's rule for the lifetime of keys. */
export const CurrentKeyLifetime = Context.Reference<KeyLifetime>(
  "payport/core/accounts/CurrentKeyLifetime",
  { defaultValue: () => ({ usual: null, most: null }) },
)

/** The first of these times; null where none is set. */
export const earliest = (...times: ReadonlyArray<Timestamp | null>): Timestamp | null => {
  const ends = times.filter((time) => time !== null)
  return ends.length === 0 ? null : Math.min(...ends)
}

/** What decides when a new key stops working. */
export interface Issuing {
  /** What the caller wants; undefined where the caller does not say. */
  readonly asked: Timestamp | null | undefined
  /** When the key that issues it stops working. */
  readonly minter_expires_at: Timestamp | null
  readonly now: Timestamp
  readonly lifetime: KeyLifetime
}

/**
 * When a new key stops working: never after the key that issued it, nor later than the installation
 * allows. Fails with the reason, for the field `expires_at`.
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
    return Result.fail("must not be after the end of the key that issues it")
  }
  return Result.succeed(asked)
}

/** When an account's first key stops working. */
export const firstExpiry = (now: Timestamp, { most, usual }: KeyLifetime): Timestamp | null =>
  earliest(usual === null ? null : now + usual * DAY, most === null ? null : now + most * DAY)

/** The keys that a key has issued, those that these have issued, and so on. */
export const issuedBy = (keys: ReadonlyArray<ApiKey>, id: string): ReadonlyArray<ApiKey> => {
  const found = new Set([id])
  // A key is older than those that it issues: each generation is found in one more walk.
  for (let before = 0; before < found.size;) {
    before = found.size
    for (const key of keys) if (found.has(key.minted_by ?? "")) found.add(key.id)
  }
  return keys.filter((key) => key.id !== id && found.has(key.id))
}

/**
 * Whether a key may roll another of its account: itself and those under it; every one only with a
 * key that no key has issued and that does not end.
 */
export const mayRoll = (keys: ReadonlyArray<ApiKey>, key: ApiKey, id: string): boolean =>
  key.id === id ||
  (key.minted_by === null && key.expires_at === null) ||
  issuedBy(keys, key.id).some((issued) => issued.id === id)
