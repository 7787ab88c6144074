import { Schema } from "effect"
import { isId } from "../../shared/Id.ts"
import { PageQuery } from "../../shared/Page.ts"
import { KYC_LEVELS } from "../../channels/Channel.ts"

/** The statuses of stored verifications. */
export const VERIFICATION_STATUSES = ["pending", "verified", "rejected", "expired"] as const
/** The statuses of appeals. */
export const APPEAL_STATUSES = ["under_review", "upheld", "overturned"] as const

const accountId = Schema.String.check(
  Schema.makeFilter((id: string) => isId("acct", id) || "must be an account's id (acct_…)"),
)

/**
 * The query of `GET /v1/kyc/verifications`. Verifications that wait for a reviewer are `pending`.
 */
export const ListVerificationsQuery = Schema.Struct({
  ...PageQuery.fields,
  status: Schema.optionalKey(Schema.Literals(VERIFICATION_STATUSES)).annotateKey({
    description: "Only verifications in this state.",
  }),
  level: Schema.optionalKey(Schema.Literals(KYC_LEVELS)).annotateKey({
    description: "Only verifications for this level.",
  }),
  account_id: Schema.optionalKey(accountId).annotateKey({
    description: "Only items of this account.",
  }),
})
/** A decoded query of `GET /v1/kyc/verifications`. */
export type ListVerificationsQuery = typeof ListVerificationsQuery.Type

/** The query of `GET /v1/kyc/appeals`. Appeals that wait for a reviewer are `under_review`. */
export const ListAppealsQuery = Schema.Struct({
  ...PageQuery.fields,
  status: Schema.optionalKey(Schema.Literals(APPEAL_STATUSES)).annotateKey({
    description: "Only appeals in this state.",
  }),
  account_id: Schema.optionalKey(accountId).annotateKey({
    description: "Only items of this account.",
  }),
})
/** A decoded query of `GET /v1/kyc/appeals`. */
export type ListAppealsQuery = typeof ListAppealsQuery.Type
