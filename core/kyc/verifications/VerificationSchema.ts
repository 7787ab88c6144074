import { Schema } from "effect"
import { KYC_LEVELS } from "../../channels/Channel.ts"
import { Time } from "../../shared/Wire.ts"
import { LimitsView, wholeDollars } from "../limits/Limits.ts"
import { ChannelCredentials, IdentityData } from "./Submission.ts"

const RejectionReason = Schema.Struct({
  code: Schema.String.annotate({ description: "The reason's code, such as `document_mismatch`." }),
  message: Schema.String.annotateKey({ description: "The error message, for people." }),
  details: Schema.Record(Schema.String, Schema.String).annotateKey({
    description: "The wrong fields, each with the reason.",
  }),
})

const summary = {
  verification_id: Schema.String.annotate({ description: "`kyc_` and a UUIDv7." }),
  agent_id: Schema.String.annotateKey({ description: "The id of the verified agent." }),
  level: Schema.Literals(KYC_LEVELS).annotateKey({ description: "The requested level." }),
  status: Schema.Literals(["unverified", "pending", "verified", "rejected", "expired"]).annotateKey(
    { description: "The verification's state. `verified` unlocks the level." },
  ),
  challenge: Schema.optionalKey(
    Schema.Struct({
      type: Schema.String.annotate({ description: "`otp`: a code of six digits." }),
      channels: Schema.Array(Schema.String).annotateKey({
        description: "Where the code was sent: `email`, `sms`.",
      }),
      expires_at: Time.annotateKey({ description: "When the code expires." }),
    }),
  ).annotate({ description: "The code that has been sent, while it can be answered." }),
  compliance_review_required: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether a person has to review the verification.",
  }),
  estimated_review_time_hours: Schema.optionalKey(Schema.Int).annotateKey({
    description: "How long a review takes, in hours.",
  }),
  rejection_reason: Schema.optionalKey(RejectionReason).annotateKey({
    description: "Why the verification was rejected.",
  }),
  appeal_id: Schema.optionalKey(Schema.String).annotateKey({
    description: "The appeal against the rejection.",
  }),
  verified_at: Schema.optionalKey(Time),
  expires_at: Schema.optionalKey(Time).annotate({
    description: "When the level has to be verified again.",
  }),
  created_at: Time,
  updated_at: Time,
}

const at = "2026-01-31T08:00:00.000Z"

const basic = {
  verification_id: "kyc_01997d3e-8a00-7000-8000-000000000030",
  agent_id: "agent_buyer",
  level: "basic",
  status: "pending",
  challenge: { type: "otp", channels: ["email", "sms"], expires_at: "2026-01-31T08:10:00.000Z" },
  created_at: at,
  updated_at: at,
} as const

/** A verification in a list. */
export const SummaryView = Schema.Struct(summary).annotate({
  identifier: "KycVerificationSummary",
  description: "A verification without the submitted data.",
  examples: [basic],
})

const shown = {
  ...summary,
  limits: LimitsView,
  channels: Schema.Array(Schema.String).annotate({
    description: "The channels that the level unlocks.",
  }),
  channel_friction_reduced: Schema.optionalKey(Schema.Boolean).annotate({
    description: "Whether steps were skipped because a channel knows the payer.",
  }),
  friction_reduction_channels: Schema.optionalKey(Schema.Array(Schema.String)).annotateKey({
    description: "The channels that know the payer, so that steps were skipped.",
  }),
}

/** The example of a basic verification. */
const basicShown = {
  ...basic,
  data: { email: "buyer@example.com", phone: "+14155550123" },
  limits: {
    daily: wholeDollars(1_000),
    per_transaction: wholeDollars(100),
  },
  channels: ["wallet_a", "wallet_b", "wallet_c"],
}

/** The example of an opened verification. */
export const exampleOpened = {
  account_id: "acct_01997d3e-8a00-7000-8000-000000000001",
  ...basicShown,
  channel_credentials: {},
}

/** A verification as its account sees it. */
export const VerificationView = Schema.Struct({
  ...shown,
  data: IdentityData.annotate({
    identifier: "KycDataShown",
    description:
      "The submitted data. Of a document's number only the end is shown. Empty after erasure.",
    examples: [{ email: "buyer@example.com", phone: "+14155550123" }],
  }),
}).annotate({
  identifier: "KycVerification",
  description: "A verification of an agent.",
  examples: [basicShown],
})

/** A verification in a reviewer's list. */
export const ReviewedView = Schema.Struct({
  account_id: Schema.String.annotate({ description: "The account that submitted the data." }),
  ...summary,
}).annotate({
  identifier: "KycReviewedVerification",
  description: "A verification of any account, without the submitted data.",
  examples: [{ account_id: "acct_01997d3e-8a00-7000-8000-000000000001", ...basic }],
})

/** A verification as its reviewer sees it. */
export const OpenedView = Schema.Struct({
  account_id: Schema.String.annotateKey({ description: "The account's id." }),
  ...shown,
  data: IdentityData.annotate({
    identifier: "KycDataOpened",
    description: "The submitted data in full. Empty after erasure.",
    examples: [{ email: "buyer@example.com", phone: "+14155550123" }],
  }),
  channel_credentials: ChannelCredentials.annotate({
    identifier: "KycCredentialsOpened",
    description: "The payer's ids at channels.",
    examples: [{ wallet_a_user_id: "2088-0001" }],
  }),
}).annotate({
  identifier: "KycOpenedVerification",
  description: "A verification with all submitted data.",
  examples: [exampleOpened],
})

/** An agent with its level. */
export const AgentView = Schema.Struct({
  agent_id: Schema.String.annotateKey({
    description: "The agent's id, chosen by its account.",
  }),
  level: Schema.Literals(KYC_LEVELS).annotate({ description: "The level in force." }),
  limits: LimitsView.annotateKey({
    description: "The level's payment limits in whole US dollars.",
  }),
  channels: Schema.Array(Schema.String).annotateKey({
    description: "The channels that the level may pay through.",
  }),
  verifications: Schema.Array(SummaryView).annotate({
    description: "The 20 newest verifications, newest first.",
  }),
  expires_at: Schema.optionalKey(Time).annotate({
    description: "When the level in force expires, unless it is verified again.",
  }),
}).annotate({
  identifier: "KycAgent",
  description: "An agent's verified level, with its limits and channels.",
  examples: [
    {
      agent_id: "agent_buyer",
      level: "anonymous",
      limits: {
        daily: wholeDollars(100),
        per_transaction: wholeDollars(10),
      },
      channels: ["wallet_a", "wallet_b"],
      verifications: [],
    },
  ],
})
