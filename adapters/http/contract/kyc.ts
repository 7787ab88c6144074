import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AppealInput, AppealReviewInput } from "../../../core/kyc/reviews/Appeal.ts"
import { identityRules } from "../../../core/kyc/verifications/Invalid.ts"
import { ReviewInput } from "../../../core/kyc/reviews/ReviewInput.ts"
import { ListAppealsQuery, ListVerificationsQuery } from "../../../core/kyc/reviews/ReviewQuery.ts"
import { VerifyInput } from "../../../core/kyc/verifications/Submission.ts"
import { AccountKey, AdminKey } from "./Access.ts"
import { atEdge } from "./Errors.ts"
import { Audiences, Role, Shape, StatusOf } from "./Route.ts"
import { page } from "./Wire.ts"
import {
  AppealView,
  OpenedAppealView,
  ReviewedAppealView,
} from "../../../core/kyc/reviews/AppealView.ts"
import {
  AgentView,
  OpenedView,
  ReviewedView,
  VerificationView,
} from "../../../core/kyc/verifications/VerificationSchema.ts"
import { account, operator } from "./Endpoint.ts"

/** The refusals of a body on these routes. Their fields have their own code. */
const FIELDS = [
  "INVALID_JSON",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  ...atEdge("validation_error"),
] as const

/** Only a submitted, pending verification is 201. */
const statusOf = (view: object): number => (Reflect.get(view, "status") === "pending" ? 201 : 200)

/** Who an agent is (KYC/KYB). */
export const kyc = HttpApiGroup.make("kyc")
  .add(
    account.post("verify", "/v1/kyc/verify", {
      summary: "Submit data to be verified, or answer a code",
      description:
        "Use it after `INSUFFICIENT_KYC`, with what the level asks for; then again with " +
        "`verification_id` and `otp` for the code that was sent.",
      payload: VerifyInput.annotate({
        identifier: "KycVerifyInput",
        description:
          "Either `agent_id`, `level` and what the level requires of `data`, or the answer to a " +
          "code: `verification_id` and `otp`.",
        examples: [
          {
            agent_id: "agent_buyer",
            level: "basic",
            data: { email: "buyer@example.com", phone: "+14155550123" },
          },
        ],
      }),
      body: FIELDS,
      rules: identityRules,
      annotations: StatusOf.context(statusOf),
      success: [
        VerificationView.pipe(HttpApiSchema.status(201)),
        VerificationView.annotate({
          description: "A code was right, or a check has failed: see `rejection_reason`.",
        }).pipe(HttpApiSchema.status(200)),
      ],
      refusals: [
        "PLAN_LIMIT_EXCEEDED",
        "NOT_FOUND",
        "INVALID_TRANSITION",
        "invalid_otp",
        "OTP_RATE_LIMITED",
      ],
    }),
    account.get("getVerification", "/v1/kyc/verifications/:id", {
      summary: "Show a verification",
      description:
        "Use it to see how one submission stands. What an agent may pay now is at " +
        "`/v1/kyc/agents/{agent_id}`.",
      success: VerificationView,
      refusals: ["NOT_FOUND"],
    }),
    account.get("getAgent", "/v1/kyc/agents/:agent_id", {
      summary: "Show the level that is in force for an agent",
      description:
        "Use it to see what an agent may pay, before it tries. A submission's progress is at " +
        "`/v1/kyc/verifications/{id}`.",
      params: {
        agent_id: Schema.String.annotate({
          description: "An agent of the account; a name that none has is that of an anonymous one.",
        }),
      },
      success: AgentView,
    }),
    account.post("appeal", "/v1/kyc/appeal", {
      summary: "Appeal against a rejection",
      description:
        "Use it once for a rejection that was wrong. With better data, submit again instead.",
      payload: AppealInput.annotate({
        identifier: "KycAppealInput",
        description: "Why a rejection is wrong.",
        examples: [
          {
            verification_id: "kyc_01997d3e-8a00-7000-8000-000000000030",
            reason: "The document is mine; it was renewed last month.",
          },
        ],
      }),
      body: FIELDS,
      rules: identityRules,
      success: AppealView,
      refusals: ["NOT_FOUND", "INVALID_TRANSITION"],
    }),
    account.get("getAppeal", "/v1/kyc/appeals/:id", {
      summary: "Show an appeal",
      description: "Use it to learn what was decided, and by when to expect it.",
      success: AppealView,
      refusals: ["NOT_FOUND"],
    }),
  )
  .middleware(AccountKey)
  .annotate(Shape, "nested")
  .annotate(Audiences, ["buyer"])
  .annotate(OpenApi.Title, "Identity verification")
  .annotate(OpenApi.Description, "Who agents act for, and what that allows them to pay.")

