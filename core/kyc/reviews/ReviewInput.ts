import { Schema } from "effect"
import { block } from "../../shared/Text.ts"

/** A reviewer's decision about a verification. */
export const ReviewInput = Schema.Struct({
  decision: Schema.Literals(["approve", "reject"]).annotateKey({
    description: "`approve` grants the level.",
  }),
  reason: Schema.optionalKey(block(1024)).annotateKey({
    description: "The reason for a rejection. Required to reject.",
  }),
})
/** A decoded decision. */
export type ReviewInput = typeof ReviewInput.Type
