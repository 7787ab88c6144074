import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { PLANS } from "../../../core/accounts/Account.ts"
import { OPERATIONS } from "../../../core/billing/Operation.ts"
import { UsageQuery } from "../../../core/billing/showUsage.ts"
import { PageQuery } from "../../../core/shared/Page.ts"
import { AccountKey } from "./Access.ts"
import { ANY, KEYED, refusals } from "./Errors.ts"
import { Amount, ById, page, Timestamp } from "./Wire.ts"

const dollars = (description: string) => Amount.annotate({ description })

const Operation = Schema.Struct({
  operation: Schema.Literals(OPERATIONS),
  count: Schema.Int,
  free_allowance: Schema.NullOr(Schema.Int).annotate({
    description: "How many the plan includes; null is any number.",
  }),
  billable: Schema.Int.annotate({ description: "How many are charged." }),
  unit_price: Schema.String.annotate({ description: "US dollars for one, as an exact decimal." }),
  cost: dollars("Rounded once, half to even."),
})

const Volume = Schema.Struct({
  total: dollars("What was settled in the month, in dollars; refunds take nothing off."),
  by_currency: Schema.Array(
    Schema.Struct({
      amount: dollars("What payers paid in one currency."),
      total: dollars("The same at the mid-market rate."),
    }),
  ),
  cap: Schema.NullOr(Amount).annotate({ description: "Null where the plan has none." }),
  above_cap: dollars("The part of the total that is above the cap."),
  overage_percent: Schema.NullOr(Schema.String).annotate({
    description: "What is charged on that, such as `0.5`; null where the plan has no cap.",
  }),
  overage: dollars("Rounded once, half to even."),
})

const bill = {
  month: Schema.String.annotate({ description: "A UTC month, such as 2026-01." }),
  period_start: Timestamp,
  period_end: Timestamp,
  plan: Schema.Literals(PLANS).annotate({
    description: "The largest plan that the account had in the month.",
  }),
  price: dollars("The plan's price; in an account's first month for the days from its opening."),
  operations: Schema.Array(Operation),
  volume: Volume,
  total: dollars("The price, what the operations cost and the overage."),
}

const usd = (value: number) => ({ currency: "USD", value })

const example = {
  month: "2026-01",
  period_start: "2026-01-01T00:00:00.000Z",
  period_end: "2026-02-01T00:00:00.000Z",
  plan: "starter" as const,
  price: usd(2_900),
  operations: [
    {
      operation: "qr-generation" as const,
      count: 1_500,
      free_allowance: 0,
      billable: 1_500,
      unit_price: "0.001",
      cost: usd(150),
    },
  ],
  volume: {
    total: usd(1_250_000),
    by_currency: [{ amount: usd(1_250_000), total: usd(1_250_000) }],
    cap: usd(1_000_000),
    above_cap: usd(250_000),
    overage_percent: "1.0",
    overage: usd(2_500),
  },
  total: usd(5_550),
}

const Usage = Schema.Struct(bill).annotate({
  identifier: "MonthlyUsage",
  description: "What an account has used in a month, and what that comes to.",
  examples: [example],
})

const Statement = Schema.Struct({
  id: Schema.String,
  ...bill,
  created_at: Timestamp,
}).annotate({
  identifier: "Statement",
  description: "What a month of an account came to.",
  examples: [
    {
      id: "stmt_01997d3e-8a00-7000-8000-000000000050",
      ...example,
      created_at: "2026-02-01T00:01:00.000Z",
    },
  ],
})

/** What the caller's plan costs (Monthly plans, Per-API usage fees). */
export const billing = HttpApiGroup.make("billing")
  .add(
    HttpApiEndpoint.get("usage", "/v1/usage", {
      disableCodecs: true,
      query: UsageQuery.fields,
      success: Usage,
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "Get what was used in a month"),
    HttpApiEndpoint.get("statements", "/v1/billing/statements", {
      disableCodecs: true,
      query: PageQuery.fields,
      success: page(Statement),
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "List the statements, newest first"),
    HttpApiEndpoint.get("statement", "/v1/billing/statements/:id", {
      disableCodecs: true,
      params: ById,
      success: Statement,
      error: refusals(ANY, KEYED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "Get a statement"),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Billing")