/** The verifications that operators review. */
export const kycReviews = HttpApiGroup.make("kycReviews")
  .add(
    operator.get("list", "/v1/kyc/verifications", {
      mayBeStale: true,
      summary: "List verifications",
      description:
        "Those of all accounts, newest first; `status=pending` are those that nobody has " +
        "decided. To see what was submitted, open a case.",
      query: ListVerificationsQuery.fields,
      success: page(ReviewedView),
    }),
    operator.get("open", "/v1/kyc/verifications/:id/case", {
      summary: "Open a verification with what was submitted",
      description:
        "Each opening is an entry of the audit log. Use it to decide; a list shows no " +
        "personal data.",
      annotations: Role.context("review"),
      success: OpenedView,
      refusals: ["NOT_FOUND"],
    }),
    operator.get("listAppeals", "/v1/kyc/appeals", {
      mayBeStale: true,
      summary: "List appeals",
      description:
        "Those of all accounts, newest first; `status=under_review` are those to be decided. " +
        "To see an appeal's reason, open its case.",
      query: ListAppealsQuery.fields,
      success: page(ReviewedAppealView),
    }),
    operator.get("openAppeal", "/v1/kyc/appeals/:id/case", {
      summary: "Open an appeal with its reason and verification",
      description:
        "Each opening is an entry of the audit log. Use it to decide; a list shows no " +
        "reasons.",
      annotations: Role.context("review"),
      success: OpenedAppealView,
      refusals: ["NOT_FOUND"],
    }),
    operator.post("review", "/v1/kyc/verifications/:id/review", {
      summary: "Approve or reject a verification",
      description: "For reviewers, after opening the case. An appeal has its own decision.",
      payload: ReviewInput.annotate({
        identifier: "KycReviewInput",
        description: "The decision, and why; the reason of a rejection is told to the account.",
        examples: [{ decision: "approve" }],
      }),
      body: FIELDS,
      rules: identityRules,
      annotations: Role.context("review"),
      success: VerificationView,
      refusals: ["NOT_FOUND", "INVALID_TRANSITION"],
    }),
    operator.post("reviewAppeal", "/v1/kyc/appeals/:id/review", {
      summary: "Decide about an appeal",
      description: "For reviewers, after opening the appeal's case. `overturned` grants the level.",
      payload: AppealReviewInput.annotate({
        identifier: "KycAppealReviewInput",
        description: "`upheld`: the rejection stands. `overturned`: the verification passes.",
        examples: [{ decision: "overturned" }],
      }),
      body: FIELDS,
      rules: identityRules,
      annotations: Role.context("review"),
      success: AppealView,
      refusals: ["NOT_FOUND", "INVALID_TRANSITION"],
    }),
  )
  .middleware(AdminKey)
  .annotate(Shape, "nested")
  .annotate(Audiences, ["operator"])
  .annotate(OpenApi.Title, "Identity reviews")
  .annotate(
    OpenApi.Description,
    "What the operator's reviewers see and decide. Openings and decisions are in the audit log. " +
      "Where two keys with names have the role `review`, what raises limits (an approval, an " +
      "appeal that is overturned) takes two operators: the first answer shows it undecided still.",
  )
