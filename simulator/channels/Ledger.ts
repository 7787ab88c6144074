// Written independently of the sandbox's books (adapters/channels/sandbox) on purpose: the service
// is checked against these books, and a mistake in shared code would not be noticed.

import type {
  ChannelCall,
  ChannelOutcome,
  ChannelPayer,
  Charge,
  StatementLine,
  Trade,
} from "../../core/ports/Channels.ts"
import type { Money } from "../../core/shared/Money.ts"
import { type Timestamp, utcDay } from "../../core/shared/Timestamp.ts"
import type { Entry } from "./Entry.ts"
import type { BookedCharge } from "./Network.ts"

/** Returns the amount that a channel reports for a charge: the captured part, or all of it. */
export const moneyOf = ({ amount, captured }: BookedCharge): Money => ({
  currency: amount.currency,
  value: captured ?? amount.value,
})

/** The fields of a call that the books use. */
export type Wanted = Pick<
  ChannelCall,
  "number" | "action" | "out_trade_no" | "charge_id" | "trade_no" | "amount"
>

/** How a channel reacts to a call: it carries it out, promises to, or declines. */
export type Mood = "willing" | "slow" | "unwilling"

/**
 * One channel's own books, the truth about its money. A request number has one effect, however
 * often it is sent, and the same answer each time.
 */
export class Ledger {
  readonly channel: string
  readonly charges = new Map<string, BookedCharge>()
  readonly #byTrade = new Map<string, BookedCharge>()
  readonly #requests = new Map<string, ChannelOutcome>()
  readonly #entries: Array<Entry> = []
  readonly #byCharge = new Map<string, Array<Entry>>()
  readonly #entered: (entry: Entry) => void
  #trades = 0

  constructor(channel: string, entered: (entry: Entry) => void) {
    this.channel = channel
    this.#entered = entered
  }

  /** Registers a charge, once. */
  open(charge: Charge, kind: BookedCharge["kind"], at: Timestamp): BookedCharge {
    const before = this.charges.get(charge.charge_id)
    if (before !== undefined) return before
    this.#trades += 1
    const { out_trade_no, charge_id, amount, expires_at } = charge
    const booked: BookedCharge = {
      channel: this.channel,
      kind,
      out_trade_no,
      charge_id,
      amount,
      expires_at,
      trade_no: `${this.channel}-${String(this.#trades).padStart(8, "0")}`,
      payer: null,
      state: "open",
      held: 0,
      captured: null,
      taken: 0,
      promised: 0,
    }
    this.charges.set(charge_id, booked)
    this.#byTrade.set(out_trade_no, booked)
    this.#enter(booked, "charge", null, at)
    return booked
  }

  /** Returns the charge of a payment. */
  of(outTradeNo: string): BookedCharge | undefined {
    return this.#byTrade.get(outTradeNo)
  }

  /** Reserves the money as the payer's wallet (QR), or pays it (link). */
  pay(charge: BookedCharge, payer: ChannelPayer, at: Timestamp): void {
    charge.payer = payer
    if (charge.kind === "qr") {
      charge.state = "held"
      charge.held = charge.amount.value
      this.#enter(charge, "hold", null, at)
    } else {
      charge.state = "settled"
      charge.taken = charge.amount.value
      this.#enter(charge, "payment", null, at)
    }
  }

  /** Ends an unpaid charge. */
  end(charge: BookedCharge): void {
    if (charge.state === "open") charge.state = "ended"
  }

  /** Pays the captured money to the payee, or returns the rest of it to the payer. */
  settle(charge: BookedCharge, well: boolean, at: Timestamp): void {
    const value = charge.taken
    charge.state = well ? "settled" : "given_back"
    if (!well) charge.taken = 0
    this.#enter(charge, well ? "settlement" : "reversal", null, at, value)
  }

  /** Keeps or breaks the promise of a refund; returns the outcome. */
  conclude({ amount, charge_id, number }: Wanted, well: boolean, at: Timestamp): ChannelOutcome {
    const charge = this.charges.get(charge_id)
    if (charge === undefined) return { type: "not_found" }
    charge.promised -= amount.value
    const reason = well ? this.#refund(charge, amount.value) : "the payer's wallet is closed"
    const outcome: ChannelOutcome =
      reason === undefined
        ? { type: "done", at, trade_no: charge.trade_no }
        : { type: "refused", message: reason }
    this.#requests.set(number, outcome)
    if (reason === undefined) this.#enter(charge, "refund", number, at, amount.value)
    return outcome
  }

  /** Returns the state of a charge at a time; undefined if there was no charge with that id. */
  trade(chargeId: string, at: Timestamp = Infinity): Trade | undefined {
    const charge = this.charges.get(chargeId)
    const entries = this.#byCharge.get(chargeId)?.filter((entry) => entry.at <= at) ?? []
    if (charge === undefined || entries.length === 0) return undefined
    const last = entries.findLast(({ type }) => type !== "refund")?.type
    const refunded = entries.reduce(
      (sum, { amount, type }) => sum + (type === "refund" ? amount.value : 0),
      0,
    )
    const { out_trade_no, payer, trade_no } = charge
    const isTaken = entries.some(({ type }) => type === "capture")
    const amount = isTaken ? moneyOf(charge) : charge.amount
    const known = { out_trade_no, amount, refunded, trade_no, ...(payer !== null && { payer }) }
    switch (last) {
      case "hold":
        return { ...known, status: "held" }
      case "capture":
        // A charge that was refunded as a whole counts as settled.
        return { ...known, status: refunded === amount.value ? "settled" : "paid" }
      case "payment":
      case "settlement":
        return { ...known, status: "settled" }
      case "reversal":
        return { ...known, status: "closed", reason: "SETTLEMENT_FAILED" }
      case "release":
      case "close":
        return { ...known, status: "closed", reason: "CLOSED" }
      default:
        return charge.state === "ended"
          ? { ...known, status: "closed", reason: "CLOSED" }
          : { out_trade_no, amount, refunded, status: "unpaid", trade_no: null }
    }
  }

