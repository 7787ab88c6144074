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

/** The kinds of observations of the auditor. Each is made at the moment at which it happens. */
export interface Observations {
  /** A commit that the store has accepted. */
  readonly commit: {
    readonly commit: Commit
    /** The commit that a process asked for; undefined if no process did. */
    readonly asked: Commit | undefined
    readonly cause: Cause
    readonly at: Timestamp
  }
  /** One write of such a commit. */
  readonly write: {
    readonly write: Write
    readonly commit: Commit
    readonly at: Timestamp
    /** How long the process that decided the write paused before it was stored. */
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
  /** A payment that such a commit has removed: as it was known, and as the commit held it. */
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
  /** An entry in a channel's own books. */
  readonly entry: Entry
  /** A channel's message, with the service's reaction. */
  readonly callback: {
    readonly out_trade_no: string
    readonly trade_status: string
    readonly flaw: string | null
    readonly exit: Exit.Exit<unknown, unknown>
  }
  /** A call of the service to a channel, before it has any effect. */
  readonly call: { readonly call: ChannelCall; readonly at: Timestamp }
  /** An order to revoke, before it has any effect. */
  readonly order: {
    readonly order: RevocationOrder
    readonly at: Timestamp
    /** How long the process paused that was about to send the order. */
    readonly held_up: number
  }
  /** The service's answer to a gate about an access. `since` is the model's step when it asked. */
  readonly gate: {
    readonly account: string
    readonly type: string
    readonly id: string
    readonly scope: string | null
    readonly active: boolean
    readonly since: number
  }
  /** A client's answer to a request with an Idempotency-Key. */
  readonly answer: {
    readonly account: string
    readonly key: string
    /** The request: its route and its body. */
    readonly request: string
    /** The answer's text; undefined for a failure. */
    readonly text: string | undefined
  }
  /** A payment as a client saw it. `since` is the model's step of the request. */
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
    /** How long its process paused between signing and sending it. */
    readonly held_up: number
    /** How far its process's clock was ahead when it signed, if known. */
    readonly ahead: number | undefined
  }
  /** Something that has ended; `flaw` is the reason if it failed in an unforeseen way. */
  readonly ending: { readonly where: string; readonly flaw: string | undefined }
  /** A payment at rest, with its records in the store. */
  readonly rest: {
    readonly intent: PaymentIntent
    readonly stored: PaymentIntent | undefined
    readonly requests: ReadonlyArray<ChannelRequest>
    readonly refunds: ReadonlyArray<Refund>
    readonly deliveries: ReadonlyArray<Delivery>
  }
  /** The rows of an account's books in the store, at rest. */
  readonly entries: { readonly account: string; readonly rows: ReadonlyArray<Posting> }
  /** The reconciliation of all statements with the ledger, at rest. */
  readonly statements: {
    /** The runs that workers had done before, day by day. */
    readonly daily: ReadonlyArray<ReconciliationRun>
    readonly runs: ReadonlyArray<ReconciliationRun>
    readonly found: ReadonlyArray<Discrepancy>
    readonly forged: Forged
  }
}

export type ObservationKind = keyof Observations

/** The violation, in words; undefined if the rule holds. */
export type Finding = string | undefined

/** Checks an observation of a kind for an invariant. */
export type Rule<K extends ObservationKind> = (seen: Observations[K], model: Model) => Finding

/** The rules of an invariant, one for each kind of observation that it checks. */
export type Rules = { readonly [K in ObservationKind]?: Rule<K> }

/** The rules of some invariants, by their numbers. */
export type Rulebook = { readonly [N in InvariantNumber]?: Rules }
