import { Schema } from "effect"
import { PageQuery } from "../shared/Page.ts"
import { ACCOUNT_KINDS, PLANS } from "./Account.ts"

/** The query of `GET /v1/accounts`. */
export const ListAccountsQuery = Schema.Struct({
  ...PageQuery.fields,
  kind: Schema.optionalKey(Schema.Literals(ACCOUNT_KINDS)).annotateKey({
    description: "Only accounts of this kind.",
  }),
  plan: Schema.optionalKey(Schema.Literals(PLANS)).annotateKey({
    description: "Only accounts with this plan.",
  }),
  agent_id: Schema.optionalKey(Schema.NonEmptyString).annotateKey({
    description: "Only accounts with this agent.",
  }),
})
/** A decoded query of `GET /v1/accounts`. */
export type ListAccountsQuery = typeof ListAccountsQuery.Type
