import { SECOND, type Timestamp } from "../shared/Timestamp.ts"
import { Schema } from "effect"
import type { SealedValue } from "../secrets/SealedText.ts"
import { Time } from "../shared/Wire.ts"

/** A replaced secret, which signs together with the new one until it expires. */
export interface PreviousSecret {
  /** Sealed for the same context as the current one. */
  readonly secret: string
  /** The owner's reason to replace it. */
  readonly reason: string
  readonly replaced_at: Timestamp
  readonly expires_at: Timestamp
}

/** The secrets that sign webhooks: the current one, sealed, and those that it replaced. */
export interface SigningSecret {
  readonly secret: string
  /** Newest first. The next rotation removes those that have expired. */
  readonly previous_secrets: ReadonlyArray<PreviousSecret>
}

/**
 * The most replaced secrets that sign. Each adds 68 bytes to a header that receivers cut off at a
 * few thousand, and more rotations within a grace period are an accident. Since a rotation must not
 * be refused, the secret that expires first ends early.
 */
export const MOST_IN_GRACE = 4

/** The grace period of a replaced secret, in seconds: a day by default, a week at most. */
export const GRACE = { default: 86_400, most: 604_800 } as const

/** Replaces each sealed text, which is bound to `place`, by the result of `change`. */
export const changeSealed = (
  { previous_secrets, secret }: SigningSecret,
  place: string,
  change: (value: SealedValue) => string,
): SigningSecret => ({
  secret: change({ place, sealed: secret }),
  previous_secrets: previous_secrets.map((previous) => ({
    ...previous,
    secret: change({ place, sealed: previous.secret }),
  })),
})

const isInGrace =
  (now: Timestamp) =>
  ({ expires_at }: PreviousSecret): boolean =>
    now < expires_at

/**
 * Returns the sealed secrets that sign at `now`: the current one, then the others, newest first.
 */
export const inForce = (
  { previous_secrets, secret }: SigningSecret,
  now: Timestamp,
): readonly [string, ...ReadonlyArray<string>] => [
  secret,
  ...previous_secrets.filter(isInGrace(now)).map((previous) => previous.secret),
]

/** A rotation: the new secret, sealed, and the grace period of the old one. */
export interface Rotation {
  readonly secret: string
  readonly reason: string
  readonly grace_period_seconds: number
  readonly at: Timestamp
}

/** The secrets before a rotation. The current one is null if it can no longer be opened. */
interface HeldSecret extends Pick<SigningSecret, "previous_secrets"> {
  readonly secret: string | null
}

/**
 * Rotates the secret (Webhook management). The replaced secret signs during its grace period, and
 * earlier ones for the rest of theirs, {@link MOST_IN_GRACE} at most. One that can no longer be
 * opened has no grace period: nobody can sign with it.
 */
export const rotate = (held: HeldSecret, rotation: Rotation): SigningSecret => {
  const { at, grace_period_seconds, reason, secret } = rotation
  const expires_at = at + grace_period_seconds * SECOND
  const current: ReadonlyArray<PreviousSecret> =
    held.secret === null ? [] : [{ secret: held.secret, reason, replaced_at: at, expires_at }]
  // Without a grace it takes the place of none that still signs.
  const replaced = current.filter(isInGrace(at))
  const earlier = held.previous_secrets.filter(isInGrace(at))
  const kept = lastToExpire(earlier, MOST_IN_GRACE - replaced.length)
  return { secret, previous_secrets: [...replaced, ...kept] }
}

const lastToExpire = (
  secrets: ReadonlyArray<PreviousSecret>,
  most: number,
): ReadonlyArray<PreviousSecret> => {
  const kept = new Set(secrets.toSorted((a, b) => b.expires_at - a.expires_at).slice(0, most))
  return secrets.filter((secret) => kept.has(secret))
}

/** The current secret, as its account sees it. */
export const SecretView = Schema.Struct({
  secret: Schema.String.annotate({ description: "The secret that signs the account's webhooks." }),
}).annotate({
  identifier: "WebhookSecret",
  description: "The secret with which receivers check webhook signatures.",
  examples: [{ secret: "whsec_…" }],
})

/** A rotated secret, as its owner sees it. */
export const RotatedSecretView = Schema.Struct({
  endpoint_id: Schema.NullOr(Schema.String).annotate({
    description: "The endpoint whose secret was replaced; null for the account's secret.",
  }),
  old_key_fingerprint: Schema.NullOr(Schema.String).annotateKey({
    description:
      "The fingerprint of the replaced secret; null if the service can no longer read that " +
      "secret, which then expires at once.",
  }),
  new_key_fingerprint: Schema.String.annotateKey({
    description: "The fingerprint of the secret that signs from now on.",
  }),
  old_key_expires_at: Schema.String.annotate({
    description: "When the old secret expires. Until then both secrets sign.",
    format: "date-time",
  }),
  secret: Schema.String.annotate({ description: "The new secret." }),
  created_at: Time.annotateKey({ description: "The time of creation." }),
}).annotate({
  identifier: "RotatedSecret",
  description: "The new secret, and when the old one expires.",
  examples: [
    {
      endpoint_id: null,
      old_key_fingerprint: "fp_3b6f1c0d9a2e4875",
      new_key_fingerprint: "fp_a07c52e1f84b9d36",
      old_key_expires_at: "2026-02-01T08:00:00.000Z",
      secret: "whsec_…",
      created_at: "2026-01-31T08:00:00.000Z",
    },
  ],
})
