import { SECOND, type Timestamp } from "../shared/Timestamp.ts"
import { Schema } from "effect"
import type { SealedValue } from "../secrets/SealedText.ts"
import { Time } from "../shared/Wire.ts"

/** A secret that was replaced, and signs together with the new one until it expires. */
export interface PreviousSecret {
  /** Sealed where the current one is. */
  readonly secret: string
  /** Why its owner replaced it, in the owner's words. */
  readonly reason: string
  readonly replaced_at: Timestamp
  readonly expires_at: Timestamp
}

/** What signs webhooks: the current secret, sealed, and those that it replaced. */
export interface SigningSecret {
  readonly secret: string
  /** Newest first. Those that have expired are dropped with the next rotation. */
  readonly previous_secrets: ReadonlyArray<PreviousSecret>
}

/**
 * How many replaced secrets sign at most: each adds 68 bytes to a header that receivers cut off at
 * a few thousand, and more rotations than that within a grace period are an accident. Beyond it the
 * secret that would expire first ends early, since a rotation must never be refused.
 */
export const MOST_IN_GRACE = 4

/** How long a replaced secret works on, in seconds: a day unless said otherwise, a week at most. */
export const GRACE = { default: 86_400, most: 604_800 } as const

/** The secrets with each sealed text, which is bound to `place`, replaced by what `change` says. */
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

/** The sealed secrets that sign at `now`: the current one first, then the others, newest first. */
export const inForce = (
  { previous_secrets, secret }: SigningSecret,
  now: Timestamp,
): readonly [string, ...ReadonlyArray<string>] => [
  secret,
  ...previous_secrets.filter(isInGrace(now)).map((previous) => previous.secret),
]

/** A rotation: the new secret, sealed, and how long the one that it replaces works on. */
export interface Rotation {
  readonly secret: string
  readonly reason: string
  readonly grace_period_seconds: number
  readonly at: Timestamp
}

/**
 * The secrets after a rotation (Webhook management). The replaced secret signs on for its grace
 * period, and so do earlier ones for what is left of theirs, {@link MOST_IN_GRACE} at most.
 */
export const rotate = (held: SigningSecret, rotation: Rotation): SigningSecret => {
  const { at, grace_period_seconds, reason, secret } = rotation
  const replaced: PreviousSecret = {
    secret: held.secret,
    reason,
    replaced_at: at,
    expires_at: at + grace_period_seconds * SECOND,
  }
  const earlier = held.previous_secrets.filter(isInGrace(at))
  return { secret, previous_secrets: [replaced, ...lastToExpire(earlier, MOST_IN_GRACE - 1)] }
}

const lastToExpire = (
  secrets: ReadonlyArray<PreviousSecret>,
  most: number,
): ReadonlyArray<PreviousSecret> => {
  const kept = new Set(secrets.toSorted((a, b) => b.expires_at - a.expires_at).slice(0, most))
  return secrets.filter((secret) => kept.has(secret))
}

/** The secret in force as its account is shown it. */
export const SecretView = Schema.Struct({
  secret: Schema.String.annotate({ description: "Signs the webhooks of the account." }),
}).annotate({
  identifier: "WebhookSecret",
  description: "What receivers check webhook signatures with.",
  examples: [{ secret: "whsec_…" }],
})

/** The new secret as its owner is shown it. */
export const RotatedSecretView = Schema.Struct({
  endpoint_id: Schema.NullOr(Schema.String).annotate({
    description: "The endpoint whose secret was replaced; null for the account's.",
  }),
  old_key_fingerprint: Schema.String.annotateKey({
    description: "Names the secret that was replaced.",
  }),
  new_key_fingerprint: Schema.String.annotateKey({
    description: "Names the secret that signs from now on.",
  }),
  old_key_expires_at: Schema.String.annotate({
    description: "Until then both secrets sign.",
    format: "date-time",
  }),
  secret: Schema.String.annotate({ description: "The new secret." }),
  created_at: Time.annotateKey({ description: "When it was made." }),
}).annotate({
  identifier: "RotatedSecret",
  description: "The new secret, and what becomes of the old one.",
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
