import { Effect } from "effect"
import {
  type ChannelCall,
  type ChannelOutcome,
  ChannelRefusal,
  type Channels,
  type Charge,
  type ChargeReference,
  type MandateRequest,
  type StatementPage,
  type Trade,
  type TradeAnswer,
} from "../../core/ports/Channels.ts"
import { Failure } from "../../core/shared/Failure.ts"
import { SECOND } from "../../core/shared/Timestamp.ts"
import { CALL_TIMEOUT } from "../faults/Faults.ts"
import type { Chance } from "../random/Chance.ts"
import type { Stage } from "../world/Stage.ts"
import { open } from "./Codec.ts"
import type { BookedCharge, Network } from "./Network.ts"
import { type Mood, moneyOf } from "./Ledger.ts"
import { type LossyCall, mandateCalls } from "./Mandates.ts"

const ANSWERS_AFTER = 200
const LATE_BY = 30 * SECOND

const unknown = (message: string) => ({ type: "unknown", message }) as const

const REFUSALS = ["generation_failed", "rate_limited", "down"] as const

/** The payment that a call is about, as far as it names one. */
interface About {
  readonly channel: string
  readonly out_trade_no?: string
}

/** What happens to a call and its answer. */
type Fate = "answered" | "error" | "lost" | "lost_with_effect"

/** The port of the channels, over a network with faults. */
class Front {
  readonly #stage: Stage
  readonly #network: Network
  readonly #chance: Chance

  constructor(stage: Stage, network: Network) {
    this.#stage = stage
    this.#network = network
    this.#chance = stage.chance("channels")
  }

