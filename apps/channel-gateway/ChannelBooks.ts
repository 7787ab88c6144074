import type { ChannelAction } from "../../core/gateway/ChannelCall.ts"
import type { TradeStatus } from "../../core/gateway/ChannelCallback.ts"
import { fromIso, toIso } from "../../core/shared/Timestamp.ts"
import type { Entry } from "../../simulator/channels/Entry.ts"
import { Ledger } from "../../simulator/channels/Ledger.ts"
import { type BookedMandate, Mandates } from "../../simulator/channels/Mandates.ts"
import type { BookedCharge } from "../../simulator/channels/Network.ts"

type Json = { readonly [field: string]: unknown }

/** An answer before it is signed. */
export interface GatewayAnswer {
  readonly status: number
  readonly json: object
}

/** What a payer can do with the wallet of a channel. */
export type WalletAction = "scan" | "pay" | "reject" | "settle"

const PAGE = 100

const notFound: GatewayAnswer = { status: 404, json: { error: "not_found" } }
const badRequest = (reason: string): GatewayAnswer => ({
  status: 400,
  json: { error: "bad_request", reason },
})

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

const ACTIONS: ReadonlyArray<unknown> = ["capture", "release", "close", "refund", "debit"]
const isAction = (value: unknown): value is ChannelAction => ACTIONS.includes(value)

const moneyOf = (value: unknown) => {
  if (typeof value !== "object" || value === null) return undefined
  const { currency, value: minor } = value as Json
  return isText(currency) && typeof minor === "number" && Number.isSafeInteger(minor)
    ? { currency, value: minor }
    : undefined
}

const mandateAnswer = (mandate: BookedMandate | undefined): GatewayAnswer => {
  if (mandate === undefined) return notFound
  const { mandate_id, status } = mandate
  return { status: 200, json: { mandate_id, status } }
}

/** One channel of the gateway: the simulator's books behind the protocol's requests. */
export class ChannelBooks {
  readonly #channel: string
  readonly #ledger: Ledger
  readonly #report: (charge: BookedCharge, status: TradeStatus) => void
  readonly #mandates = new Mandates()

  constructor(
    channel: string,
    report: (charge: BookedCharge, status: TradeStatus) => void,
    entered: (entry: Entry) => void = () => undefined,
  ) {
    this.#channel = channel
    this.#ledger = new Ledger(channel, entered)
    this.#report = report
  }

  /** Creates the charge, once however often it is sent. */
  charge(fields: Json): GatewayAnswer {
    const amount = moneyOf(fields["amount"])
    const { charge_id, description, expires_at, kind, out_trade_no } = fields
    const expires = isText(expires_at) ? fromIso(expires_at) : undefined
    if (!isText(charge_id) || !isText(out_trade_no) || amount === undefined) {
      return badRequest("charge_id, out_trade_no and amount are required")
    }
    if (expires === undefined || !isText(description)) {
      return badRequest("expires_at and description are required")
    }
    if (this.#ledger.charges.get(charge_id) === undefined) {
      const channel = this.#channel
      const charge = { channel, charge_id, out_trade_no, amount, description, expires_at: expires }
      this.#ledger.open(charge, kind === "qr" ? "qr" : "link", Date.now())
    }
    const qr_data = `${this.#channel}://charge/${charge_id}`
    return { status: 201, json: { status: "created", ...(kind === "qr" && { qr_data }) } }
  }

  /** Carries out a request, once per number. */
  request(fields: Json): GatewayAnswer {
    const { action, charge_id, number, out_trade_no, trade_no } = fields
    const amount = moneyOf(fields["amount"])
    if (!isText(number) || !isText(charge_id) || !isText(out_trade_no) || !isAction(action)) {
      return badRequest("number, action, charge_id and out_trade_no are required")
    }
    if (amount === undefined) return badRequest("amount is required")
    const trade = isText(trade_no) ? trade_no : null
    const call = { number, action, charge_id, out_trade_no, trade_no: trade, amount }
    const mandate_id = isText(fields["mandate"]) ? fields["mandate"] : ""
    const reference = { channel: this.#channel, mandate_id }
    const declines = action === "debit" && this.#mandates.flawOf(reference, amount) !== undefined
    this.#ledger.perform(call, Date.now(), declines ? "unwilling" : "willing")
    return this.outcome(number)
  }

  /** The outcome of a request. */
  outcome(number: string): GatewayAnswer {
    const known = this.#ledger.known(number)
    if (known === undefined) return notFound
    if (known.type === "done") {
      const { at, trade_no } = known
      return { status: 200, json: { number, status: "done", trade_no, at: toIso(at) } }
    }
    const reason = known.type === "refused" ? known.message : "not known"
    return { status: 200, json: { number, status: "refused", reason } }
  }

  /** Asks a person to approve a mandate, once however often it is sent. */
  mandate(fields: Json): GatewayAnswer {
    const { agent_id, mandate_id, service_id } = fields
    const auto_pay_limit = moneyOf(fields["auto_pay_limit"])
    if (!isText(mandate_id) || !isText(agent_id) || !isText(service_id)) {
      return badRequest("mandate_id, agent_id and service_id are required")
    }
    if (auto_pay_limit === undefined) return badRequest("auto_pay_limit is required")
    const mandate = { mandate_id, agent_id, service_id, auto_pay_limit, spend_cap: null }
    return mandateAnswer(this.#mandates.request({ channel: this.#channel, ...mandate }, "pending"))
  }

  /** The state of a mandate. */
  mandateOf(mandate_id: string): GatewayAnswer {
    return mandateAnswer(this.#mandates.find({ channel: this.#channel, mandate_id }))
  }

  /** Approves or ends a mandate; false when nothing changes. */
  decide(mandate_id: string, status: "active" | "revoked"): boolean {
    return this.#mandates.decide({ channel: this.#channel, mandate_id }, status)
  }

  /** The state of a payment's charge. */
  trade(outTradeNo: string): GatewayAnswer {
    const charge = this.#ledger.of(outTradeNo)
    const trade = charge && this.#ledger.trade(charge.charge_id)
    return trade === undefined ? notFound : { status: 200, json: trade }
  }

  /** A page of the day's lines. */
  statement(day: string, cursor: string | null): GatewayAnswer {
    const from = Number(cursor ?? 0)
    const all = this.#ledger.lines(day)
    const lines = all.slice(from, from + PAGE).map((line) => ({ ...line, at: toIso(line.at) }))
    const next = from + PAGE < all.length ? String(from + PAGE) : null
    return { status: 200, json: { lines, next } }
  }

  /** Lets a payer act; false when the charge does not allow it. */
  act(outTradeNo: string, action: WalletAction): boolean {
    const charge = this.#ledger.of(outTradeNo)
    if (charge === undefined) return false
    if (action === "settle") {
      if (charge.state !== "taken") return false
      this.#ledger.settle(charge, true, Date.now())
      this.#report(charge, "SUCCESS")
      return true
    }
    if (charge.state !== "open") return false
    if (action === "scan") this.#report(charge, "SCANNED")
    else if (action === "reject") {
      this.#ledger.end(charge)
      this.#report(charge, "REJECTED")
    } else {
      const payer = { payer_id: "payer-1", wallet_id: `${this.#channel}-wallet-1` }
      this.#ledger.pay(charge, payer, Date.now())
      this.#report(charge, charge.kind === "qr" ? "AUTHORIZED" : "SUCCESS")
    }
    return true
  }
}
