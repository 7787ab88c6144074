import { Schema } from "effect"
import { Time } from "../../shared/Wire.ts"
import { exampleOpened, OpenedView } from "../verifications/VerificationSchema.ts"
import type { Appeal, AppealFacts } from "./Appeal.ts"
import { shownAs } from "../../shared/View.ts"

const fields = {
  appeal_id: Schema.String.annotate({ description: "`appl_` and a UUIDv7." }),
  verification_id: Schema.String.annotateKey({ description: "The rejected verification." }),
  status: Schema.Literals(["under_review", "upheld", "overturned"]).annotate({
    description: "`upheld`: the rejection stands. `overturned`: the verification has passed.",
  }),
  estimated_resolution: Time,
  message: Schema.String.annotateKey({ description: "What happens next, for people." }),
  resolved_at: Schema.optionalKey(Time),
  created_at: Time,
  updated_at: Time,
}

const appealed = {
  appeal_id: "appl_01997d3e-8a00-7000-8000-000000000031",
  verification_id: "kyc_01997d3e-8a00-7000-8000-000000000030",
  status: "under_review",
  estimated_resolution: "2026-02-02T08:00:00.000Z",
  message: "A compliance reviewer looks at the appeal. The level in force stays what it is.",
  created_at: "2026-01-31T08:00:00.000Z",
  updated_at: "2026-01-31T08:00:00.000Z",
} as const

/** An appeal as its account sees it. */
export const AppealView = Schema.Struct(fields).annotate({
  identifier: "KycAppeal",
  description: "An appeal against a rejection. It changes no level by itself.",
  examples: [appealed],
})

/** An appeal in a reviewer's list. */
export const ReviewedAppealView = Schema.Struct({
  account_id: Schema.String.annotateKey({ description: "The account's id." }),
  ...fields,
}).annotate({
  identifier: "KycReviewedAppeal",
  description: "An appeal of any account.",
  examples: [{ account_id: exampleOpened.account_id, ...appealed }],
})

/** An appeal as its reviewer sees it. */
export const OpenedAppealView = Schema.Struct({
  account_id: Schema.String.annotateKey({ description: "The account's id." }),
  ...fields,
  reason: Schema.NullOr(Schema.String).annotate({
    description: "The reason for the appeal; null after erasure.",
  }),
  verification: OpenedView.annotateKey({ description: "The rejected verification." }),
}).annotate({
  identifier: "KycOpenedAppeal",
  description: "An appeal with its reason and the rejected verification.",
  examples: [
    {
      account_id: exampleOpened.account_id,
      ...appealed,
      reason: "The document is mine; it was renewed last month.",
      verification: exampleOpened,
    },
  ],
})

const MESSAGES: { readonly [S in keyof AppealFacts]: string } = {
  under_review: "A compliance reviewer looks at the appeal. The level in force stays what it is.",
  upheld: "The rejection stands. Corrected data can be submitted at any time.",
  overturned: "The rejection was lifted, and the verification has passed.",
}

/** See {@link AppealView}. */
export const appealView = (appeal: Appeal) =>
  shownAs(AppealView, appeal, { appeal_id: appeal.id, message: MESSAGES[appeal.status] })
