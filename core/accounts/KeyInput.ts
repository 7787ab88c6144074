import { Effect, Schema } from "effect"
import type { FieldRules } from "../shared/Decode.ts"
import { IsoTime } from "../shared/Timestamp.ts"

/** What may be asked of a new key: when it stops working, if ever (ISO 8601). */
export const KeyInput = Schema.Struct({
  expires_at: Schema.optionalKey(Schema.NullOr(IsoTime)),
})
/** A decoded request for a key. */
export type KeyInput = typeof KeyInput.Type
/** Its mistakes have the general codes. */
export const keyInputRules = {} satisfies FieldRules

/** How long the replaced key works on, in seconds: a day unless said otherwise, a week at most. */
export const RollInput = Schema.Struct({
  grace_period_seconds: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 604_800 })).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(86_400)),
  ),
})
/** A decoded replacement of a key. */
export type RollInput = typeof RollInput.Type
/** Its mistakes have the general codes. */
export const rollInputRules = {} satisfies FieldRules
