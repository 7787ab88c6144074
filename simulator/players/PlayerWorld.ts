import type { Effect } from "effect"
import type { TargetType } from "../../core/registry/RevocationTarget.ts"
import type { Money } from "../../core/shared/Money.ts"
import type { Timestamp } from "../../core/shared/Timestamp.ts"
import type { FaultLog } from "../faults/Fault.ts"
import type { PayerPlan, PaymentPlan } from "../world/plans/Plan.ts"

/** What a client can read of a payment. */
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

/** How a payee ends its part. */
export type Ending = "capture" | "void" | "cancel"

/** What a seller asks before it lets somebody in; without a scope whether anything is left. */
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
  /** Opens it; whether the wallet shows it. */
  readonly open: Effect.Effect<boolean, never, R>
  readonly decide: (act: PayerPlan["act"]) => Effect.Effect<void, never, R>
}

/**
 * What those who play payments can do, inside a simulated world and over HTTP. `Account` is how
 * a world names one who has an account, `R` what its effects need.
 */
export interface PlayerWorld<Account, R> {
  /** Marks what is made, where runs share one service; null where the world has only this run. */
  readonly run: string | null
  /** Whether payees capture parts; over HTTP, where what was first settled is not seen, none do. */
  readonly takesParts: boolean
  readonly now: () => Timestamp
  readonly sleep: (millis: number) => Effect.Effect<void>
  /** Waits until a moment of the service's clock, to the millisecond. */
  readonly sleepUntil: (at: Timestamp) => Effect.Effect<void>
  /** Does all of these at once; ends when all have ended. */
  readonly together: (
    acts: ReadonlyArray<Effect.Effect<unknown, never, R>>,
  ) => Effect.Effect<void, never, R>
  readonly log: FaultLog
  /** The account of that number; undefined where nobody has it. */
  readonly seller: (n: number) => Account | undefined
  readonly buyer: (n: number) => Account | undefined
  /** Somebody who has no part in any payment. */
  readonly stranger: Account | undefined
  /** How many payments each account has made under a key, by its name. */
  readonly orders: Map<string, number>
  /** What an account is told apart by, and the agent that it acts as. */
  readonly nameOf: (account: Account) => string
  readonly agentOf: (account: Account) => string
  /** The id of a service by its name in the plan. */
  readonly serviceId: (name: string) => string | undefined
  /**
   * Sends a request so many times at once, each until it is answered. The first answer that is no
   * refusal; undefined where there is none.
   */
  readonly send: (
    request: PlayerRequest<Account>,
    times?: number,
  ) => Effect.Effect<unknown, never, R>
  /** Reads a payment; undefined when there is none for this account. */
  readonly read: (who: Account, id: string) => Effect.Effect<Shown | undefined, never, R>
  /** A seller's gates ask what is left of the accesses of a payment. */
  readonly askGates: (
    who: Account,
    intent: string,
    gates: ReadonlyArray<Gate>,
  ) => Effect.Effect<void, never, R>
  /** The charges that the payer of a payment is shown. */
  readonly chargesOf: (payer: Account, intent: Shown) => ReadonlyArray<WalletCharge<R>>
  /** Whether payers who have refused a charge try to pay it after all. */
  readonly changesMind: () => boolean
  /** What is said of the payment in its channel's name that is not so. */
  readonly mislead: (plan: PaymentPlan, intent: Shown) => Effect.Effect<void, never, R>
  /** Keeps something for long after everything else has come to rest, where the world has that. */
  readonly later: (act: Effect.Effect<void, never, R>) => void
}
