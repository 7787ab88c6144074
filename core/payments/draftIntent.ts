import { Effect } from "effect"
import { type NamedPayer, namePayer } from "../installs/consent.ts"
import { checkDay, gatePayment, type KnownSpender } from "../kyc/limits/payers.ts"
import type { IntentCommon } from "./PaymentIntent.ts"
import type { Account, Caller } from "../accounts/Account.ts"
import { budgetFor, installOf } from "../installs/consent.ts"
import type { Budget } from "../installs/Budget.ts"
import type { Install } from "../installs/Install.ts"
import { type KycLevel, lower } from "../channels/Channel.ts"
import type { CreateIntentInput } from "./IntentInput.ts"
import type { HeldLimits } from "./HeldLimits.ts"
import { type KeySpending, keySpending } from "../keys/keySpending.ts"
import { NOTHING_REFUNDED } from "./Refunded.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { checkCurrency, findPayable } from "../registry/findPayable.ts"
import type { Guard } from "../commits/Commit.ts"
import type { Refusal } from "../kyc/limits/Limits.ts"
import type { PaymentNumbers } from "./registerCharges.ts"

/** The input of both flows. */
type Terms = Omit<CreateIntentInput, "type" | "payer_channel">

/** Returns the spender, at the claimed level if that is lower. */
const lowered = (spender: KnownSpender, claimed: KycLevel | undefined) =>
  claimed === undefined ? spender : { ...spender, level: lower(spender.level, claimed) }

/** The parties of a payment and the service that it buys. */
export interface Parties {
  /** The account that creates the payment. */
  readonly account_id: string
  readonly service: ServiceManifest
  readonly payee: Pick<Account, "agent_id" | "merchant_account">
  readonly payer: Pick<NamedPayer, "account_id" | "agent_id" | "human_id">
  /** The owner of the limits that the payment counts against. */
  readonly spender: KnownSpender
  /** The consent that allows naming somebody else's agent. */
  readonly consent?: ReadonlyArray<Guard>
  /** Whether the payment counts against a day's limit only from its capture on. */
  readonly countedLater?: boolean
  readonly invoice: string | null
  /** Whether it counts against the spend cap of the payer's install. */
  readonly capped: boolean
  /** The payment's part of the budgets of the key that makes it. */
  readonly keyed?: KeySpending | undefined
}

/** A new payment before its channel is chosen, and what the choice depends on. */
export interface IntentDraft {
  readonly intent: Omit<IntentCommon, "settlement" | "fees" | "channel" | "offers">
  readonly service: ServiceManifest
  /** The payer's level. A payer known only to the channel may use all channels. */
  readonly level: KycLevel
  readonly install: Install | undefined
  /** The channel that the install prefers. */
  readonly preference: string | undefined
  /** The payer's known wallets. */
  readonly detected: ReadonlyArray<string>
  readonly spender: KnownSpender
  /** The limits that a refusal states. */
  readonly limits: Refusal
  readonly consent: ReadonlyArray<Guard>
  /** The payment's part of its install's spend cap; null without a cap. */
  readonly budget: Budget | null
  readonly keyed?: KeySpending | undefined
}

/**
 * Drafts a payment. It takes nothing of any limits yet: see `commitPayment`. `lifetime` is in
 * milliseconds.
 *
 * Fails with `INSUFFICIENT_KYC`.
 */
export const draftIntent = Effect.fnUntraced(function* (
  parties: Parties,
  terms: Pick<Terms, "amount" | "description" | "return_url" | "metadata">,
  lifetime: number,
  numbers: PaymentNumbers,
) {
  const { account_id, capped, consent = [], countedLater = false } = parties
  const { invoice, payee, payer, service, spender } = parties
  const created_at = yield* numbers.created_at
  const gate = yield* gatePayment(spender, terms.amount, created_at, account_id)
  const within = gate.spending
  // Nobody is asked for money that the day's limit has no room to capture.
  if (countedLater) yield* checkDay(spender, terms.amount, within, account_id)
  const gated = countedLater ? { ...within, counters: [] } : within
  const install =
    payer.account_id === null || payer.agent_id === null
      ? undefined
      : yield* installOf(payer.account_id, payer.agent_id, service.id)
  const budget = capped ? yield* budgetFor(install, terms.amount, created_at) : null
  const { keyed } = parties
  const spending: HeldLimits = {
    ...gated,
    ...(budget !== null && { capped: budget.spending }),
    ...(keyed && {
      keyed: keyed.reservations.map(({ add, counter }) => ({ value: add, counters: [counter] })),
    }),
  }
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
      traceparent: null,
    },
    service,
    level: spender.party === "payer" ? spender.level : "business",
    install,
    preference: install?.channel_preference ?? undefined,
    detected: [...(install?.channels ?? []), ...spender.detected],
    spender,
    limits: gate.limits,
    consent,
    budget,
    keyed,
  }
  return draft
})

/** How limits apply to a payment that a caller requests. */
export interface RequestedLimits extends Pick<Parties, "countedLater"> {
  /** A level that can lower the one in force. */
  readonly claimed?: KycLevel | undefined
}

/**
 * Drafts the payment that a caller requests, for an active service.
 *
 * Fails with `NOT_FOUND`, `SERVICE_NOT_ACTIVE`, `INVALID_AMOUNT`, `FORBIDDEN` and
 * `INSUFFICIENT_KYC`.
 */
export const draftRequested = Effect.fnUntraced(function* (
  caller: Caller,
  terms: Terms,
  lifetime: number,
  numbers: PaymentNumbers,
  { claimed, countedLater = false }: RequestedLimits = {},
) {
  const sale = yield* findPayable(caller, terms.service_id)
  yield* checkCurrency(sale.service, terms.amount)
  const { consent, spender: named, ...payer } = yield* namePayer(caller, terms.payer, sale)
  const spender = lowered(named, claimed)
  const { id: account_id } = caller.account
  // Few keys are restricted. All others skip this.
  const keyed =
    caller.restrictions == null
      ? undefined
      : yield* keySpending(caller, terms.amount, yield* numbers.created_at)
  const limits = {
    spender,
    consent,
    countedLater,
    capped: true,
    keyed: countedLater ? undefined : keyed,
  }
  return yield* draftIntent(
    { account_id, ...sale, payer, ...limits, invoice: null },
    terms,
    lifetime,
    numbers,
  )
})
