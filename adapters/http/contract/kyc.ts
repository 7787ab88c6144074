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
      summary: "Submit identity data, or the code that was sent",
      description:
        "Use it after `INSUFFICIENT_KYC`, with the data that the level requires. Then use " +
        "it again with `verification_id` and the code that was sent, as `otp`.",
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
          description: "The code was correct, or a check failed: see `rejection_reason`.",
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
        "Use it to see the state of one submission. An agent's current limits are at " +
        "`/v1/kyc/agents/{agent_id}`.",
      success: VerificationView,
      refusals: ["NOT_FOUND"],
    }),
    account.get("getAgent", "/v1/kyc/agents/:agent_id", {
      summary: "Show an agent's level and limits",
      description:
        "Use it to see what an agent may pay, before it tries to pay. The state of a " +
        "submission is at `/v1/kyc/verifications/{id}`.",
      params: {
        agent_id: Schema.String.annotate({
          description: "An agent of the account. An unknown name counts as an anonymous agent.",
        }),
      },
      success: AgentView,
    }),
    account.post("appeal", "/v1/kyc/appeal", {
      summary: "Appeal against a rejection",
      description:
        "Use it once for a wrong rejection. If you have better data, submit it again instead.",
      payload: AppealInput.annotate({
        identifier: "KycAppealInput",
        description: "The reasons why a rejection is wrong.",
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
      description: "Use it to see the decision, or when to expect it.",
      success: AppealView,
      refusals: ["NOT_FOUND"],
    }),
  )
  .middleware(AccountKey)
  .annotate(Shape, "nested")
  .annotate(Audiences, ["buyer"])
  .annotate(OpenApi.Title, "Identity verification")
  .annotate(
    OpenApi.Description,
    "The persons and businesses that agents act for, and the resulting payment limits.",
  )

/** The verifications that operators review. */
export const kycReviews = HttpApiGroup.make("kycReviews")
  .add(
    operator.get("list", "/v1/kyc/verifications", {
      mayBeStale: true,
      summary: "List verifications",
      description:
        "Verifications of all accounts, newest first. `status=pending` lists the undecided " +
        "ones. To see the submitted data, open a case.",
      query: ListVerificationsQuery.fields,
      success: page(ReviewedView),
    }),
    operator.get("open", "/v1/kyc/verifications/:id/case", {
      summary: "Open a verification with its submitted data",
      description:
        "Each opening is recorded in the audit log. Use it to decide. Lists show no " +
        "personal data.",
      annotations: Role.context("review"),
      success: OpenedView,
      refusals: ["NOT_FOUND"],
    }),
    operator.get("listAppeals", "/v1/kyc/appeals", {
      mayBeStale: true,
      summary: "List appeals",
      description:
        "Appeals of all accounts, newest first. `status=under_review` lists the undecided " +
        "ones. To see an appeal's reason, open its case.",
      query: ListAppealsQuery.fields,
      success: page(ReviewedAppealView),
    }),
    operator.get("openAppeal", "/v1/kyc/appeals/:id/case", {
      summary: "Open an appeal with its reason and verification",
      description:
        "Each opening is recorded in the audit log. Use it to decide. Lists show no reasons.",
      annotations: Role.context("review"),
      success: OpenedAppealView,
      refusals: ["NOT_FOUND"],
    }),
    operator.post("review", "/v1/kyc/verifications/:id/review", {
      summary: "Approve or reject a verification",
      description:
        "For reviewers, after opening the case. To decide an appeal, use its own request.",
      payload: ReviewInput.annotate({
        identifier: "KycReviewInput",
        description: "The decision and its reason. The account sees the reason of a rejection.",
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
    "For the operator's reviewers. The audit log records openings and decisions. If two " +
      "named keys have the role `review`, a decision that raises limits (an approval or an " +
      "overturned rejection) takes two operators: the first answer still shows the case as " +
      "undecided.",
  )
