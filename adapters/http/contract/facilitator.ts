import { Context } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { challengeRules, PayForResourceInput } from "../../../core/challenges/ChallengeInput.ts"
import { ChallengeView, exampleDemand } from "../../../core/challenges/ChallengeView.ts"
import { DiscoveryQuery, DiscoveryResponse } from "../../shared/x402/Discovery.ts"
import {
  FacilitatorRequest,
  SettleResponse,
  SupportedResponse,
  VerifyResponse,
} from "../../shared/x402/Wire.ts"
import { AccountKey } from "./Access.ts"
import { account } from "./Endpoint.ts"
import { ANY, refusals } from "./Errors.ts"
import { CREATION } from "./paymentIntents.ts"
import { Audiences, MayBeStale, Group, Rate, Unscoped } from "./Route.ts"

/** Settles payments for sellers' x402 servers, and begins those of buyers (x402 version 2). */
export const facilitator = HttpApiGroup.make("facilitator")
  .add(
    account.post("verify", "/v1/x402/verify", {
      summary: "Check whether an x402 payload would be settled (seller)",
      description:
        "Changes no payment. Set the facilitator of any x402 server to `/v1/x402` of this " +
        "service, with the API key as Bearer in its authentication headers. Use it before " +
        "you do the work, and settle afterwards.",
      payload: FacilitatorRequest,
      idempotency: "none",
      annotations: Unscoped.context(true),
      success: VerifyResponse,
    }),
    account.post("settle", "/v1/x402/settle", {
      summary: "Settle an x402 payload (seller)",
      description:
        "Captures the payment, once for each payload. A repeated payload gets the same " +
        "answer. With an `Idempotency-Key`, only repetitions with the same key do. Another " +
        "key gets `payment_already_settled`, so that one payment opens one response. Use " +
        "it when the answer is ready; to check only, verify. Where a request is served only " +
        "after this (`extra.paymentFlow: upfront`, and the hold of `auth-capture`), a " +
        "repetition without a key gets `payment_already_settled`, too. In the scheme `upto`, the " +
        "required amount is the amount used: it is captured and the rest is released. `0` " +
        "releases everything. A payment is not settled if another amount was captured, if a " +
        "part of it was given back, or if it is the deposit of a session.",
      payload: FacilitatorRequest,
      annotations: Context.merge(Rate.context("reserve"), Unscoped.context(true)),
      success: SettleResponse,
    }),
    account.post("pay", "/v1/x402/payments", {
      audiences: ["buyer"],
      summary: "Start the payment of a resource that is sold by x402 (buyer)",
      description:
        "Returns a link for the payer's wallet, and the token with which the x402 payload " +
        "proves the authorized payment. Use it when a resource answers 402 with x402. For " +
        "a service of the registry, use `POST /v1/payments/one-time`.",
      payload: PayForResourceInput.annotate({
        identifier: "PayForResourceInput",
        description: "The seller's requirements: its `payTo`, amount and `extra.resource`.",
        examples: [
          {
            service_id: "01997d3e-8a00-7000-8000-000000000010",
            amount: exampleDemand.amount,
            resource: "https://weather.example/reports/7",
          },
        ],
      }),
      rules: challengeRules,
      idempotency: "optimistic",
      success: ChallengeView.pipe(HttpApiSchema.status(201)),
      refusals: CREATION,
    }),
  )
  .middleware(AccountKey)
  .add(
    HttpApiEndpoint.get("discover", "/v1/x402/discovery/resources", {
      disableCodecs: true,
      query: DiscoveryQuery,
      success: DiscoveryResponse,
      error: refusals(ANY, ["INVALID_QUERY", "RATE_LIMIT_EXCEEDED"]),
    })
      // Buying agents find services by payport's own search. This route is for clients of x402.
      .annotate(Audiences, ["assistant"])
      .annotate(MayBeStale, true)
      .annotate(OpenApi.Summary, "Discover resources that are sold by x402")
      .annotate(
        OpenApi.Description,
        "Lists resources that were seen to ask for exactly the listed payment. Those that " +
          "no longer do come last, and `probe` says since when. It needs no key. To find " +
          "services, also those not sold by x402, use `GET /v1/services`.",
      ),
    HttpApiEndpoint.get("supported", "/v1/x402/supported", {
      disableCodecs: true,
      success: SupportedResponse,
      error: refusals(ANY),
    })
      .annotate(OpenApi.Summary, "List the schemes that the x402 facilitator settles")
      .annotate(OpenApi.Description, "x402 servers call it when they start. It needs no key."),
  )
  .annotate(Group, "pay")
  .annotate(Audiences, ["seller"])
  .annotate(OpenApi.Title, "x402 facilitator")
  .annotate(
    OpenApi.Description,
    "Accepts payments from our channels' wallets for sellers with any x402 server.",
  )
