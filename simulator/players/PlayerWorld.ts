import type { Effect } from "effect"
import type { TargetType } from "../../core/registry/RevocationTarget.ts"
import type { Money } from "../../core/shared/Money.ts"
import type { Timestamp } from "../../core/shared/Timestamp.ts"
import type { FaultLog } from "../faults/Fault.ts"
import type { PayerPlan, PaymentPlan } from "../world/plans/Plan.ts"

/** The fields of a payment that a client can read. */
export interface Shown {
  readonly id: string
  readonly status: string
  readonly amount: Money
  readonly channel: string | null
  readonly channels?: ReadonlyArray<{ readonly channel: string }>
  readonly captured_at?: string
  readonly succeeded_at?: string
  readonly expires_at: string
}

/** How a payee ends a payment. */
export type Ending = "capture" | "void" | "cancel"

/** A seller's question before it lets somebody in; without a scope, whether anything is left. */
export interface Gate {
  readonly type: TargetType
  readonly id: string
  readonly scope: string | null
}

/** A request that a player sends. */
export type PlayerRequest<Account> = {
  readonly who: Account
  /** The path of a POST. */
  readonly path: string
  readonly body: object
  /** The Idempotency-Key. */
  readonly key: string | null
} & (
  | {
      readonly type: "create"
      readonly flow: PaymentPlan["flow"]
      readonly payee: Account
      readonly buyer: Account
    }
  | { readonly type: Ending | "register" | "refund"; readonly intent: string }
)

/** A charge in a payer's wallet. */
export interface WalletCharge<R> {
  readonly expires_at: Timestamp
  /** Opens the charge; returns whether the wallet shows it. */
  readonly open: Effect.Effect<boolean, never, R>
  readonly decide: (act: PayerPlan["act"]) => Effect.Effect<void, never, R>
}

/**
 * The actions of players, in a simulated world and over HTTP. `Account` is a world's type of an
 * account, `R` the services that its effects need.
 */
export interface PlayerWorld<Account, R> {
  /** Marks what the run makes, if runs share one service; null if the world has only this run. */
  readonly run: string | null
  /** Whether payees capture parts; not over HTTP, where the first settlement is not visible. */
  readonly takesParts: boolean
  readonly now: () => Timestamp
  readonly sleep: (millis: number) => Effect.Effect<void>
  /** Waits until a moment of the service's clock, to the millisecond. */
  readonly sleepUntil: (at: Timestamp) => Effect.Effect<void>
  /** Runs all effects at once; ends when all have ended. */
  readonly together: (
    acts: ReadonlyArray<Effect.Effect<unknown, never, R>>,
  ) => Effect.Effect<void, never, R>
  readonly log: FaultLog
  /** The account with that number; undefined if there is none. */
  readonly seller: (n: number) => Account | undefined
  readonly buyer: (n: number) => Account | undefined
  /** An account that takes part in no payment. */
  readonly stranger: Account | undefined
  /** How many payments each account has made under a key, by its name. */
  readonly orders: Map<string, number>
  /** The name of an account, which is also its agent's. */
  readonly nameOf: (account: Account) => string
  readonly agentOf: (account: Account) => string
  /** The id of a service by its name in the plan. */
  readonly serviceId: (name: string) => string | undefined
  /**
   * Sends a request several times at once, each until it is answered. Returns the first answer that
   * is not an error; undefined if there is none.
   */
  readonly send: (
    request: PlayerRequest<Account>,
    times?: number,
  ) => Effect.Effect<unknown, never, R>
  /** Reads a payment; undefined if this account sees none. */
  readonly read: (who: Account, id: string) => Effect.Effect<Shown | undefined, never, R>
  /** Asks as a seller's gates what is left of a payment's accesses. */
  readonly askGates: (
    who: Account,
    intent: string,
    gates: ReadonlyArray<Gate>,
  ) => Effect.Effect<void, never, R>
  /** Returns the charges that the payer of a payment sees. */
  readonly chargesOf: (payer: Account, intent: Shown) => ReadonlyArray<WalletCharge<R>>
  /** Whether payers who have refused a charge try to pay it after all. */
  readonly changesMind: () => boolean
  /** Sends false messages in the name of the payment's channel. */
  readonly mislead: (plan: PaymentPlan, intent: Shown) => Effect.Effect<void, never, R>
  /** Keeps an action until long after everything is at rest, if the world has such a time. */
  readonly later: (act: Effect.Effect<void, never, R>) => void
}
