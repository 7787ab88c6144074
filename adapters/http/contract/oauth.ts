import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  AuthorizationRequest,
  AuthorizationView,
  AuthorizedView,
  AuthorizeInput,
  authorizeRules,
} from "../../../core/oauth/Authorization.ts"
import { AccountKey } from "./Access.ts"
import { account } from "./Endpoint.ts"
import { Audiences, Group, Unscoped } from "./Route.ts"

/** The parameters with which a program sends a person here. */
export const exampleRequest = {
  response_type: "code",
  client_id: "oc_eyJuYW1lIjoiUmVhZGluZyBhc3Npc3RhbnQi.c2lnbmF0dXJl",
  redirect_uri: "http://127.0.0.1:33418/callback",
  code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  code_challenge_method: "S256",
  state: "af0ifjsldkj",
  scope: "read pay",
} as const

/** A person's decisions about programs that request a key over OAuth. */
export const oauth = HttpApiGroup.make("oauth")
  .add(
    account.get("show", "/v1/oauth/authorization", {
      summary: "Show the access that a program requests",
      description:
        "For a consent screen: pass on the query of the program's authorization request. " +
        "The console has such a screen at /console/authorize. Answer with `POST " +
        "/v1/oauth/authorization`.",
      annotations: Group.context("manage"),
      query: AuthorizationRequest.fields,
      success: AuthorizationView,
      refusals: ["INVALID_REQUEST"],
    }),
    account.post("authorize", "/v1/oauth/authorization", {
      summary: "Give a program a key, within limits",
      description:
        "Issues a restricted key under the caller's key. The new key expires and, if it " +
        "may pay, has a budget. Send the person's browser to `redirect_to`: the program " +
        "exchanges the code for the key within a minute. For a program of your own, issue " +
        "a key with `POST /v1/api-keys`.",
      payload: AuthorizeInput.annotate({
        identifier: "AuthorizeInput",
        description: "The program's unchanged request, and the limits that the person chose.",
        examples: [
          {
            request: exampleRequest,
            restrictions: {
              budget: { amount: { currency: "USD", value: 2000 }, period: "monthly" },
              expires_at: "2030-01-31T08:00:00Z",
            },
          },
        ],
      }),
      rules: authorizeRules,
      success: AuthorizedView.pipe(HttpApiSchema.status(201)),
      refusals: ["PLAN_LIMIT_EXCEEDED"],
    }),
  )
  .middleware(AccountKey)
  // A consent is always within the scope of the key.
  .annotate(Unscoped, true)
  .annotate(Audiences, ["assistant"])
  .annotate(OpenApi.Title, "OAuth")
  .annotate(OpenApi.Description, "Programs that ask a person for a key of the account.")
