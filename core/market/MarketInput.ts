import { Schema } from "effect"
import { paymentFields } from "../payments/IntentInput.ts"
import { SHOWN_STATUSES } from "../payments/PaymentIntent.ts"
import { CreateRefundRequestInput } from "../refundRequests/RefundRequestInput.ts"
import { CurrencyCode } from "../shared/Money.ts"
import { INTERVALS } from "../shared/Period.ts"
import * as Text from "../shared/Text.ts"
import { KeyedToolCall } from "../agents/ToolCall.ts"
import { LONGEST_WAIT } from "./Patience.ts"

const id = Text.line(64)
const optionalId = Schema.optionalKey(id)

const whole = (minimum: number, maximum: number) =>
  Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

const { agent_id, idempotency_key } = KeyedToolCall
const price = {
  amount: Schema.optionalKey(paymentFields.value),
  currency: Schema.optionalKey(CurrencyCode),
}

/** The most services in a search result, and the default number. */
export const MOST_FOUND = 20
export const USUALLY_FOUND = 5

/** The arguments of each tool of the market. */
export const MARKET_INPUTS = {
  search_services: Schema.Struct({
    query: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(1024))),
    max_price: Schema.optionalKey(paymentFields.value),
    currency: price.currency,
    payment_method: Schema.optionalKey(Schema.Literals(["one_time", "cumulative", "subscription"])),
    limit: whole(1, MOST_FOUND),
  }),
  get_service: Schema.Struct({ service_id: id }),
  quote: Schema.Struct({ service_id: id, ...price, agent_id }),
  pay: Schema.Struct({
    service_id: id,
    ...price,
    description: Schema.optionalKey(Text.description(1024)),
    agent_id,
    invoice_id: optionalId,
    idempotency_key,
  }),
  subscribe: Schema.Struct({
    service_id: id,
    plan_id: id,
    interval: Schema.optionalKey(Schema.Literals(INTERVALS)),
    ...price,
    agent_id,
    idempotency_key,
  }),
  cancel_subscription: Schema.Struct({
    subscription_id: id,
    now: Schema.optionalKey(Schema.Boolean),
  }),
  get_payment: Schema.Struct({ payment_id: id, wait_seconds: whole(0, LONGEST_WAIT) }),
  list_payments: Schema.Struct({
    service_id: optionalId,
    status: Schema.optionalKey(Schema.Literals(SHOWN_STATUSES)),
    limit: whole(1, 50),
    starting_after: optionalId,
  }),
  request_refund: Schema.Struct({
    payment_id: id,
    amount: price.amount,
    reason: CreateRefundRequestInput.fields.reason,
  }),
  budget: Schema.Struct({ agent_id }),
} as const

/** The name of a market tool. */
export type MarketToolName = keyof typeof MARKET_INPUTS

/** The arguments of a tool. */
export type MarketInput<N extends MarketToolName> = (typeof MARKET_INPUTS)[N]["Type"]
