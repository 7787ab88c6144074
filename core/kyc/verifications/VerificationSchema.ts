import { Schema } from "effect"
import { KYC_LEVELS } from "../../channels/Channel.ts"
import { Time } from "../../shared/Wire.ts"
import { LimitsView, wholeDollars } from "../limits/Limits.ts"
import { ChannelCredentials, IdentityData } from "./Submission.ts"

const RejectionReason = Schema.Struct({
  code: Schema.String.annotate({ description: "Such as `document_mismatch`." }),
  message: Schema.String.annotateKey({ description: "What went wrong, for people." }),
  details: Schema.Record(Schema.String, Schema.String).annotateKey({
    description: "The fields that were wrong, each with why.",
  }),
})

const summary = {
  verification_id: Schema.String.annotate({ description: "`kyc_` and a UUIDv7." }),
  agent_id: Schema.String.annotateKey({ description: "The agent that it is about." }),
  level: Schema.Literals(KYC_LEVELS).annotateKey({ description: "The level that was asked for." }),
  status: Schema.Literals(["unverified", "pending", "verified", "rejected", "expired"]).annotateKey(
    { description: "How far it is; `verified` unlocks the level." },
  ),
  challenge: Schema.optionalKey(
    Schema.Struct({
      type: Schema.String.annotate({ description: "`otp`: a code of six digits." }),
      channels: Schema.Array(Schema.String).annotateKey({
        description: "Where the code was sent: `email`, `sms`.",
      }),
      expires_at: Time.annotateKey({ description: "Until when the code works." }),
    }),
  ).annotate({ description: "The code that has been sent, while it can be answered." }),
  compliance_review_required: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether a person has to look at it.",
  }),
  estimated_review_time_hours: Schema.optionalKey(Schema.Int).annotateKey({
    description: "How long a review takes, in hours.",
  }),
  rejection_reason: Schema.optionalKey(RejectionReason).annotateKey({
    description: "Why it was rejected.",
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
  description: "A verification without what was submitted.",
  examples: [basic],
})

const shown = {
  ...summary,
  limits: LimitsView,
  channels: Schema.Array(Schema.String).annotate({ description: "What the level unlocks." }),
  channel_friction_reduced: Schema.optionalKey(Schema.Boolean).annotate({
    description: "Whether a channel that knows its user made steps needless.",
  }),
  friction_reduction_channels: Schema.optionalKey(Schema.Array(Schema.String)).annotateKey({
    description: "The channels that know the payer, which made steps needless.",
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
      "What was submitted; a document's number by its end. Empty once it has been erased.",
    examples: [{ email: "buyer@example.com", phone: "+14155550123" }],
  }),
}).annotate({
  identifier: "KycVerification",
  description: "What an agent is verified by.",
  examples: [basicShown],
})

/** A verification in a reviewer's list. */
export const ReviewedView = Schema.Struct({
  account_id: Schema.String.annotate({ description: "The account that submitted it." }),
  ...summary,
}).annotate({
  identifier: "KycReviewedVerification",
  description: "A verification of any account, without what was submitted.",
  examples: [{ account_id: "acct_01997d3e-8a00-7000-8000-000000000001", ...basic }],
})

/** A verification as its reviewer sees it. */
export const OpenedView = Schema.Struct({
  account_id: Schema.String.annotateKey({ description: "The account's id." }),
  ...shown,
  data: IdentityData.annotate({
    identifier: "KycDataOpened",
    description: "What was submitted, whole. Empty once it has been erased.",
    examples: [{ email: "buyer@example.com", phone: "+14155550123" }],
  }),
  channel_credentials: ChannelCredentials.annotate({
    identifier: "KycCredentialsOpened",
    description: "What channels call the payer.",
    examples: [{ wallet_a_user_id: "2088-0001" }],
  }),
}).annotate({
  identifier: "KycOpenedVerification",
  description: "A verification with all that was submitted for it.",
  examples: [exampleOpened],
})

/** An agent with its level. */
export const AgentView = Schema.Struct({
  agent_id: Schema.String.annotateKey({
    description: "The agent, by the name that its account gave it.",
  }),
  level: Schema.Literals(KYC_LEVELS).annotate({ description: "The level in force." }),
  limits: LimitsView.annotateKey({ description: "What the level may pay, in whole US dollars." }),
  channels: Schema.Array(Schema.String).annotateKey({
    description: "The channels that the level may pay through.",
  }),
  verifications: Schema.Array(SummaryView).annotate({
    description: "The newest 20, newest first.",
  }),
  expires_at: Schema.optionalKey(Time).annotate({
    description: "When the level in force ends unless it is verified again.",
  }),
}).annotate({
  identifier: "KycAgent",
  description: "What an agent is verified for.",
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
