import { Schema } from "effect"
import { PageQuery } from "../shared/Page.ts"
import { ACCOUNT_KINDS, type AccountKind, type Plan, PLANS } from "./Account.ts"

/** The query of `GET /v1/accounts`. */
export const ListAccountsQuery = Schema.Struct({
  ...PageQuery.fields,
  kind: Schema.optionalKey(Schema.Literals(ACCOUNT_KINDS)),
  plan: Schema.optionalKey(Schema.Literals(PLANS)),
  agent_id: Schema.optionalKey(Schema.NonEmptyString),
})
/** A decoded query of `GET /v1/accounts`. */
export type ListAccountsQuery = typeof ListAccountsQuery.Type

/** What the store is asked: accounts of these kinds and plans, newest first. */
export interface AccountQuery {
  readonly kinds: ReadonlyArray<AccountKind>
  readonly plans: ReadonlyArray<Plan>
  readonly starting_after?: string
  readonly limit: number
}
