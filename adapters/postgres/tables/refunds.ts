import type { Refund, RefundCommon, RevokeRequest } from "../../../core/refunds/Refund.ts"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import {
  boolean,
  id,
  integer,
  json,
  makeTable,
  minorUnits,
  nullable,
  text,
  timestamp,
  uuid,
  word,
} from "./Table.ts"

type Flat = Omit<RefundCommon, "amount" | "settlement" | "fx_spread" | "service_fee"> & {
  readonly status: Refund["status"]
  readonly amount_currency: string
  readonly amount_value: number
  readonly settlement_currency: string
  readonly settlement_value: number
  readonly fx_spread: number
  readonly service_fee: number
  readonly succeeded_at: Timestamp | null
  readonly failed_at: Timestamp | null
  readonly channel_reason: string | null
}

const flatten = ({ amount, fx_spread, service_fee, settlement, ...refund }: Refund): Flat => ({
  ...refund,
  amount_currency: amount.currency,
  amount_value: amount.value,
  settlement_currency: settlement.currency,
  settlement_value: settlement.value,
  fx_spread: fx_spread.value,
  service_fee: service_fee.value,
  succeeded_at: refund.status === "succeeded" ? refund.succeeded_at : null,
  failed_at: refund.status === "failed" ? refund.failed_at : null,
  channel_reason: refund.status === "failed" ? refund.channel_reason : null,
})

/** The CHECKs of the table say which facts each state has, so a row reads as one of the states. */
const restore = (flat: Flat): Refund => {
  const { amount_currency, amount_value, settlement_currency, settlement_value, ...rest } = flat
  const { channel_reason, failed_at, fx_spread, service_fee, succeeded_at, ...refund } = rest
  const common = {
    ...refund,
    amount: { currency: amount_currency, value: amount_value },
    settlement: { currency: settlement_currency, value: settlement_value },
    fx_spread: { currency: settlement_currency, value: fx_spread },
    service_fee: { currency: settlement_currency, value: service_fee },
  }
  if (succeeded_at !== null) return { ...common, status: "succeeded", succeeded_at }
  return failed_at === null || channel_reason === null
    ? { ...common, status: "pending" }
    : { ...common, status: "failed", failed_at, channel_reason }
}

export const refunds = makeTable<"refund", Flat>({
  kind: "refund",
  name: "refunds",
  prefix: "ref",
  columns: {
    id: id("ref"),
    version: integer,
    status: word(),
    payment_intent: id("pi"),
    account_id: id("acct"),
    payee_account_id: id("acct"),
    service_id: uuid,
    amount_currency: text,
    amount_value: minorUnits,
    settlement_currency: text,
    settlement_value: minorUnits,
    fx_spread: minorUnits,
    service_fee: minorUnits,
    partial: boolean,
    reason: nullable(text),
    description: nullable(text),
    revoke: nullable(json<RevokeRequest>()),
    channel: text,
    channel_request: id("creq"),
    succeeded_at: nullable(timestamp),
    failed_at: nullable(timestamp),
    channel_reason: nullable(text),
    created_at: timestamp,
    updated_at: timestamp,
  },
  flatten,
  restore,
})
