import { Effect, Schema } from "effect"
import type { FieldRules } from "../../shared/Decode.ts"
import { line } from "../../shared/Text.ts"
import { GRACE } from "../../accounts/SigningSecret.ts"

/** The body of `POST /v1/merchant/webhook-secrets/rotate` (Webhook management). */
export const RotationInput = Schema.Struct({
  reason: line(256).annotateKey({
    description: "Why the secret is replaced, for the account's own log.",
  }),
  grace_period_seconds: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: GRACE.most }))
    .annotate({
      description: "For how many seconds the old secret still signs beside the new one.",
    })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(GRACE.default))),
  endpoint_id: Schema.optionalKey(Schema.NullOr(Schema.NonEmptyString)).annotate({
    description: "The endpoint whose secret is replaced. Default: the account's own secret.",
  }),
})
/** A decoded rotation. */
export type RotationInput = typeof RotationInput.Type
/** Invalid fields have the general error codes. */
export const rotationRules = {} satisfies FieldRules
