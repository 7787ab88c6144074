import { BudgetTracker, PaymentRefused } from "./BudgetTracker.ts"
import { makeClient } from "./client.ts"
import type { Methods } from "./Methods.ts"
import type { WalletOrder } from "./PaymentDemand.ts"
import { PaymentDeclined, type Wallet } from "./Wallet.ts"
import { isOfTool, keyOf } from "./X402Demands.ts"
import { namedOtherwise } from "./x402Identifier.ts"
import type { X402BuyerOptions, X402Required } from "./x402Buyer.ts"

/** A payment that was begun for a server's requirement. */
interface Begun {
  readonly key: string
  /** The client's identifier of the purchase, if any. */
  readonly identifier: string | undefined
  readonly order: WalletOrder
  readonly token: string
  /** Releases its part of the budget. */
  readonly release: () => void
  /** The wallet's answer. Undefined before the wallet is called and after it has failed. */
  authorizing: Promise<void> | undefined
}

/** The most unanswered payments that are kept. */
const MOST = 100

const orderOf = ({ amount, asset, extra, payTo }: X402Required) => {
  const { resource } = extra
  if (typeof resource !== "string" || !URL.canParse(resource)) {
    const message = "The 402 has no URL of the paid resource in extra.resource."
    throw new PaymentRefused("malformed", message)
  }
  const value = Number(amount)
  return { service_id: payTo, amount: { currency: asset, value }, resource }
}

/** A buyer's payments: those that were shown, and those without an answer. */
export class X402Payments {
  readonly #facilitator: Methods["facilitator"]
  readonly #wallet: Wallet
  readonly #tracker: BudgetTracker
  readonly #shown = new Map<string, Begun>()
  readonly #unanswered: Array<Begun> = []
  readonly #named = new Map<string, { readonly key: string; readonly begun: Promise<Begun> }>()

  constructor({ budget, payport, wallet }: X402BuyerOptions) {
    this.#facilitator = makeClient(payport).facilitator
    this.#wallet = wallet
    this.#tracker = new BudgetTracker(budget)
  }

  /**
   * Returns the proof of an authorized payment for the requirement: the one with the identifier,
   * one without an answer, or a new one. `origin` says who requires it.
   */
  async proofFor(
    required: X402Required,
    origin: string,
    identifier?: string,
  ): Promise<{ payment_intent: string; token: string }> {
    const key = keyOf(required)
    const begun = await (identifier === undefined
      ? (this.#left(key) ?? this.#begin(key, required, origin, identifier))
      : this.#underName(key, required, origin, identifier))
    await this.#authorize(begun)
    const { id } = begun.order
    if (isOfTool(required)) {
      this.#keep(begun)
      return { payment_intent: id, token: begun.token }
    }
    const [oldest] = this.#shown.size >= MOST ? this.#shown.keys() : []
    if (oldest !== undefined) this.keep(oldest)
    this.#shown.set(id, begun)
    return { payment_intent: id, token: begun.token }
  }

  /** Forgets a shown payment that can open nothing more. */
  forget(id: string): void {
    this.#shown.delete(id)
    const at = this.#unanswered.findIndex(({ order }) => order.id === id)
    if (at !== -1) this.#unanswered.splice(at, 1)
  }

  /** Keeps a shown payment without an answer for the next request for the same thing. */
  keep(id: string): void {
    const begun = this.#shown.get(id)
    this.#shown.delete(id)
    if (begun !== undefined) this.#keep(begun)
  }

  #keep(begun: Begun): void {
    this.#unanswered.push(begun)
    if (this.#unanswered.length > MOST) this.#unanswered.shift()
  }

  /** Takes an unanswered payment for the same thing that has no identifier. */
  #left(key: string): Begun | undefined {
    const at = this.#unanswered.findIndex(
      (begun) => begun.key === key && begun.identifier === undefined,
    )
    const [left] = at === -1 ? [] : this.#unanswered.splice(at, 1)
    return left
  }

  #underName(
    key: string,
    required: X402Required,
    origin: string,
    identifier: string,
  ): Promise<Begun> {
    const before = this.#named.get(identifier)
    if (before !== undefined && before.key !== key) throw namedOtherwise()
    if (before !== undefined) return before.begun
    const begun = this.#begin(key, required, origin, identifier)
    this.#named.set(identifier, { key, begun })
    begun.catch(() => this.#named.delete(identifier))
    const [oldest] = this.#named.size > MOST ? this.#named.keys() : []
    if (oldest !== undefined) this.#named.delete(oldest)
    return begun
  }

  async #begin(
    key: string,
    required: X402Required,
    origin: string,
    identifier: string | undefined,
  ): Promise<Begun> {
    const asked = orderOf(required)
    const release = this.#tracker.reserve(asked.amount)
    try {
      const { token, ...demand } = (await this.#facilitator.pay(asked)).payment_intent
      // The wallet pays what the budget has reserved, whatever the answer says.
      const order = { ...demand, amount: asked.amount, origin }
      return { key, identifier, order, token, release, authorizing: undefined }
    } catch (error) {
      release()
      throw error
    }
  }

  #giveUp({ identifier, release }: Begun): void {
    release()
    if (identifier !== undefined) this.#named.delete(identifier)
  }

  async #authorize(begun: Begun): Promise<void> {
    const authorizing = (begun.authorizing ??= this.#wallet.pay(begun.order))
    try {
      await authorizing
    } catch (error) {
      // If several callers wait for the wallet, only one releases the reservation.
      if (begun.authorizing !== authorizing) throw error
      begun.authorizing = undefined
      if (error instanceof PaymentDeclined) this.#giveUp(begun)
      else this.#keep(begun)
      throw error
    }
  }
}
