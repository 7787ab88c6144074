import { Effect } from "effect"
import { gatePayment, type KnownSpender, type NamedPayer, namePayer } from "../kyc/limits/payers.ts"
import type { IntentCommon } from "./PaymentIntent.ts"
import type { Account, Caller } from "../accounts/Account.ts"
import { budgetFor, installOf } from "../installs/installOf.ts"
import type { Budget } from "../installs/Budget.ts"
import type { Install } from "../installs/Install.ts"
import { type KycLevel, lower } from "../channels/Channel.ts"
import type { CreateIntentInput } from "./IntentInput.ts"
import { NOTHING_REFUNDED } from "./Refunded.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { checkCurrency, findPayable } from "../registry/findPayable.ts"
import type { PaymentNumbers } from "./registerCharges.ts"

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
}

/** A new payment before a channel has been chosen for it, and what the choice depends on. */
export interface IntentDraft {
  readonly intent: Omit<IntentCommon, "settlement" | "fees" | "channel" | "offers">
  readonly service: ServiceManifest
  /** The payer's. Who is named by nobody is known to the channel, and may use all of them. */
  readonly level: KycLevel
  readonly install: Install | undefined
  /** The channel that the install prefers. */
  readonly preference: string | undefined
  /** The payer's wallets, as far as they are known. */
  readonly detected: ReadonlyArray<string>
  readonly spender: KnownSpender | null
  /** What the payment takes of its install's spend cap; null where there is none. */
  readonly budget: Budget | null
}

/**
 * Drafts a payment, which takes nothing yet of anybody's limits: see `commitPayment`. `lifetime` is
 * in milliseconds.
 *
 * Fails with `INSUFFICIENT_KYC`.
 */
export const draftIntent = Effect.fnUntraced(function* (
  { account_id, capped, invoice, payee, payer, service, spender }: Parties,
  terms: Pick<Terms, "amount" | "description" | "return_url" | "metadata">,
  lifetime: number,
  numbers: PaymentNumbers,
) {
  const created_at = yield* numbers.created_at
  const gated = spender === null ? null : yield* gatePayment(spender, terms.amount, created_at)
  const install =
    payer.account_id === null || payer.agent_id === null
      ? undefined
      : yield* installOf(payer.account_id, payer.agent_id, service.id)
  const budget = capped ? yield* budgetFor(install, terms.amount, created_at) : null
  const spending = gated === null || budget === null ? gated : { ...gated, capped: budget.spending }
  const draft: IntentDraft = {
    intent: {
      id: numbers.id(),
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
    },
    service,
    level: spender?.level ?? "business",
    install,
    preference: install?.channel_preference ?? undefined,
    detected: [...(install?.channels ?? []), ...(spender?.detected ?? [])],
    spender,
    budget,
  }
  return draft
})

/**
 * Drafts what a caller asks for, of an active service.
 *
 * Fails with `NOT_FOUND`, `SERVICE_NOT_ACTIVE`, `INVALID_AMOUNT`, `FORBIDDEN` and
 * `INSUFFICIENT_KYC`.
 */
export const draftRequested = Effect.fnUntraced(function* (
  caller: Caller,
  terms: Terms,
  lifetime: number,
  numbers: PaymentNumbers,
  claimed?: KycLevel,
) {
  const { service, payee } = yield* findPayable(caller, terms.service_id)
  yield* checkCurrency(service, terms.amount)
  const payer = yield* namePayer(caller, terms.payer)
  const spender = lowered(payer.spender, claimed)
  const { id: account_id } = caller.account
  return yield* draftIntent(
    { account_id, service, payee, payer, spender, invoice: null, capped: true },
    terms,
    lifetime,
    numbers,
  )
})
