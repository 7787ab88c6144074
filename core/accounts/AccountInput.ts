import { Schema } from "effect"
import type { FieldRules } from "../shared/Decode.ts"
import { line } from "../shared/Text.ts"
import { ACCOUNT_KINDS, PLANS } from "./Account.ts"

/** A new account, as an operator describes it. The default plan is `starter`. */
export const AccountInput = Schema.Struct({
  name: line(128).annotateKey({ description: "The account's name." }),
  kind: Schema.Literals(ACCOUNT_KINDS).annotateKey({
    description: "Whether the account sells or buys.",
  }),
  agent_id: line(128).annotateKey({ description: "The name of the account's agent." }),
  merchant_account: Schema.optionalKey(Schema.NullOr(line(128))).annotateKey({
    description: "The seller's account at its channels.",
  }),
  plan: Schema.optionalKey(Schema.Literals(PLANS)).annotateKey({
    description: "The account's plan. It determines rates and limits.",
  }),
})
/** A decoded account of a `POST /v1/accounts`. */
export type AccountInput = typeof AccountInput.Type
/** Errors in it have the general codes. */
export const accountInputRules = {} satisfies FieldRules

/** The new plan of an account. */
export const PlanInput = Schema.Struct({
  plan: Schema.Literals(PLANS).annotateKey({
    description: "The account's plan. It determines rates and limits.",
  }),
})
/** A decoded change of plan. */
export type PlanInput = typeof PlanInput.Type
/** Errors in it have the general codes. */
export const planInputRules = {} satisfies FieldRules
