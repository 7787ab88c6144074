// Written independently of the core's schemas on purpose: what callers may send is said a second
// time, and requests are judged by it.

import type { Field, Form } from "../auditor/invariants/requestFields.ts"
import { BLOCKS } from "./addressTexts.ts"

const text = (most: number): Form => ({ type: "text", most })
const whole = (least: number, most: number): Form => ({ type: "whole", least, most })
const oneOf = (...values: ReadonlyArray<string>): Form => ({ type: "one of", values })
const KEY: Form = { type: "key" }
const CURRENCY: Form = { type: "currency" }
const BOOLEAN: Form = { type: "boolean" }
const PRICE = whole(1, 1e12)

const needs = (name: string, form: Form, code?: Field["code"]): Field => ({
  name,
  form,
  isRequired: true,
  ...(code !== undefined && { code }),
})
const may = (name: string, form: Form, code?: Field["code"]): Field => ({
  ...needs(name, form, code),
  isRequired: false,
})

const AMOUNT = may("amount", { type: "money" }, "INVALID_AMOUNT")
const PRICED = [AMOUNT, may("currency", CURRENCY, "INVALID_AMOUNT")]
const AGENT = may("agent_id", text(128))
const INTERVAL = oneOf("daily", "weekly", "monthly", "quarterly", "yearly")

/** The arguments of tools of the market, in the order in which these name them. */
export const TOOL_FORMS = {
  quote: [needs("service_id", text(64)), ...PRICED, AGENT],
  pay: [
    needs("service_id", text(64)),
    ...PRICED,
    may("description", { type: "text", most: 1024, isBlock: true }),
    AGENT,
    may("invoice_id", text(64)),
    may("idempotency_key", KEY),
  ],
  subscribe: [
    needs("service_id", text(64)),
    needs("plan_id", text(64)),
    may("interval", INTERVAL),
    ...PRICED,
    AGENT,
    may("idempotency_key", KEY),
  ],
  cancel_subscription: [needs("subscription_id", text(64)), may("now", BOOLEAN)],
  get_payment: [needs("payment_id", text(64)), may("wait_seconds", whole(0, 25))],
  list_payments: [
    may("service_id", text(64)),
    may(
      "status",
      oneOf(
        "pending",
        "qr_generated",
        "scanning",
        "authorized",
        "captured",
        "succeeded",
        "completed",
        "failed",
        "expired",
        "cancelled",
        "voided",
      ),
    ),
    may("limit", whole(1, 50)),
    may("starting_after", text(64)),
  ],
  request_refund: [
    needs("payment_id", text(64)),
    AMOUNT,
    needs("reason", { type: "text", most: 256, isBlock: true, mayHaveCards: true }),
  ],
} as const satisfies { readonly [tool: string]: ReadonlyArray<Field> }

const object = (...fields: ReadonlyArray<Field>): Form => ({ type: "object", fields })
const list = (of: Form): Form => ({ type: "list", of })

/** The fields of a manifest that are played, in the order in which it names them. */
export const MANIFEST_FORM: ReadonlyArray<Field> = [
  needs("name", text(128)),
  needs("description", { type: "text", most: 4096, isBlock: true }),
  needs(
    "payment_methods",
    object(may("one_time", BOOLEAN), may("cumulative", BOOLEAN), may("subscription", BOOLEAN)),
  ),
  needs(
    "pricing",
    object(
      may(
        "one_time",
        list(
          object(needs("amount", PRICE), needs("currency", CURRENCY), needs("label", text(128))),
        ),
      ),
      may(
        "open_amount",
        object(needs("currency", CURRENCY), may("minimum", PRICE), may("maximum", PRICE)),
      ),
      may(
        "cumulative",
        object(
          needs("unit", text(64)),
          needs("rate", { type: "rate" }),
          needs("billing_cycle", INTERVAL),
          may("currency", CURRENCY),
        ),
      ),
      may(
        "subscription",
        list(
          object(
            needs("plan_id", text(64)),
            needs("name", text(128)),
            needs("amount", PRICE),
            needs("currency", CURRENCY),
            needs("interval", INTERVAL),
            may("features", list(text(256))),
          ),
        ),
      ),
    ),
    "INVALID_PRICING",
  ),
  needs("accepted_channels", list({ type: "string", orNull: false })),
  needs("qr_mode", oneOf("dynamic", "static")),
  needs("settlement_currency", CURRENCY),
  needs("endpoint", { type: "string", orNull: false }, "INVALID_URL"),
  may("tags", list(text(64))),
  may("default_channel", { type: "string", orNull: true }),
  may("fallback_channel", { type: "string", orNull: true }),
  may("revocation_policy", object()),
]

const PAYABLE: Form = {
  type: "object",
  words: 'an object such as {"currency": "USD", "value": 699}',
  fields: [needs("currency", CURRENCY), needs("value", { type: "money" })],
}

/** The restrictions of a key, as far as they are played, in the order in which they are named. */
export const KEY_FORM: ReadonlyArray<Field> = [
  may("expires_at", { type: "time", orNull: true }),
  may("restrictions", {
    type: "object",
    words: "an object or null",
    fields: [
      may("routes", list(oneOf("read", "pay", "refund", "manage"))),
      may("services", list(text(64))),
      may("agents", list(text(128))),
      may("addresses", list({ type: "block", right: new Set(BLOCKS) })),
      may("max_amount", PAYABLE),
      may(
        "budget",
        object(
          needs("amount", PAYABLE),
          needs("period", oneOf("daily", "weekly", "monthly", "total")),
        ),
      ),
      may("expires_at", { type: "time", orNull: false }),
    ],
  }),
]