  /** Returns the UTC days that have entries. */
  days(): ReadonlySet<string> {
    return new Set(this.#entries.map(({ at }) => utcDay(at)))
  }

  /** Returns the statement of a UTC day: all money that was taken and returned on it. */
  lines(day: string): ReadonlyArray<StatementLine> {
    return this.#entries.flatMap((entry): ReadonlyArray<StatementLine> => {
      const { amount, at, number, out_trade_no, type } = entry
      const charge = this.charges.get(entry.charge_id)
      if (charge === undefined || utcDay(at) !== day) return []
      const { state, trade_no } = charge
      const line = { out_trade_no, trade_no, number, amount, at }
      if (type === "refund") return [{ ...line, kind: "refund", status: "settled" }]
      if (type !== "capture" && type !== "payment") return []
      const reversed = this.trade(charge.charge_id)?.status === "closed"
      const status = reversed ? "failed" : state === "taken" ? "pending" : "settled"
      return [{ ...line, kind: "payment", status }]
    })
  }

  /** Returns the outcome of a request; undefined if its number is unknown. */
  known(number: string): ChannelOutcome | undefined {
    return this.#requests.get(number)
  }

  /** Carries out a request, once, or promises to, if it is a refund and `mood` is "slow". */
  perform(call: Wanted, at: Timestamp, mood: Mood): ChannelOutcome {
    const before = this.#requests.get(call.number)
    if (before !== undefined) return before
    const charge = this.#charged(call, at, mood)
    const refusal =
      charge === undefined || charge.out_trade_no !== call.out_trade_no
        ? "no such charge"
        : call.trade_no !== null && call.trade_no !== charge.trade_no
          ? "no such trade"
          : mood === "unwilling"
            ? "declined by risk control"
            : mood === "slow"
              ? this.#promise(charge, call.amount.value)
              : this.#apply(charge, call, at)
    const outcome: ChannelOutcome =
      refusal !== undefined
        ? { type: "refused", message: refusal }
        : mood === "slow"
          ? { type: "pending" }
          : { type: "done", at, trade_no: charge?.trade_no ?? "" }
    this.#requests.set(call.number, outcome)
    return outcome
  }

  /** Returns the charge of a request; a debit that is not declined makes its own. */
  #charged(call: Wanted, at: Timestamp, mood: Mood): BookedCharge | undefined {
    const known = this.charges.get(call.charge_id)
    if (known !== undefined || call.action !== "debit" || mood === "unwilling") return known
    const { amount, charge_id, out_trade_no } = call
    const { channel } = this
    const charge = { channel, charge_id, out_trade_no, amount, description: "", expires_at: at }
    return this.open(charge, "link", at)
  }

  #promise(charge: BookedCharge, value: number): string | undefined {
    if (charge.taken - charge.promised < value) return "no more than was taken can go back"
    charge.promised += value
    return undefined
  }

  #refund(charge: BookedCharge, value: number): string | undefined {
    if (charge.taken - charge.promised < value) return "no more than was taken can go back"
    charge.taken -= value
    if (charge.taken === 0) charge.state = "given_back"
    return undefined
  }

  /** Applies a request; returns why the books do not allow it, undefined if it was done. */
  #apply(charge: BookedCharge, wanted: Wanted, at: Timestamp): string | undefined {
    const { action, amount, number } = wanted
    if (action === "debit") {
      if (charge.state !== "open") return "there is nothing to debit"
      charge.taken = charge.amount.value
      charge.state = "settled"
      this.#enter(charge, "payment", number, at)
      return undefined
    }
    if (action === "capture") {
      if (charge.state !== "held") return "nothing is held"
      if (amount.value > charge.held) return "no more than is held can be captured"
      const rest = charge.held - amount.value
      // This entry is the channel's own: the request names only the amount to capture.
      if (rest > 0) this.#enter(charge, "release", null, at, rest)
      charge.captured = amount.value
      charge.taken = amount.value
      charge.held = 0
      charge.state = "taken"
    } else if (action === "release") {
      if (charge.taken > 0) return "the money was captured"
      if (charge.state !== "held") {
        this.end(charge)
        return undefined
      }
      charge.held = 0
      charge.state = "given_back"
    } else if (action === "close") {
      if (charge.state === "held") return "the payer has authorized it"
      if (charge.taken > 0) return "it was paid"
      if (charge.state !== "open") return undefined
      this.end(charge)
    } else {
      const refused = this.#refund(charge, amount.value)
      if (refused !== undefined) return refused
    }
    const isPart = action === "refund" || action === "capture"
    this.#enter(charge, action, number, at, isPart ? amount.value : undefined)
    return undefined
  }

  #enter(
    charge: BookedCharge,
    type: Entry["type"],
    number: string | null,
    at: Timestamp,
    value: number = charge.amount.value,
  ): void {
    const { channel, out_trade_no, charge_id } = charge
    const amount = { currency: charge.amount.currency, value }
    const entry = { at, channel, type, out_trade_no, charge_id, number, amount }
    this.#entries.push(entry)
    this.#byCharge.set(charge_id, [...(this.#byCharge.get(charge_id) ?? []), entry])
    this.#entered(entry)
  }
}
