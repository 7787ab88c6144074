// Written independently of adapters/channels/sandbox on purpose: the sandbox's channel is
// well-behaved, and these channels are not.

import { Effect } from "effect"
import type { ChannelPayer } from "../../core/ports/Channels.ts"
import { defaultCatalog } from "../../core/channels/Catalog.ts"
import type { TradeStatus } from "../../core/gateway/ChannelCallback.ts"
import { SECOND, type Timestamp } from "../../core/shared/Timestamp.ts"
import type { Chance } from "../random/Chance.ts"
import type { Stage } from "../world/Stage.ts"
import type { Entry } from "./Entry.ts"
import { type Ledger, moneyOf, type Wanted } from "./Ledger.ts"
import { Statements } from "./Statements.ts"
import { Mandates } from "./Mandates.ts"
import { drawOutages, type Outage, outageEnd } from "./Outages.ts"
import type { Money } from "../../core/shared/Money.ts"

/**
 * A charge in the channel's own books. `held`, `taken` and `promised` are minor units of its
 * currency: reserved money, received money, and the part of it that will soon be returned.
 * `captured` is the captured amount, or null before a capture.
 */
export interface BookedCharge {
  readonly channel: string
  readonly kind: "qr" | "link"
  readonly out_trade_no: string
  readonly charge_id: string
  readonly amount: Money
  readonly expires_at: Timestamp
  readonly trade_no: string
  payer: ChannelPayer | null
  state: "open" | "ended" | "held" | "taken" | "settled" | "given_back"
  held: number
  captured: number | null
  taken: number
  promised: number
}

/** Sends the service a message about a charge; it has to arrive in the end if `surely` is set. */
type Notify = (charge: BookedCharge, status: TradeStatus, surely?: boolean) => void

/** The fields of a refund that messages name. */
export type Refunded = Pick<Wanted, "amount" | "number">

/** Sends the service a message about a refund; `reason` is why the refund failed. */
type NotifyRefund = (charge: BookedCharge, refunded: Refunded, reason: string | null) => void

/** Makes a channel's books; a test can make wrong ones. */
export type MakeLedger = (channel: string, entered: (entry: Entry) => void) => Ledger

/** Returns the secret that a channel signs its callbacks with. */
export const secretOf = (channel: string): string => `secret of ${channel}`

interface NetworkOptions {
  readonly makeLedger: MakeLedger
  /** The time in which outages may begin. */
  readonly from: Timestamp
  readonly to: Timestamp
  /** Outages in addition to the random ones. */
  readonly outages: ReadonlyArray<Outage & { readonly channel: string }>
  readonly observe: (entry: Entry) => void
}

const SETTLES_AFTER = 20 * SECOND
const REFUNDS_AFTER = 30 * SECOND

/** The channels of the world, with their books, their outages and their payers' wallets. */
export class Network {
  readonly ledgers = new Map<string, Ledger>()
  readonly statements: Statements
  readonly mandates = new Mandates()
  readonly #outages = new Map<string, ReadonlyArray<Outage>>()
  readonly #stage: Stage
  readonly #chance: Chance
  #notify: Notify = () => undefined
  #notifyRefund: NotifyRefund = () => undefined
  #calm = false

  constructor(stage: Stage, { makeLedger, from, to, observe, outages }: NetworkOptions) {
    this.#stage = stage
    this.statements = new Statements(stage)
    this.#chance = stage.chance("network")
    const perHour = stage.faults().outages_per_hour
    for (const { id } of defaultCatalog) {
      const entered = (entry: Entry) => {
        observe(entry)
        this.#follow(entry)
      }
      this.ledgers.set(id, makeLedger(id, entered))
      const chance = stage.chance(`outages of ${id}`)
      const planned = outages.filter(({ channel }) => channel === id)
      this.#outages.set(id, [...planned, ...drawOutages(chance, perHour, { from, to })])
    }
  }

  /** Sets how callbacks are sent. */
  connect(notify: Notify, notifyRefund: NotifyRefund): void {
    this.#notify = notify
    this.#notifyRefund = notifyRefund
  }

  /** Ends every outage. */
  calm(): void {
    this.#calm = true
  }

  /** Returns the channel's own books. */
  ledger(channel: string): Ledger | undefined {
    return this.ledgers.get(channel)
  }

  /** Returns the channel's secret; undefined if there is no such channel. */
  secret(channel: string): string | undefined {
    return this.ledgers.has(channel) ? secretOf(channel) : undefined
  }