  #latency(): Effect.Effect<void> {
    const mean = this.#stage.faults().store_latency_ms === 0 ? 0 : ANSWERS_AFTER
    return Effect.sleep(Math.min(this.#chance.wait(mean), CALL_TIMEOUT))
  }

  #fate({ channel, out_trade_no = channel }: About): Fate {
    if (this.#network.backAt(channel) !== undefined) {
      this.#stage.log.note("call_in_outage", out_trade_no)
      return "lost"
    }
    const { call_timeout, call_error } = this.#stage.faults()
    if (this.#chance.hits(call_timeout)) {
      this.#stage.log.note("call_timeout", out_trade_no)
      return this.#chance.hits(0.5) ? "lost_with_effect" : "lost"
    }
    if (!this.#chance.hits(call_error)) return "answered"
    this.#stage.log.note("call_error", out_trade_no)
    return "error"
  }

  readonly create = (kind: BookedCharge["kind"]) => (charge: Charge) =>
    Effect.andThen(
      this.#latency(),
      Effect.suspend(() => {
        const away = this.#network.backAt(charge.channel) !== undefined
        const refused = this.#chance.hits(this.#stage.faults().charge_refused)
        if (refused) this.#stage.log.note("charge_refused", charge.out_trade_no)
        if (away || refused) {
          const reason = away ? "down" : this.#chance.pick(REFUSALS)
          return Effect.fail(new ChannelRefusal({ reason, message: `The channel says ${reason}.` }))
        }
        const ledger = this.#network.ledger(charge.channel)
        // The charge may be made again under its number.
        if (ledger?.charges.get(charge.charge_id) === undefined) {
          ledger?.open(charge, kind, this.#stage.now())
        }
        return Effect.succeed({
          qr_data: `svc://pay/${charge.out_trade_no}?channel=${charge.channel}`,
        })
      }),
    )

  #perform(call: ChannelCall): ChannelOutcome {
    const ledger = this.#network.ledger(call.channel)
    if (ledger === undefined) return { type: "refused", message: "no such channel" }
    const isNew = ledger.known(call.number) === undefined
    const outcome = ledger.perform(call, this.#stage.now(), isNew ? this.#mood(call) : "willing")
    if (isNew && outcome.type === "pending") this.#network.keepPromise(call)
    return outcome
  }

  /** Draws how the channel reacts. It may refuse a part of a payment's amount without a rule. */
  #mood(call: ChannelCall): Mood {
    const { action, amount, channel, charge_id, mandate } = call
    const hits = (fault: string, probability: number) => this.#hits(call, fault, probability)
    if (action === "debit") {
      const reference = { channel, mandate_id: mandate ?? "" }
      if (this.#network.mandates.flawOf(reference, amount) !== undefined) return "unwilling"
      return hits("debit_declined", this.#stage.faults().debit_declined) ? "unwilling" : "willing"
    }
    const { capture_refused, refund_refused, refund_slow } = this.#stage.faults()
    if (action === "capture" && hits("capture_refused", capture_refused)) return "unwilling"
    if (action !== "refund") return "willing"
    const charge = this.#network.ledger(channel)?.charges.get(charge_id)
    const isPart = charge !== undefined && amount.value < moneyOf(charge).value
    if (isPart && hits("refund_refused", refund_refused)) return "unwilling"
    return hits("refund_slow", refund_slow) ? "slow" : "willing"
  }

  #hits({ out_trade_no }: ChannelCall, fault: string, probability: number): boolean {
    const hit = this.#chance.hits(probability)
    if (hit) this.#stage.log.note(fault, out_trade_no)
    return hit
  }

  /** Returns a channel's answer, unless it is lost; `lost` runs if the effect is lost, too. */
  #asked<A>(about: About, answer: Effect.Effect<A>, lost: () => void = () => undefined) {
    return Effect.andThen(
      this.#latency(),
      Effect.suspend((): Effect.Effect<A | ReturnType<typeof unknown>> => {
        const fate = this.#fate(about)
        if (fate === "answered") return answer
        if (fate === "error") return Effect.succeed(unknown("The channel answered 503."))
        if (fate === "lost_with_effect") lost()
        return Effect.as(Effect.sleep(CALL_TIMEOUT), unknown("The channel did not answer."))
      }),
    )
  }

  readonly call = (call: ChannelCall): Effect.Effect<ChannelOutcome> => {
    const performed = Effect.sync(() => this.#perform(call))
    return this.#asked(
      call,
      Effect.tap(performed, () => this.#latency()),
      () => {
        const late = Effect.sleep(this.#chance.int(0, LATE_BY))
        this.#stage.spawn(Effect.asVoid(Effect.andThen(late, performed)))
      },
    )
  }

  readonly ask = (call: ChannelCall): Effect.Effect<ChannelOutcome> =>
    this.#asked(
      call,
      Effect.sync(
        () => this.#network.ledger(call.channel)?.known(call.number) ?? { type: "not_found" },
      ),
    )

  /** Approves as a person, at once or later, or declines later. */
  readonly approves = (asked: MandateRequest): "pending" | "active" => {
    if (this.#network.mandates.find(asked) !== undefined) return "pending"
    if (this.#chance.hits(0.6)) return "active"
    const decided = Effect.sync(() => {
      const status = this.#chance.hits(0.8) ? "active" : "revoked"
      if (this.#network.mandates.decide(asked, status)) this.#stage.log.note("approval_delayed")
    })
    this.#stage.spawn(Effect.andThen(Effect.sleep(this.#chance.wait(LATE_BY)), decided))
    return "pending"
  }

  /** A call that may be repeated: its effect, its answer or both can get lost. */
  readonly lossy: LossyCall = (channel, effect) =>
    this.#asked({ channel }, Effect.sync(effect), effect)

  /** Answers from a copy of the books, which may be out of date. */
  readonly query = (charge: ChargeReference): Effect.Effect<TradeAnswer> =>
    Effect.tap(this.#answer(charge), (answer) =>
      Effect.sync(() => this.#visit(charge.out_trade_no, answer)),
    )

  /** Counts an answer to the service's inquiry as an event of the payment, like a callback. */
  #visit(id: string, answer: TradeAnswer): void {
    if (answer.type !== "known") return
    const { trade } = answer
    if (trade.status === "held") this.#stage.visit(id, "AUTHORIZED")
    if (trade.status === "settled") this.#stage.visit(id, "SUCCESS")
    if (trade.status === "closed") this.#stage.visit(id, trade.reason)
  }

  readonly #answer = (charge: ChargeReference): Effect.Effect<TradeAnswer> =>
    this.#asked(
      charge,
      Effect.sync(() => {
        const { channel, charge_id, out_trade_no } = charge
        const ledger = this.#network.ledger(channel)
        if (!this.#chance.hits(this.#stage.faults().query_stale)) {
          return answerOf(ledger?.trade(charge_id))
        }
        const trade = ledger?.trade(charge_id, this.#stage.now() - this.#chance.int(0, LATE_BY))
        this.#stage.log.note("query_stale", out_trade_no)
        return answerOf(trade)
      }),
    )

  readonly statement = (
    channel: string,
    day: string,
  ): Effect.Effect<StatementPage, ChannelRefusal> =>
    Effect.andThen(
      this.#latency(),
      Effect.suspend(() => {
        if (this.#fate({ channel }) !== "answered") {
          const message = "The channel has no statement just now."
          return Effect.fail(new ChannelRefusal({ reason: "down", message }))
        }
        const lines = this.#network.ledger(channel)?.lines(day) ?? []
        return Effect.succeed({ lines: this.#network.statements.shown(channel, lines), next: null })
      }),
    )
}

const answerOf = (trade: Trade | undefined): TradeAnswer =>
  trade === undefined ? { type: "not_found" } : { type: "known", trade }

/** `Channels` over the world's network. */
export const simulatedChannels = (stage: Stage, network: Network): Channels["Service"] => {
  const front = new Front(stage, network)
  return {
    health: (channel) => Effect.sync(() => (network.backAt(channel) === undefined ? "up" : "down")),
    createQr: front.create("qr"),
    createDeepLink: (charge) => Effect.asVoid(front.create("link")(charge)),
    call: front.call,
    ask: front.ask,
    ...mandateCalls(network.mandates, front.lossy, front.approves),
    query: front.query,
    statement: front.statement,
    payerOf: (channel, outTradeNo) =>
      Effect.sync(() => network.find(channel, outTradeNo)?.payer ?? undefined),
    readCallback: (channel, body, signature) => {
      const secret = network.secret(channel)
      return secret === undefined
        ? Effect.fail(
            new Failure({ code: "webhook_signature_invalid", message: "No such channel." }),
          )
        : Effect.fromResult(open({ channel, body, signature }, secret))
    },
    noteCallback: () => Effect.void,
  }
}
