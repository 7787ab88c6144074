import { Clock, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { namePayer } from "../installs/consent.ts"
import { checkDay, gatePayment } from "../kyc/limits/payers.ts"
import { type KycLevel, lower } from "../channels/Channel.ts"
import { limitsView } from "../kyc/limits/Limits.ts"
import { Installation } from "../ports/Installation.ts"
import { Failure } from "../shared/Failure.ts"
import type { Money } from "../shared/Money.ts"
import { createOneTime } from "./createOneTime.ts"
import type { AttemptInput } from "./IntentInput.ts"

const missing = (field: string) =>
  new Failure({
    code: "MISSING_REQUIRED_FIELD",
    message:
      `The field ${field} is required to pay. To check a payment without making it, send only ` +
      "the amount.",
    field,
    details: [{ field, reason: "is required" }],
  })

const unknownCurrency = (currency: string) =>
  new Failure({
    code: "INVALID_AMOUNT",
    message: `The amount cannot be paid: ${currency} is no ISO 4217 currency.`,
    field: "amount.currency",
    details: { field: "amount.currency", value: currency, constraint: "must be an ISO 4217 code" },
  })

/**
 * Answers what may be paid now, without paying it or taking room in the day's limit. A buyer asks
 * about its own agent. A seller asks about payments to it by any payer.
 */
const ask = Effect.fnUntraced(function* (
  caller: Caller,
  amount: Money,
  named: AttemptInput["payer"],
  claimed: KycLevel | undefined,
) {
  const { currencies, terms } = yield* Installation
  if (!currencies.has(amount.currency)) return yield* unknownCurrency(amount.currency)
  const { spender: held } = yield* namePayer(caller, named)
  const level = claimed === undefined ? held.level : lower(held.level, claimed)
  const spender = { ...held, level }
  const asker = caller.account.id
  const now = yield* Clock.currentTimeMillis
  const { spending } = yield* gatePayment(spender, amount, now, asker)
  yield* checkDay(spender, amount, spending, asker)
  const limits = limitsView(terms.limits, level)
  return { allowed: true, current_kyc_level: level, limits } as const
})

/**
 * Attempts a payment under the payer's limits (HTTP: `POST /v1/payments`). A claimed `kyc_level`
 * can lower the level in force and never raises it. With only the amount it is a question, which is
 * answered with the level and its limits.
 *
 * Fails with `INSUFFICIENT_KYC`, `MISSING_REQUIRED_FIELD`, and as One-Time Pay does.
 */
export const attemptPayment = Effect.fn("attemptPayment")(function* (
  caller: Caller,
  input: AttemptInput,
) {
  const { amount, description, kyc_level, payer, service_id, ...rest } = input
  const asks = service_id === undefined && description === undefined
  if (asks) return yield* ask(caller, amount, payer, kyc_level)
  if (service_id === undefined) return yield* missing("service_id")
  if (description === undefined) return yield* missing("description")
  if (payer === undefined) {
    return yield* new Failure({
      code: "INVALID_PAYER",
      message: "The field payer is not valid: it must have an agent_id.",
      field: "payer",
      details: { field: "payer.agent_id", constraint: "is required" },
    })
  }
  return yield* createOneTime(
    caller,
    { service_id, amount, description, payer, ...rest },
    kyc_level,
  )
})
