import { defineKind } from "../commits/KindDeclaration.ts"
import { Schema } from "effect"
import type { Timestamp } from "../shared/Timestamp.ts"
import { changeSealed, type PreviousSecret, type SigningSecret } from "./SigningSecret.ts"
import { Time } from "../shared/Wire.ts"
import { exampleKey, IssuedKeyView } from "./ApiKey.ts"
import { shownAs } from "../shared/View.ts"
import type { KeyRestrictions } from "./KeyRestrictions.ts"

/** The kinds of accounts. Sellers register services and are paid; buyers pay. */
export const ACCOUNT_KINDS = ["seller", "buyer"] as const
/** The kind of an account. */
export type AccountKind = (typeof ACCOUNT_KINDS)[number]

/** The monthly plans, the smallest first (Monthly plans). */
export const PLANS = ["starter", "pro", "enterprise"] as const
/** A monthly plan. */
export type Plan = (typeof PLANS)[number]

/**
 * A seller or a buyer, and the agent that it acts as. `agent_id` is the payee of a seller's
 * services and the default payer of a buyer's payments; no two accounts share one.
 */
export interface Account {
  /** `acct_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  readonly name: string
  readonly kind: AccountKind
  readonly agent_id: string
  readonly merchant_account: string | null
  readonly plan: Plan
  /** The secret that signs this account's webhooks, sealed. */
  readonly webhook_secret: string
  /** The secrets that it replaced, newest first. */
  readonly previous_webhook_secrets: ReadonlyArray<PreviousSecret>
  readonly created_at: Timestamp
  /** When an operator suspended the account's keys; null if they work. */
  readonly suspended_at: Timestamp | null
}

/** The caller of a request: an account by one of its keys, or the operator by the admin key. */
export interface Caller {
  readonly account: Account
  readonly api_key_id: string
  /** The restrictions of the key, if it has any. */
  readonly restrictions?: KeyRestrictions | null
  /** Whether the host of an embedded payport has identified the account itself, without a key. */
  readonly vouched?: true
}

/** Returns the context that an account's webhook secret is sealed for. */
export const webhookSecretPlace = (accountId: string): string =>
  `account:${accountId}:webhook_secret`

/** Returns the secrets that sign an account's webhooks, sealed at {@link webhookSecretPlace}. */
export const signingSecretOf = (account: Account): SigningSecret => ({
  secret: account.webhook_secret,
  previous_secrets: account.previous_webhook_secrets,
})

/** Returns the unique name by which one account only has an agent. */
export const agentName = (agentId: string): string => `agent:${agentId}`

/** Returns the unique look by which no two agents' names look alike: see `lookOf`. */
export const agentLook = (look: string): string => `agent_look:${look}`

const example = {
  id: "acct_01997d3e-8a00-7000-8000-000000000001",
  name: "Weather Reports Ltd",
  kind: "seller",
  agent_id: "agent_weather",
  merchant_account: "merchant_42",
  plan: "starter",
  created_at: "2026-01-31T08:00:00.000Z",
  suspended_at: null,
} as const

/** An account without its secrets. */
export const AccountView = Schema.Struct({
  id: Schema.String.annotate({ description: "`acct_` and a UUIDv7." }),
  name: Schema.String.annotateKey({ description: "The account's name." }),
  kind: Schema.Literals(ACCOUNT_KINDS).annotateKey({
    description: "Whether the account sells or buys.",
  }),
  agent_id: Schema.String.annotate({ description: "The agent that the account acts as." }),
  merchant_account: Schema.NullOr(Schema.String).annotateKey({
    description: "The seller's account at its channels; null if it has none.",
  }),
  plan: Schema.Literals(PLANS).annotateKey({
    description: "The account's plan. It determines rates and limits.",
  }),
  created_at: Time.annotateKey({ description: "The time of creation." }),
  suspended_at: Schema.NullOr(Time).annotate({
    description: "When an operator suspended the account's keys; null if they work.",
  }),
}).annotate({
  identifier: "Account",
  description: "A seller or a buyer, and the agent that it acts as.",
  examples: [example],
})

/** See {@link AccountView}. */
export const accountView = (account: Account) => shownAs(AccountView, account)

/** A new account with its first key, which only this response shows. */
export const NewAccountView = Schema.Struct({
  ...AccountView.fields,
  api_key: IssuedKeyView.annotateKey({ description: "The account's first key." }),
}).annotate({
  identifier: "NewAccount",
  description: "The account with its first key.",
  examples: [{ ...example, api_key: exampleKey }],
})

declare module "../commits/Records.ts" {
  interface Records {
    readonly account: Account
  }
}

/** How the store keeps accounts. */
export const accountKind = defineKind("account", {
  prefix: "acct",
  erased: false,
  cached: "found",
  unique: [{ by: ["agent_id"] }],
  lists: [["kind", "plan"]],
  sealed: (account, change) => {
    const held = changeSealed(signingSecretOf(account), webhookSecretPlace(account.id), change)
    const { previous_secrets, secret } = held
    return { ...account, webhook_secret: secret, previous_webhook_secrets: previous_secrets }
  },
})
