import { Clock, Effect } from "effect"
import type { Account, Caller } from "../accounts/Account.ts"
import { installOf } from "../installs/installOf.ts"
import { budgetFor, spendWithin } from "../installs/spendWithin.ts"
import { reserve } from "../kyc/limits/Gate.ts"
import { gatePayment, withinDay } from "../kyc/limits/gatePayment.ts"
import { type KycLevel, lower } from "../shared/KycLevel.ts"
import type { KnownSpender } from "../kyc/agents/spenderOf.ts"
import { Ids } from "../ports/Ids.ts"
import { type Commit, Store } from "../ports/Store.ts"
import type { CreateIntentInput } from "./IntentInput.ts"
import { NOTHING_REFUNDED } from "./Refunded.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { checkCurrency, findPayable } from "../registry/findPayable.ts"
import { type NamedPayer, namePayer } from "../kyc/agents/namePayer.ts"
import type { IntentCommon } from "./PaymentIntent.ts"

/** What both flows are asked for. */
type Terms = Omit<CreateIntentInput, "type" | "payer_channel">

/** Who pays, at a lower level where that is claimed. */
const lowered = (spender: KnownSpender | null, claimed: KycLevel | undefined) =>
  spender === null || claimed === undefined
    ? spender
    : { ...spender, level: lower(spender.level, claimed) }

/** Who pays whom for what. */
export interface Parties {
  /** The account that creates the payment. */
  readonly account_id: string
  readonly service: ServiceManifest
  readonly payee: Pick<Account, "agent_id" | "merchant_account">
  readonly payer: Omit<NamedPayer, "spender">
  /** Whose limits it counts against; null when nobody in particular is named. */
  readonly spender: KnownSpender | null
  readonly invoice: string | null
  /** Whether it counts against the spend cap of the payer's install. */
  readonly capped: boolean
  /** The payment's id where it has one already. */
  readonly id?: string | undefined
}

/**
 * A new payment before a channel has been chosen for it, the service that is paid, the payer's
 * level, install and known wallets, and the place within the payer's limits that its commit has to
 * take. `lifetime` is in milliseconds.
 *
 * Fails with `INSUFFICIENT_KYC`.
 */
export const beginIntent = Effect.fnUntraced(function* (
  { account_id, capped, id, invoice, payee, payer, service, spender }: Parties,
  terms: Pick<Terms, "amount" | "description" | "return_url" | "metadata">,
  lifetime: number,
) {
  const created_at = yield* Clock.currentTimeMillis
  const gated = spender === null ? null : yield* gatePayment(spender, terms.amount, created_at)
  const install =
    payer.account_id === null || payer.agent_id === null
      ? undefined
      : yield* installOf(payer.account_id, payer.agent_id, service.id)
  const budget = capped ? yield* budgetFor(install, terms.amount, created_at) : null
  const spending = gated === null || budget === null ? gated : { ...gated, capped: budget.spending }
  const started: Omit<IntentCommon, "settlement" | "fees" | "channel" | "offers"> = {
    id: id ?? `pi_${(yield* Ids).uuid()}`,
    version: 1,
    account_id,
    payee_account_id: service.account_id,
    payer_account_id: payer.account_id,
    service_id: service.id,
    amount: terms.amount,
    refunded: NOTHING_REFUNDED,
    spending,
    description: terms.description,
    payer: { agent_id: payer.agent_id, human_id: payer.human_id, wallet_id: null },
    payee: { agent_id: payee.agent_id, merchant_account: payee.merchant_account },
    trade_no: null,
    return_url: terms.return_url ?? null,
    invoice,
    metadata: terms.metadata ?? null,
    created_at,
    expires_at: created_at + lifetime,
    channel_asks: 0,
  }
  const level: KycLevel = spender?.level ?? "business"
  const reservations = gated === null ? [] : reserve(level, gated)
  const within = withinDay(spender, terms.amount, gated?.cents ?? 0)
  const store = yield* Store
  const place = {
    reservations,
    within,
    /** Stores a commit that makes the payment, where the payer's limits and cap have room. */
    commit: (commit: Commit) => {
      const whole = { ...commit, reservations: [...(commit.reservations ?? []), ...reservations] }
      return install === undefined || budget === null
        ? within(store.commit(whole))
        : within(spendWithin(account_id, install, budget, whole))
    },
  }
  const detected = [...(install?.channels ?? []), ...(spender?.detected ?? [])]
  const preference = install?.channel_preference ?? undefined
  return { service, started, level, install, preference, detected, place }
})

/** What {@link beginIntent} found out. */
export type Started = Effect.Success<ReturnType<typeof beginIntent>>

/**
 * The same for what a caller asks for, of an active service.
 *
 * Fails with `NOT_FOUND`, `SERVICE_NOT_ACTIVE`, `INVALID_AMOUNT`, `FORBIDDEN` and
 * `INSUFFICIENT_KYC`.
 */
export const startIntent = Effect.fnUntraced(function* (
  caller: Caller,
  terms: Terms,
  lifetime: number,
  { claimed, id }: { readonly claimed?: KycLevel | undefined; readonly id?: string } = {},
) {
  const { service, payee } = yield* findPayable(caller, terms.service_id)
  yield* checkCurrency(service, terms.amount)
  const payer = yield* namePayer(caller, terms.payer)
  const spender = lowered(payer.spender, claimed)
  const { id: account_id } = caller.account
  return yield* beginIntent(
    { account_id, service, payee, payer, spender, invoice: null, capped: true, id },
    terms,
    lifetime,
  )
})
