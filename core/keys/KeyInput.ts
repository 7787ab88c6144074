import { Effect, Schema } from "effect"
import { RestrictionsInput } from "../accounts/KeyRestrictions.ts"
import type { FieldRules } from "../shared/Decode.ts"
import { IsoTime } from "../shared/Timestamp.ts"

/** What may be asked of a new key: when it stops working, if ever (ISO 8601), and its limits. */
export const KeyInput = Schema.Struct({
  expires_at: Schema.optionalKey(Schema.NullOr(IsoTime)).annotateKey({
    description: "When it stops working; never where it is left out.",
  }),
  restrictions: Schema.optionalKey(Schema.NullOr(RestrictionsInput)).annotateKey({
    description: "What the key is restricted to; what is left out is not.",
  }),
})
/** A decoded request for a key. */
export type KeyInput = typeof KeyInput.Type
/** Its mistakes have the general codes, amounts too: none of them is paid. */
export const keyInputRules = {} satisfies FieldRules

/**
 * How long the replaced key works on, in seconds: a day unless said otherwise, a week at most. With
 * `cascade` the keys that it has issued end with it.
 */
export const RollInput = Schema.Struct({
  grace_period_seconds: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 604_800 }))
    .annotate({ description: "For how many seconds the old key works beside the new one." })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(86_400))),
  cascade: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether the keys that it has issued go too.",
  }),
})
/** A decoded replacement of a key. */
export type RollInput = typeof RollInput.Type
/** Its mistakes have the general codes. */
export const rollInputRules = {} satisfies FieldRules

/** Whether the keys that a revoked key has issued end with it. */
export const RevokeQuery = Schema.Struct({
  cascade: Schema.optionalKey(Schema.Literals(["true", "false"])).annotateKey({
    description: "`true` revokes the keys that it has issued, too.",
  }),
})
/** A decoded query of `DELETE /v1/api-keys/{id}`. */
export type RevokeQuery = typeof RevokeQuery.Type
