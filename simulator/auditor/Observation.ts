import type { Exit } from "effect"
import type { Discrepancy } from "../../core/gateway/Discrepancy.ts"
import type { ChannelRequest } from "../../core/gateway/ChannelRequest.ts"
import type { Posting } from "../../core/ledger/Posting.ts"
import type { PaymentIntent } from "../../core/payments/PaymentIntent.ts"
import type { ChannelCall } from "../../core/ports/Channels.ts"
import type { RevocationOrder } from "../../core/ports/Revoker.ts"
import type { Commit, Write } from "../../core/ports/Store.ts"
import type { Refund } from "../../core/refunds/Refund.ts"
import type { ReconciliationRun } from "../../core/reports/ReconciliationRun.ts"
import type { Timestamp } from "../../core/shared/Timestamp.ts"
import type { Delivery } from "../../core/webhooks/deliveries/Delivery.ts"
import type { Entry } from "../channels/Entry.ts"
import type { Forged } from "../channels/Statements.ts"
import type { Cause } from "../world/ports/CurrentCause.ts"
import type { Model } from "./Model.ts"
import type { InvariantNumber } from "./promises.ts"

/** What the auditor is shown, by kind. Each is seen at the moment at which it happens. */
export interface Observations {
  /** A commit that the store has taken. */
  readonly commit: {
    readonly commit: Commit
    /** What a process asked for; undefined for what is not done by one. */
    readonly asked: Commit | undefined
    readonly cause: Cause
    readonly at: Timestamp
  }
  /** One write of such a commit. */
  readonly write: {
    readonly write: Write
    readonly commit: Commit
    readonly at: Timestamp
    /** For how long the process that decided it stood still before it was stored. */
    readonly held_up: number
  }
  /** A payment that such a commit has stored. */
  readonly intent: {
    readonly before: PaymentIntent | undefined
    readonly after: PaymentIntent
    readonly commit: Commit
    readonly at: Timestamp
    readonly held_up: number
  }
  /** A payment that such a commit has removed, as it was known and as the commit had it. */
  readonly left: {
    readonly known: PaymentIntent | undefined
    readonly record: PaymentIntent
    readonly at: Timestamp
  }
  readonly delivery: {
    readonly before: Delivery | undefined
    readonly after: Delivery
    readonly at: Timestamp
  }
  /** Something in a channel's own books. */
  readonly entry: Entry
  /** A channel's message with what the service made of it. */
  readonly callback: {
    readonly out_trade_no: string
    readonly trade_status: string
    readonly flaw: string | null
    readonly exit: Exit.Exit<unknown, unknown>
  }
  /** A call that the service makes to a channel, before anything comes of it. */
  readonly call: { readonly call: ChannelCall; readonly at: Timestamp }
  /** Whoever revokes is asked to, before anything comes of it. */
  readonly order: {
    readonly order: RevocationOrder
    readonly at: Timestamp
    /** How long the process stood still that was about to give it. */
    readonly held_up: number
  }
  /** What a seller's gate was told of an access. `since` is the model's step when it asked. */
  readonly gate: {
    readonly account: string
    readonly type: string
    readonly id: string
    readonly scope: string | null
    readonly active: boolean
    readonly since: number
  }
  /** What a client was told in answer to a request with an Idempotency-Key. */
  readonly answer: {
    readonly account: string
    readonly key: string
    /** The request: its route and its body. */
    readonly request: string
    /** The answer's text; undefined for a refusal. */
    readonly text: string | undefined
  }
  /** A payment as a client saw it. `since` is the model's step when the client asked. */
  readonly read: {
    readonly account: string
    readonly id: string
    readonly status: string | undefined
    readonly since: number
    readonly askedAt: Timestamp
    readonly at: Timestamp
  }
  /** A webhook on its way to a receiver. */
  readonly sent: {
    readonly event_id: string
    readonly url: string
    readonly headers: { readonly [name: string]: string }
    readonly body: string
    readonly at: Timestamp
    /** For how long its process stood still between signing and sending it. */
    readonly held_up: number
  }
  /** Something that came to its end; `flaw` is why in a way that nobody foresaw. */
  readonly ending: { readonly where: string; readonly flaw: string | undefined }
  /** A payment after everything has come to rest, with what the store says of it then. */
  readonly rest: {
    readonly intent: PaymentIntent
    readonly stored: PaymentIntent | undefined
    readonly requests: ReadonlyArray<ChannelRequest>
    readonly refunds: ReadonlyArray<Refund>
    readonly deliveries: ReadonlyArray<Delivery>
  }
  /** The rows of an account's books as the store has them when everything has come to rest. */
  readonly entries: { readonly account: string; readonly rows: ReadonlyArray<Posting> }
  /** All statements held against the ledger, after everything has come to rest. */
  readonly statements: {
    /** What the workers had done of that before, day by day. */
    readonly daily: ReadonlyArray<ReconciliationRun>
    readonly runs: ReadonlyArray<ReconciliationRun>
    readonly found: ReadonlyArray<Discrepancy>
    readonly forged: Forged
  }
}

export type ObservationKind = keyof Observations

/** What is wrong, in words; undefined when the rule holds. */
export type Finding = string | undefined

/** What an invariant says of a kind of observation. */
export type Rule<K extends ObservationKind> = (seen: Observations[K], model: Model) => Finding

/** The rule of an invariant for each kind of observation that it speaks of. */
export type Rules = { readonly [K in ObservationKind]?: Rule<K> }

/** The rules of some invariants, by their numbers. */
export type Rulebook = { readonly [N in InvariantNumber]?: Rules }
