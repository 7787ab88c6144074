import { createHmac } from "node:crypto"
import { uuidv7 } from "uuidv7"
import { currencies } from "../../../adapters/fx/Currencies.ts"
import type { ChannelFaults } from "../../../core/ports/Sandbox.ts"
import type { TradeStatus } from "../../../core/gateway/ChannelCallback.ts"
import { toMajor } from "../../../core/shared/Money.ts"
import { SECOND } from "../../../core/shared/Timestamp.ts"
import type { SeenPayment } from "../../../simulator/blackbox/Seen.ts"
import { type Faults, NO_FAULTS } from "../../../simulator/faults/Faults.ts"
import type { Chance } from "../../../simulator/random/Chance.ts"
import type { Incident } from "../../../simulator/scenarios/Scenario.ts"
import type { RunContext } from "./ApiClient.ts"
import type { Control, ControlledChannel } from "./Control.ts"

type Switch = Exclude<keyof ChannelFaults, "settle">

/** The channel faults of simulated worlds that the sandbox can play, and for how long. */
const SPELLS: ReadonlyArray<readonly [fault: keyof Faults, set: Switch, lasts: number]> = [
  ["callback_duplicated", "duplicate_callbacks", 60 * SECOND],
  ["call_timeout", "timeout", 20 * SECOND],
  ["call_error", "down", 10 * SECOND],
  ["charge_refused", "qr_fails", 10 * SECOND],
  ["refund_refused", "refund_rejects", 30 * SECOND],
  ["refund_failed", "refund_rejects_late", 30 * SECOND],
]

/** The average time between two spells. */
const GAP = 60 * SECOND

/** What is wrong with a message that must have no effect. */
type Flaw = "another's signature" | "a changed body"

/** The sandbox's channels: their faults, and messages in their names. */
export class Channels {
  readonly #context: RunContext
  readonly #control: Control
  #shown = new Map<string, ControlledChannel>()
  #chance: Chance

  constructor(context: RunContext, control: Control) {
    this.#context = context
    this.#control = control
    this.#chance = context.chance("channels")
  }

  /** Reads the channels' state, and switches all of their faults off. */
  async calm(): Promise<void> {
    const data = await this.#control.channels()
    this.#shown = new Map(data.map((shown) => [shown.channel, shown]))
    for (const { channel, faults } of data) {
      const on = Object.entries(faults).filter(([, value]) => value === true)
      const off = Object.fromEntries(on.map(([name]) => [name, false]))
      if (on.length > 0 || faults.settle === "manual") {
        await this.#control.setFaults(channel, { ...off, settle: "automatic" })
      }
    }
  }

  /** Makes a channel unavailable while the scenario says so. */
  async away({ after_ms, lasts_ms, ...incident }: Incident): Promise<void> {
    if (incident.what !== "channel_away") return
    await this.#context.time.sleep(after_ms)
    this.#context.log.note("call_in_outage")
    await this.#control.setFaults(incident.channel, { down: true })
    await this.#context.time.sleep(lasts_ms)
    await this.#control.setFaults(incident.channel, { down: false })
  }

  /** Gives one channel after the other faults for a while, until `isOver`. */
  async misbehave(names: ReadonlyArray<string>, isOver: () => boolean): Promise<void> {
    const { faults, log, time } = this.#context
    const [first, ...others] = names
    if (first === undefined || SPELLS.every(([fault]) => faults()[fault] === 0)) return
    while (!isOver()) {
      await time.sleep(this.#chance.wait(GAP))
      const [fault, set, lasts] = this.#chance.pick([
        SPELLS[0] as (typeof SPELLS)[number],
        ...SPELLS.slice(1),
      ])
      if (isOver() || !this.#chance.hits(Math.sqrt(faults()[fault]))) continue
      const channel = this.#chance.pick([first, ...others])
      log.note(fault)
      await this.#control.setFaults(channel, { [set]: true })
      await time.sleep(this.#chance.wait(lasts))
      await this.#control.setFaults(channel, { [set]: false })
    }
  }

  /** Sends a channel's message about a charge, signed with its secret, or spoilt. */
  async say(
    payment: SeenPayment,
    channel: string,
    trade_status: TradeStatus,
    trade_no: string,
    flaw: Flaw | null = null,
  ): Promise<void> {
    const currency = currencies.get(payment.amount.currency)
    const shown = this.#shown.get(channel)
    if (currency === undefined || shown === undefined) return
    const data = {
      out_trade_no: payment.id,
      trade_no,
      total_amount: toMajor(payment.amount, currency),
      trade_status,
      currency: payment.amount.currency,
      payer_id: `human-${trade_no}`,
      wallet_id: `wallet-${trade_no}`,
    }
    const body = JSON.stringify({ channel, event: "trade_status", data })
    const secret = flaw === "another's signature" ? uuidv7() : shown.secret
    const signature = createHmac("sha256", secret).update(body).digest("hex")
    const reply = await this.#context.http.send({
      method: "POST",
      path: `/v1/webhooks/channel/${channel}`,
      body: flaw === "a changed body" ? body.replace(trade_no, `${trade_no}0`) : body,
      headers: { "X-Channel-Signature": signature },
    })
    if (flaw !== null)
      this.#context.log.note(flaw === "a changed body" ? "callback_tampered" : "callback_forged")
    if (reply === undefined) return
    this.#context.witness.auditor.see("called_back", payment.id, { flaw, status: reply.status })
  }
}

/** Returns the faults of a simulated world that cannot be caused from outside. */
export const notCaused = (faults: Faults): ReadonlyArray<string> => {
  const caused = new Set<string>([
    ...SPELLS.map(([fault]) => fault),
    "callback_forged",
    "callback_tampered",
    "answer_lost",
    "client_parallel",
    "receiver_failed",
    "receiver_redirects",
    "receiver_resets",
    "receiver_pours",
    "keys_changed",
  ])
  return Object.keys(NO_FAULTS).filter(
    (fault) => !caused.has(fault) && faults[fault as keyof Faults] > 0,
  )
}
