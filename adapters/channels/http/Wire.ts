import { Schema } from "effect"
import type {
  ChannelOutcome,
  MandateAnswer,
  StatementPage,
  Trade,
} from "../../../core/ports/Channels.ts"
import { CurrencyCode, MAX_VALUE } from "../../../core/shared/Money.ts"
import { line } from "../../../core/shared/Text.ts"
import { fromIso, IsoTime } from "../../../core/shared/Timestamp.ts"

const Name = line(128)
const Reason = line(512)
const Value = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: MAX_VALUE }))
const Amount = Schema.Struct({ currency: CurrencyCode, value: Value })
const Payer = Schema.Struct({ payer_id: Name, wallet_id: Name })

/** The answer to a charge. A deep link has no `qr_data`. */
export const ChargeAnswer = Schema.Struct({
  status: Schema.Literals(["created", "refused"]),
  qr_data: Schema.optionalKey(line(2_048)),
  reason: Schema.optionalKey(Reason),
})

/** The answer to a numbered request, and to a query of its outcome. */
export const RequestAnswer = Schema.Struct({
  number: Name,
  status: Schema.Literals(["done", "pending", "refused"]),
  trade_no: Schema.optionalKey(Name),
  at: Schema.optionalKey(IsoTime),
  reason: Schema.optionalKey(Reason),
})

/** The answer to a query of a charge. */
export const TradeBody = Schema.Struct({
  out_trade_no: Name,
  amount: Amount,
  refunded: Value,
  status: Schema.Literals(["unpaid", "held", "paid", "settled", "closed"]),
  trade_no: Schema.NullOr(Name),
  payer: Schema.optionalKey(Payer),
  reason: Schema.optionalKey(
    Schema.Literals(["REJECTED", "INSUFFICIENT_BALANCE", "CLOSED", "SETTLEMENT_FAILED"]),
  ),
})

/** The answer to every request about a mandate. */
export const MandateBody = Schema.Struct({
  mandate_id: Name,
  status: Schema.Literals(["pending", "active", "revoked"]),
  approval_url: Schema.optionalKey(
    line(2_048).check(Schema.isPattern(/^https?:\/\//i, { expected: "an http or https URL" })),
  ),
})

/** A page of a statement. */
export const StatementBody = Schema.Struct({
  lines: Schema.Array(
    Schema.Struct({
      kind: Schema.Literals(["payment", "refund"]),
      out_trade_no: Name,
      trade_no: Name,
      number: Schema.NullOr(Name),
      amount: Amount,
      status: Schema.Literals(["pending", "settled", "failed"]),
      at: IsoTime,
    }),
  ).check(Schema.isMaxLength(1_000)),
  next: Schema.NullOr(line(512)),
})

/** Returns the outcome of a request; undefined if the answer lacks a field for its status. */
export const outcomeOf = (
  answer: Omit<typeof RequestAnswer.Type, "number">,
): ChannelOutcome | undefined => {
  const { reason, status, trade_no } = answer
  switch (status) {
    case "done": {
      const at = answer.at === undefined ? undefined : fromIso(answer.at)
      return at === undefined || trade_no === undefined ? undefined : { type: "done", at, trade_no }
    }
    case "pending":
      return { type: "pending" }
    case "refused":
      return { type: "refused", message: reason ?? "The channel gives no reason." }
  }
}

/** Returns the state of a mandate. */
export const mandateOf = ({
  approval_url,
  status,
}: Omit<typeof MandateBody.Type, "mandate_id">): MandateAnswer => ({
  type: "known",
  status,
  ...(approval_url !== undefined && { approval_url }),
})

/** Returns a charge's trade; undefined if the answer lacks a field that its status needs. */
export const tradeOf = (body: typeof TradeBody.Type): Trade | undefined => {
  const { amount, out_trade_no, payer, reason, refunded, status, trade_no } = body
  const known = { out_trade_no, amount, refunded }
  if (refunded > amount.value) return undefined
  switch (status) {
    case "unpaid":
      return { ...known, status, trade_no }
    case "closed":
      return { ...known, status, trade_no, reason: reason ?? "CLOSED" }
    default:
      return trade_no === null
        ? undefined
        : { ...known, status, trade_no, ...(payer !== undefined && { payer }) }
  }
}

/** Returns a page of a statement. `next` is the cursor of the next page, null at the end. */
export const pageOf = ({ lines, next }: typeof StatementBody.Type): StatementPage => ({
  lines: lines.map((entry) => ({ ...entry, at: fromIso(entry.at) ?? 0 })),
  next,
})