  /** Returns when the channel is back; undefined if it is not away. */
  backAt(channel: string): Timestamp | undefined {
    return this.#calm ? undefined : outageEnd(this.#outages.get(channel) ?? [], this.#stage.now())
  }

  /** Returns the charge of an intent at a channel. */
  find(channel: string, outTradeNo: string): BookedCharge | undefined {
    return this.ledgers.get(channel)?.of(outTradeNo)
  }

  /** Opens the charge as a payer's wallet. False if the channel does not know it or is away. */
  scan(charge: BookedCharge): boolean {
    if (!this.#takes(charge)) return false
    this.#notify(charge, "SCANNED")
    return true
  }

  /**
   * Confirms as a payer. A charge that is over is taken only if the channel makes that mistake. It
   * reports money for a charge that it has called closed, since nobody inquires about that again.
   */
  pay(charge: BookedCharge, payer: ChannelPayer): boolean {
    if (!this.#takes(charge)) return false
    const wasClosed = charge.state === "ended"
    this.ledgers.get(charge.channel)?.pay(charge, payer, this.#stage.now())
    // Some channels report for a link, too, that they hold the money, before they report it as
    // paid.
    if (charge.kind === "link" && this.#chance.hits(0.2)) this.#notify(charge, "AUTHORIZED")
    this.#notify(charge, charge.kind === "qr" ? "AUTHORIZED" : "SUCCESS", wasClosed)
    return true
  }

  /** Ends the charge without payment: by the payer, for lack of money, or by the channel itself. */
  refuse(charge: BookedCharge, status: "REJECTED" | "INSUFFICIENT_BALANCE" | "CLOSED"): boolean {
    if (!this.#takes(charge)) return false
    this.ledgers.get(charge.channel)?.end(charge)
    this.#notify(charge, status)
    return true
  }

  /** Carries out a promised refund before long, or not, if it is part of a payment's money. */
  keepPromise(wanted: Wanted & { readonly channel: string }): void {
    const ledger = this.ledgers.get(wanted.channel)
    const charge = ledger?.charges.get(wanted.charge_id)
    if (ledger === undefined || charge === undefined) return
    const isPart = wanted.amount.value < moneyOf(charge).value
    const fails = isPart && this.#chance.hits(this.#stage.faults().refund_failed)
    if (fails) this.#stage.log.note("refund_failed", charge.out_trade_no)
    const concluded = Effect.sync(() => {
      const outcome = ledger.conclude(wanted, !fails, this.#stage.now())
      this.#notifyRefund(charge, wanted, outcome.type === "refused" ? outcome.message : null)
    })
    const after = this.#chance.wait(REFUNDS_AFTER)
    this.#stage.spawn(Effect.andThen(Effect.sleep(after), concluded))
  }

  #takes(charge: BookedCharge): boolean {
    if (this.backAt(charge.channel) !== undefined) return false
    const over = charge.state === "ended" || this.#stage.now() >= charge.expires_at
    if (charge.state !== "open" && charge.state !== "ended") return false
    if (!over) return true
    if (!this.#chance.hits(this.#stage.faults().payment_after_close)) return false
    this.#stage.log.note("payment_after_close", charge.out_trade_no)
    return true
  }

  /** Does what a channel does by itself after an entry. */
  #follow(entry: Entry): void {
    const ledger = this.ledgers.get(entry.channel)
    const charge = ledger?.charges.get(entry.charge_id)
    if (ledger === undefined || charge === undefined) return
    const { amount, number } = entry
    if (entry.type === "refund" && number !== null && this.#chance.hits(0.3)) {
      this.#notifyRefund(charge, { amount, number }, null)
    }
    if (entry.type === "payment" && number !== null && this.#chance.hits(0.5)) {
      if (this.#chance.hits(0.3)) this.#notify(charge, "AUTHORIZED")
      this.#notify(charge, "SUCCESS")
    }
    if (entry.type === "close" && this.#chance.hits(0.5)) this.#notify(charge, "CLOSED")
    if (entry.type !== "capture") return
    const after = this.#chance.wait(SETTLES_AFTER)
    const well = !this.#chance.hits(this.#stage.faults().settlement_failed)
    if (!well) this.#stage.log.note("settlement_failed", charge.out_trade_no)
    this.#stage.spawn(
      Effect.andThen(
        Effect.sleep(after),
        Effect.sync(() => {
          if (charge.state !== "taken") return
          ledger.settle(charge, well, this.#stage.now())
          this.#notify(charge, well ? "SUCCESS" : "SETTLEMENT_FAILED")
        }),
      ),
    )
  }
}
