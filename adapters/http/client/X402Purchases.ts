import type { BudgetTracker } from "./BudgetTracker.ts"
import type { PaymentDemand, WalletOrder } from "./PaymentDemand.ts"
import { PaymentDeclined, type Wallet } from "./Wallet.ts"
import { keepNewest } from "./keepNewest.ts"
import { UnclearPayments } from "./UnclearPayments.ts"
import { namedOtherwise } from "./x402Identifier.ts"

/** A payment that a 402 requires, and what it buys. */
export interface X402Demanded {
  readonly demand: PaymentDemand & { readonly origin: string }
  /** Identifies the origin, the seller and the amount. */
  readonly key: string
  /** The request that got the 402: its method, its address, and the digest of its body. */
  readonly asked: string
}

interface Purchase extends X402Demanded {
  /** The wallet's answer. Undefined before the wallet is called and after it has failed. */
  paying: Promise<void> | undefined
  readonly release: () => void
}

/** The most purchases that are remembered, named ones and shown ones. */
const MOST = 100

/** Returns what a payment without an identifier buys. */
const soldBy = ({ asked, key }: X402Demanded): string => JSON.stringify([asked, key])

/**
 * Makes the payments that 402s require, within a budget, and once per identifier. After a payment
 * of unknown outcome without one, the next of the same request asks the wallet for that one again.
 * A payment that was made and shown without a clear answer is shown again for the same request.
 */
export class X402Purchases {
  readonly #wallet: Wallet
  readonly #tracker: BudgetTracker
  readonly #named = new Map<string, Purchase>()
  readonly #unclear = new UnclearPayments<Purchase>()
  /** The purchases without an identifier whose payment was made, by its id. */
  readonly #made = new Map<string, Purchase>()

  constructor(wallet: Wallet, tracker: BudgetTracker) {
    this.#wallet = wallet
    this.#tracker = tracker
  }

  /** Returns the payment that was made: this one, or the one with the identifier. */
  async pay(demanded: X402Demanded, identifier: string | undefined): Promise<PaymentDemand> {
    const purchase = this.#take(demanded, identifier)
    const { token: _secret, ...order } = purchase.demand
    const paying = (purchase.paying ??= this.#ask(order))
    try {
      await paying
      if (identifier === undefined) keepNewest(this.#made, purchase.demand.id, purchase, MOST)
      return purchase.demand
    } catch (error) {
      // If several callers wait for the wallet, only one releases the reservation.
      if (purchase.paying === paying) this.#fail(purchase, identifier, error)
      throw error
    }
  }

  /** Records that a request has shown a payment. One that is not judged is shown again. */
  shown(id: string, isJudged: boolean): void {
    const purchase = this.#made.get(id)
    this.#made.delete(id)
    if (purchase === undefined || isJudged) return
    this.#unclear.keep(soldBy(purchase), purchase, purchase.demand.expires_at)
  }

  /** Asks the wallet. Rejects also where the wallet throws instead. */
  async #ask(order: WalletOrder): Promise<void> {
    await this.#wallet.pay(order)
  }

  #take(demanded: X402Demanded, identifier: string | undefined): Purchase {
    const before = identifier === undefined ? undefined : this.#named.get(identifier)
    if (before !== undefined && before.key !== demanded.key) throw namedOtherwise()
    const taken =
      before ?? (identifier === undefined ? this.#unclear.take(soldBy(demanded)) : undefined)
    return taken ?? this.#begin(demanded, identifier)
  }

  #begin(demanded: X402Demanded, identifier: string | undefined): Purchase {
    const release = this.#tracker.reserve(demanded.demand.amount)
    const begun: Purchase = { ...demanded, release, paying: undefined }
    if (identifier !== undefined) this.#named.set(identifier, begun)
    const [oldest] = this.#named.size > MOST ? this.#named.keys() : []
    if (oldest !== undefined) this.#named.delete(oldest)
    return begun
  }

  #fail(purchase: Purchase, identifier: string | undefined, error: unknown): void {
    purchase.paying = undefined
    if (error instanceof PaymentDeclined) {
      purchase.release()
      if (identifier !== undefined) this.#named.delete(identifier)
    } else if (identifier === undefined) {
      this.#unclear.keep(soldBy(purchase), purchase, purchase.demand.expires_at)
    }
  }
}
