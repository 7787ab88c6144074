import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { IntrospectInput, RegisterItemInput } from "../../../core/revocations/AccessInput.ts"
import { AccountKey } from "./Access.ts"
import { ANY, BODY, KEYED, refusals, ONCE } from "./Errors.ts"
import { Idempotency, Shape } from "./Route.ts"
import { AccessView, ItemView } from "../../../core/revocations/AccessItem.ts"

const TARGET = ["revocation_target_invalid_type", "revocation_scope_invalid"] as const

const item = { type: "access_token", id: "tok_8F3a" } as const

/** What payments bought, for the gates of their sellers (Refunds and revocations). */
export const accessItems = HttpApiGroup.make("accessItems")
  .add(
    HttpApiEndpoint.post("register", "/v1/access-items", {
      disableCodecs: true,
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
      success: ItemView.pipe(HttpApiSchema.status(201)),
      error: refusals(ANY, KEYED, BODY, ONCE, TARGET, [
        "NOT_FOUND",
        "FORBIDDEN",
        "revocation_limit_exceeded",
        { code: "INVALID_TRANSITION", subject: "payment_intent" },
      ]),
    })
      .annotate(Idempotency, "optimistic")
      .annotate(OpenApi.Summary, "Register what a payment bought (payee)"),
    HttpApiEndpoint.post("introspect", "/v1/access-items/introspect", {
      disableCodecs: true,
      payload: IntrospectInput.annotate({
        identifier: "IntrospectAccessInput",
        description: "What a gate was shown, and optionally the scope that it is to allow.",
        examples: [{ ...item, scope: "read:detail" }],
      }),
      success: AccessView,
      error: refusals(ANY, KEYED, BODY, ONCE, TARGET),
    })
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Ask what is left of an access")
      .annotate(
        OpenApi.Description,
        "A scope is allowed when one of `scopes` holds it and none of `revoked_scopes` does: " +
          "`all` holds every scope, `read:full` holds `read:detail`, which holds `read:summary`. " +
          "With a `scope`, `active` answers for that one.",
      ),
  )
  .middleware(AccountKey)
  .annotate(Shape, "nested")
  .annotate(OpenApi.Title, "Access items")
  .annotate(OpenApi.Description, "What payments bought and what refunds revoked of it.")
