import { Schema } from "effect"
import { PageQuery } from "../shared/Page.ts"
import { ACCOUNT_KINDS, PLANS } from "./Account.ts"

/** The query of `GET /v1/accounts`. */
export const ListAccountsQuery = Schema.Struct({
  ...PageQuery.fields,
  kind: Schema.optionalKey(Schema.Literals(ACCOUNT_KINDS)),
  plan: Schema.optionalKey(Schema.Literals(PLANS)),
  agent_id: Schema.optionalKey(Schema.NonEmptyString),
})
/** A decoded query of `GET /v1/accounts`. */
export type ListAccountsQuery = typeof ListAccountsQuery.Type
