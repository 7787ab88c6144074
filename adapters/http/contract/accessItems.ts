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
      summary: "Register what a payment bought (payee)",
      description:
        "Use it when you give access for a payment, so that a refund can take it away. To " +
        "check an access, introspect it.",
      payload: RegisterItemInput.annotate({
        identifier: "RegisterAccessItemInput",
        description: "What a payment bought, by the seller's own identifier.",
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
      summary: "Ask what is left of an access",
      description:
        "A scope is allowed when one of `scopes` holds it and none of `revoked_scopes` does: " +
        "`all` holds every scope, `read:full` holds `read:detail`, which holds " +
        "`read:summary`. With a `scope`, `active` answers for that one. Use it whenever " +
        "access is used; what a payment bought is registered first.",
      payload: IntrospectInput.annotate({
        identifier: "IntrospectAccessInput",
        description: "What a gate was shown, and optionally the scope that it is to allow.",
        examples: [{ ...item, scope: "read:detail" }],
      }),
      success: AccessView,
      refusals: TARGET,
    }),
  )
  .middleware(AccountKey)
  .annotate(Shape, "nested")
  .annotate(Audiences, ["seller"])
  .annotate(OpenApi.Title, "Access items")
  .annotate(OpenApi.Description, "What payments bought and what refunds revoked of it.")
