import { Schema } from "effect"
import type { FieldRules } from "../shared/Decode.ts"
import { line } from "../shared/Text.ts"
import { ACCOUNT_KINDS, PLANS } from "./Account.ts"

/** What an operator says of a new account. A plan that is not named is `starter`. */
export const AccountInput = Schema.Struct({
  name: line(128),
  kind: Schema.Literals(ACCOUNT_KINDS),
  agent_id: line(128),
  merchant_account: Schema.optionalKey(Schema.NullOr(line(128))),
  plan: Schema.optionalKey(Schema.Literals(PLANS)),
})
/** A decoded account of a `POST /v1/accounts`. */
export type AccountInput = typeof AccountInput.Type
/** Its mistakes have the general codes. */
export const accountInputRules = {} satisfies FieldRules

/** The plan that an operator moves an account to. */
export const PlanInput = Schema.Struct({ plan: Schema.Literals(PLANS) })
/** A decoded change of plan. */
export type PlanInput = typeof PlanInput.Type
/** Its mistakes have the general codes. */
export const planInputRules = {} satisfies FieldRules
