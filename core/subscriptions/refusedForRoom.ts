import { Effect } from "effect"
import { MOST_USE, PARTS, type TabPrice } from "../invoices/Tab.ts"
import { levelAbove, type LimitTable, mostAtOnce } from "../kyc/limits/Limits.ts"
import { Installation } from "../ports/Installation.ts"
import type { Conflict } from "../ports/Store.ts"
import { worthOf } from "../pricing/quoteSettlement.ts"
import { Failure, invalidField } from "../shared/Failure.ts"
import { grouped, written } from "../shared/Money.ts"
import type { Room } from "./roomFor.ts"

/** Refuses a report that no level could pay. */
const tooMuch = (limits: LimitTable) =>
  invalidField(
    "quantity",
    "the bill of the period would be more than one payment can have: " +
      `${grouped(mostAtOnce(limits, "business") / 100)} USD`,
  )

/**
 * Turns a conflict at a period's limit into the refusal of a report. Any other conflict, and that
 * of a period that was closed meanwhile, fails unchanged.
 *
 * Fails with `INVALID_REQUEST` for more than the highest level may pay at once, and with
 * `INSUFFICIENT_KYC` for more than the payer's.
 */
export const refusedForRoom = Effect.fnUntraced(function* (
  { currency }: TabPrice,
  { carried, level, reservation: { add, counter } }: Room,
  conflict: Conflict,
) {
  const { reason } = conflict
  const isFull =
    reason.type === "limit_reached" && reason.counter === counter && reason.value <= MOST_USE
  if (!isFull) return yield* conflict
  const { currencies, terms } = yield* Installation
  const { limits } = terms
  const sum = reason.value + add + carried * PARTS
  const amount = { currency, value: Math.ceil(sum / PARTS) }
  const cents = yield* worthOf(amount, "USD", "up").pipe(
    Effect.catchTag("Failure", () => Effect.succeed(Infinity)),
  )
  const required = sum > MOST_USE ? null : levelAbove(limits, level, cents, 0)
  if (required === null) return yield* tooMuch(limits)
  const bill = written(amount, currencies.get(currency) ?? { code: currency, exponent: 0 })
  return yield* new Failure({
    code: "INSUFFICIENT_KYC",
    message:
      `The use was not counted: the bill of the period would be ${bill}, and the agent may not ` +
      `pay that at once. Stop serving it until it has the level ${required}, or until its next ` +
      "period.",
    details: {
      party: "payer",
      requested_amount: amount,
      required_kyc_level: required,
      limit: "per_transaction",
    },
  })
})
