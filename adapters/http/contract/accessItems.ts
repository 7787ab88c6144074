import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { IntrospectInput, RegisterItemInput } from "../../../core/revocations/AccessInput.ts"
import { AccountKey } from "./Access.ts"
import { Audiences, Group, Shape } from "./Route.ts"
import { AccessView, ItemView } from "../../../core/revocations/AccessItem.ts"
import { account } from "./Endpoint.ts"

const TARGET = ["revocation_target_invalid_type", "revocation_scope_invalid"] as const

const item = { type: "access_token", id: "tok_8F3a" } as const

/** Access items that payments bought, for the gates of their sellers (Refunds and revocations). */
export const accessItems = HttpApiGroup.make("accessItems")
  .add(
    account.post("register", "/v1/access-items", {
      summary: "Register the access that a payment bought (payee)",
      description:
        "Use it when you grant access for a payment, so that a refund can revoke it. " +
        "Registering an id again replaces its payment and scopes: a refund of the earlier " +
        "payment then leaves it alone. A key that is restricted to services or agents moves " +
        "only items of those. To check access, introspect it.",
      payload: RegisterItemInput.annotate({
        identifier: "RegisterAccessItemInput",
        description: "The access that a payment bought, with its id chosen by the seller.",
        examples: [
          {
            payment_intent: "pi_01997d3e-8a00-7000-8000-000000000020",
            ...item,
            scopes: ["read:full"],
          },
        ],
      }),
      idempotency: "optimistic",
      success: ItemView.pipe(HttpApiSchema.status(201)),
      refusals: [
        ...TARGET,
        "NOT_FOUND",
        "FORBIDDEN",
        "revocation_limit_exceeded",
        { code: "INVALID_TRANSITION", subject: "payment_intent" },
      ],
    }),
    account.post("introspect", "/v1/access-items/introspect", {
      annotations: Group.context("read"),
      summary: "Check whether access is still active",
      description:
        "A scope is allowed when one of `scopes` includes it and none of `revoked_scopes` " +
        "does: `all` includes every scope, and `read:full` includes `read:detail`, which " +
        "includes `read:summary`. With a `scope`, `active` is about that scope. Use it " +
        "whenever access is used. Register the access first.",
      payload: IntrospectInput.annotate({
        identifier: "IntrospectAccessInput",
        description: "The access item that was presented, and optionally the scope to check.",
        examples: [{ ...item, scope: "read:detail" }],
      }),
      // It changes nothing, and a gate needs the current answer.
      idempotency: "none",
      success: AccessView,
      refusals: TARGET,
    }),
  )
  .middleware(AccountKey)
  .annotate(Shape, "nested")
  .annotate(Audiences, ["seller"])
  .annotate(OpenApi.Title, "Access items")
  .annotate(OpenApi.Description, "Access that payments bought and refunds revoked.")
