import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AppealInput, AppealReviewInput } from "../../../core/kyc/reviews/Appeal.ts"
import { identityRules } from "../../../core/kyc/verifications/Invalid.ts"
import { ReviewInput } from "../../../core/kyc/reviews/ReviewInput.ts"
import { ListAppealsQuery, ListVerificationsQuery } from "../../../core/kyc/reviews/ReviewQuery.ts"
import { VerifyInput } from "../../../core/kyc/verifications/Submission.ts"
import { AccountKey, AdminKey } from "./Access.ts"
import { ANY, atEdge, KEYED, OPERATED, ONCE, refusals } from "./Errors.ts"
import { Idempotency, Role, Rules, Shape, StatusOf } from "./Route.ts"
import { ById, page } from "./Wire.ts"
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

/** What these routes answer for a body: its fields have a code of their own. */
const FIELDS = [
  "INVALID_JSON",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  ...atEdge("validation_error"),
] as const

/** Only what has been submitted and waits is 201. */
const statusOf = (view: object): number => (Reflect.get(view, "status") === "pending" ? 201 : 200)

/** Who an agent is (KYC/KYB). */
export const kyc = HttpApiGroup.make("kyc")
  .add(
    HttpApiEndpoint.post("verify", "/v1/kyc/verify", {
      disableCodecs: true,
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
      success: [
        VerificationView.pipe(HttpApiSchema.status(201)),
        VerificationView.annotate({
          description: "A code was right, or a check has failed: see `rejection_reason`.",
        }).pipe(HttpApiSchema.status(200)),
      ],
      error: refusals(ANY, KEYED, FIELDS, ONCE, [
        "NOT_FOUND",
        "INVALID_TRANSITION",
        "invalid_otp",
        "OTP_RATE_LIMITED",
      ]),
    })
      .annotate(Rules, identityRules)
      .annotate(Idempotency, "checked")
      .annotate(StatusOf, statusOf)
      .annotate(OpenApi.Summary, "Submit data to be verified, or answer a code"),
    HttpApiEndpoint.get("getVerification", "/v1/kyc/verifications/:id", {
      disableCodecs: true,
      params: ById,
      success: VerificationView,
      error: refusals(ANY, KEYED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "Show a verification"),
    HttpApiEndpoint.get("getAgent", "/v1/kyc/agents/:agent_id", {
      disableCodecs: true,
      params: {
        agent_id: Schema.String.annotate({
          description: "An agent of the account; a name that none has is that of an anonymous one.",
        }),
      },
      success: AgentView,
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "Show the level that is in force for an agent"),
    HttpApiEndpoint.post("appeal", "/v1/kyc/appeal", {
      disableCodecs: true,
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
      success: AppealView,
      error: refusals(ANY, KEYED, FIELDS, ONCE, ["NOT_FOUND", "INVALID_TRANSITION"]),
    })
      .annotate(Rules, identityRules)
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Appeal against a rejection"),
    HttpApiEndpoint.get("getAppeal", "/v1/kyc/appeals/:id", {
      disableCodecs: true,
      params: ById,
      success: AppealView,
      error: refusals(ANY, KEYED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "Show an appeal"),
  )
  .middleware(AccountKey)
  .annotate(Shape, "nested")
  .annotate(OpenApi.Title, "Identity verification")
  .annotate(OpenApi.Description, "Who agents act for, and what that allows them to pay.")

/** What the operator's reviewers see and decide. */
export const kycReviews = HttpApiGroup.make("kycReviews")
  .add(
    HttpApiEndpoint.get("list", "/v1/kyc/verifications", {
      disableCodecs: true,
      query: ListVerificationsQuery.fields,
      success: page(ReviewedView),
      error: refusals(ANY, OPERATED),
    })
      .annotate(OpenApi.Summary, "List verifications")
      .annotate(
        OpenApi.Description,
        "Those of all accounts, newest first; `status=pending` are those that nobody has decided.",
      ),
    HttpApiEndpoint.get("open", "/v1/kyc/verifications/:id/case", {
      disableCodecs: true,
      params: ById,
      success: OpenedView,
      error: refusals(ANY, OPERATED, ["NOT_FOUND"]),
    })
      .annotate(Role, "review")
      .annotate(OpenApi.Summary, "Open a verification with what was submitted")
      .annotate(OpenApi.Description, "Each opening is an entry of the audit log."),
    HttpApiEndpoint.get("listAppeals", "/v1/kyc/appeals", {
      disableCodecs: true,
      query: ListAppealsQuery.fields,
      success: page(ReviewedAppealView),
      error: refusals(ANY, OPERATED),
    })
      .annotate(OpenApi.Summary, "List appeals")
      .annotate(
        OpenApi.Description,
        "Those of all accounts, newest first; `status=under_review` are those to be decided.",
      ),
    HttpApiEndpoint.get("openAppeal", "/v1/kyc/appeals/:id/case", {
      disableCodecs: true,
      params: ById,
      success: OpenedAppealView,
      error: refusals(ANY, OPERATED, ["NOT_FOUND"]),
    })
      .annotate(Role, "review")
      .annotate(OpenApi.Summary, "Open an appeal with its reason and verification")
      .annotate(OpenApi.Description, "Each opening is an entry of the audit log."),
    HttpApiEndpoint.post("review", "/v1/kyc/verifications/:id/review", {
      disableCodecs: true,
      params: ById,
      payload: ReviewInput.annotate({
        identifier: "KycReviewInput",
        description: "The decision, and why; the reason of a rejection is told to the account.",
        examples: [{ decision: "approve" }],
      }),
      success: VerificationView,
      error: refusals(ANY, OPERATED, FIELDS, ONCE, ["NOT_FOUND", "INVALID_TRANSITION"]),
    })
      .annotate(Rules, identityRules)
      .annotate(Idempotency, "checked")
      .annotate(Role, "review")
      .annotate(OpenApi.Summary, "Approve or reject a verification"),
    HttpApiEndpoint.post("reviewAppeal", "/v1/kyc/appeals/:id/review", {
      disableCodecs: true,
      params: ById,
      payload: AppealReviewInput.annotate({
        identifier: "KycAppealReviewInput",
        description: "`upheld`: the rejection stands. `overturned`: the verification passes.",
        examples: [{ decision: "overturned" }],
      }),
      success: AppealView,
      error: refusals(ANY, OPERATED, FIELDS, ONCE, ["NOT_FOUND", "INVALID_TRANSITION"]),
    })
      .annotate(Rules, identityRules)
      .annotate(Idempotency, "checked")
      .annotate(Role, "review")
      .annotate(OpenApi.Summary, "Decide about an appeal"),
  )
  .middleware(AdminKey)
  .annotate(Shape, "nested")
  .annotate(OpenApi.Title, "Identity reviews")
  .annotate(
    OpenApi.Description,
    "What the operator's reviewers see and decide. Openings and decisions are in the audit log. " +
      "Where two keys with names have the role `review`, what raises limits (an approval, an " +
      "appeal that is overturned) takes two operators: the first answer shows it undecided still.",
  )
