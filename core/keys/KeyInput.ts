import { Effect, Schema } from "effect"
import { RestrictionsInput } from "../accounts/KeyRestrictions.ts"
import type { FieldRules } from "../shared/Decode.ts"
import { IsoTime } from "../shared/Timestamp.ts"

/** The request for a new key: its expiry, if any (ISO 8601), and its restrictions. */
export const KeyInput = Schema.Struct({
  expires_at: Schema.optionalKey(Schema.NullOr(IsoTime)).annotateKey({
    description: "When the key expires. Default: never.",
  }),
  restrictions: Schema.optionalKey(Schema.NullOr(RestrictionsInput)).annotateKey({
    description: "The key's restrictions. A missing field is as for the issuing key.",
  }),
})
/** A decoded request for a key. */
export type KeyInput = typeof KeyInput.Type
/** Errors in it have the general codes, also those of amounts, since no amount is paid. */
export const keyInputRules = {} satisfies FieldRules

/**
 * The grace period of the replaced key in seconds: a day by default, a week at most. With `cascade`
 * the keys that it has issued end with it.
 */
export const RollInput = Schema.Struct({
  grace_period_seconds: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 604_800 }))
    .annotate({ description: "For how many seconds the old key keeps working beside the new one." })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(86_400))),
  cascade: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether the keys that it has issued end with it.",
  }),
})
/** A decoded replacement of a key. */
export type RollInput = typeof RollInput.Type
/** Errors in it have the general codes. */
export const rollInputRules = {} satisfies FieldRules

/** Whether suspending or resuming a key also applies to the keys that it has issued. */
export const SuspendKeyInput = Schema.Struct({
  cascade: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether the keys that it has issued, directly or through others, follow it.",
  }),
})
/** A decoded suspension of a key. */
export type SuspendKeyInput = typeof SuspendKeyInput.Type
/** Errors in it have the general codes. */
export const suspendKeyRules = {} satisfies FieldRules

/** Whether revoking a key also revokes the keys that it has issued. */
export const RevokeQuery = Schema.Struct({
  cascade: Schema.optionalKey(Schema.Literals(["true", "false"])).annotateKey({
    description: "`true` also revokes the keys that it has issued.",
  }),
})
/** A decoded query of `DELETE /v1/api-keys/{id}`. */
export type RevokeQuery = typeof RevokeQuery.Type
