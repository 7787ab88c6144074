import { Schema } from "effect"
import { block } from "../../shared/Text.ts"

/** What a reviewer decides about a verification. */
export const ReviewInput = Schema.Struct({
  decision: Schema.Literals(["approve", "reject"]),
  reason: Schema.optionalKey(block(1024)),
})
/** A decoded decision. */
export type ReviewInput = typeof ReviewInput.Type
