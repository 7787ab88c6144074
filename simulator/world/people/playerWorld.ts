import { Effect, type Result } from "effect"
import type { Caller } from "../../../core/accounts/Account.ts"
import { CaptureInput, captureRules } from "../../../core/payments/CaptureInput.ts"
import { captureIntent } from "../../../core/payments/captureIntent.ts"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { createOneTime } from "../../../core/payments/createOneTime.ts"
import { cancelIntent, voidIntent } from "../../../core/payments/endIntent.ts"
import {
  CreateIntentInput,
  CreateOneTimeInput,
  paymentRules,
} from "../../../core/payments/IntentInput.ts"
import { createRefund } from "../../../core/refunds/createRefund.ts"
import { CreateRefundInput, refundRules } from "../../../core/refunds/RefundInput.ts"
import { RegisterItemInput } from "../../../core/revocations/AccessInput.ts"
import { registerAccessItem } from "../../../core/revocations/registerAccessItem.ts"
import { decode } from "../../../core/shared/Decode.ts"
import type { Failure } from "../../../core/shared/Failure.ts"
import type { BookedCharge } from "../../channels/Network.ts"
import type { Ending, PlayerRequest, PlayerWorld, Shown } from "../../players/PlayerWorld.ts"
import type { Request } from "./Client.ts"
import type { PayerPlan, PaymentPlan } from "../plans/Plan.ts"
import { atOnce } from "../atOnce.ts"
import type { Scene, Services } from "../Stage.ts"
import type { TradeStatus } from "../../../core/gateway/ChannelCallback.ts"
import { MINUTE } from "../../../core/shared/Timestamp.ts"
import { isTerminal } from "../../auditor/invariants/lifecycle.ts"

const EARLY = ["qr_generated", "scanning", "authorized"]

/** Longer than any delay between a message and its effect. */
const SAFE = 5 * MINUTE

/**
 * Whether a message is and stays impossible in the payment's state. Otherwise the service could not
 * tell a channel's false message from a true one.
 */
const isNonsense = (
  { auditor, stage }: Scene,
  { flow, payee }: PaymentPlan,
  { channel, out_trade_no, trade_no }: BookedCharge,
  claimed: TradeStatus,
): boolean => {
  const intent = auditor.model.intents.get(out_trade_no)?.record
  if (intent === undefined) return false
  const { clocksOff } = auditor.model
  const { expires_at, status } = intent
  // Money for a charge that the payer did not choose is returned, so such a message has an effect.
  const isOther = intent.channel !== null && intent.channel !== channel
  if (claimed === "SUCCESS" && (isOther || (intent.trade_no ?? trade_no) !== trade_no)) return false
  const ended = isTerminal(flow, status)
  if (flow === "one_time_pay") {
    return (
      claimed === "SCANNED" || claimed === "SETTLEMENT_FAILED" || (ended && claimed !== "SUCCESS")
    )
  }
  if (claimed === "SCANNED") return status !== "qr_generated"
  if (claimed !== "SUCCESS" && claimed !== "SETTLEMENT_FAILED")
    return ended || status === "captured"
  if (ended) return claimed === "SETTLEMENT_FAILED" || status === "succeeded"
  // A void or cancel might happen before a paused process has seen the message.
  const endsIt = payee.act !== "waits" || payee.probes.some(({ action }) => action !== "capture")
  return !endsIt && EARLY.includes(status) && stage.now() + SAFE + clocksOff < expires_at
}

/** Returns the impossible messages of a channel about something that never happened. */
const misleadingMessages = (
  scene: Scene,
  plan: PaymentPlan,
  charges: ReadonlyArray<BookedCharge>,
) => {
  const [charge] = charges
  if (charge === undefined) return Effect.void
  return atOnce(
    plan.confusions.map(({ after, status }) =>
      Effect.andThen(
        Effect.sleep(after),
        Effect.suspend(() =>
          isNonsense(scene, plan, charge, status)
            ? scene.callbacks.confuse(charge, status)
            : Effect.void,
        ),
      ),
    ),
  )
}

/** Combines a verb that takes a body with the decoder of the body. */
const reading =
  <A>(
    read: (body: unknown) => Result.Result<A, Failure>,
    verb: (caller: Caller, input: A) => Request["verb"],
  ) =>
  (caller: Caller, body: object): Request["verb"] =>
    Effect.flatMap(Effect.fromResult(read(body)), (input) => verb(caller, input))

const VERBS = {
  request_payment: reading(decode(CreateIntentInput, paymentRules), createIntent),
  one_time_pay: reading(decode(CreateOneTimeInput, paymentRules), createOneTime),
  register: reading(decode(RegisterItemInput, {}), registerAccessItem),
  refund: reading(decode(CreateRefundInput, refundRules), createRefund),
} as const

const ENDINGS: {
  readonly [E in Ending]: {
    readonly event: string
    readonly verb: (caller: Caller, id: string, body: object) => Request["verb"]
  }
} = {
  capture: {
    event: "capture_requested",
    verb: (caller, id, body) =>
      Effect.flatMap(Effect.fromResult(decode(CaptureInput, captureRules)(body)), (input) =>
        captureIntent(caller, id, input),
      ),
  },
  void: { event: "voided", verb: voidIntent },
  cancel: { event: "cancelled", verb: cancelIntent },
}

/** Returns a player's request as this world's clients send it, with the verb of its route. */
const requestOf = (asked: PlayerRequest<Caller>): Request => {
  const { body, key, path, type, who: caller } = asked
  const common = { caller, route: `POST ${path}`, body, key }
  if (type === "create" || type === "register" || type === "refund") {
    const verb = VERBS[type === "create" ? asked.flow : type](caller, body)
    const optimistic = type === "register" || (type === "create" && asked.flow !== "one_time_pay")
    return { ...common, status: 201, optimistic, verb }
  }
  const { event, verb } = ENDINGS[type]
  const { intent } = asked
  return {
    ...common,
    moves: { id: intent, event },
    verb: Effect.suspend(() => verb(caller, intent, body)),
  }
}

/** Acts on one charge as the payer's wallet. */
const decide = ({ network, stage }: Scene, act: PayerPlan["act"], charge: BookedCharge): void => {
  if (act === "pays") {
    const payer = stage.chance(`wallet of ${charge.charge_id}`).int(1, 50)
    network.pay(charge, { payer_id: `human-${payer}`, wallet_id: `wallet-${payer}` })
  } else if (act === "rejects") network.refuse(charge, "REJECTED")
  else if (act === "lacks_funds") network.refuse(charge, "INSUFFICIENT_BALANCE")
  else if (act === "is_closed_out") network.refuse(charge, "CLOSED")
}

const bookedFor = ({ network }: Scene, { channel, channels = [], id }: Shown) =>
  (channel === null ? channels.map((offered) => offered.channel) : [channel]).flatMap(
    (name) => network.find(name, id) ?? [],
  )

/** Makes the actions of players in a simulated world. */
export const playerWorld = (scene: Scene): PlayerWorld<Caller, Services> => {
  const { client, network, people, stage } = scene
  return {
    run: null,
    takesParts: true,
    now: stage.now,
    sleep: Effect.sleep,
    sleepUntil: (at) => Effect.suspend(() => Effect.sleep(Math.max(at - stage.now(), 0))),
    together: atOnce,
    log: stage.log,
    seller: (n) => people.sellers[n],
    buyer: (n) => people.buyers[n],
    stranger: people.stranger,
    orders: new Map(),
    nameOf: ({ account }) => account.id,
    agentOf: ({ account }) => account.agent_id,
    serviceId: (name) => people.services.get(name),
    send: (asked, times = 1) => client.flood(requestOf(asked), times),
    read: (who, id) => client.read(who, id),
    askGates: (who, _intent, gates) =>
      Effect.forEach(gates, (gate) => client.ask(who, gate), { discard: true }),
    chargesOf: (_payer, intent) =>
      bookedFor(scene, intent).map((charge) => ({
        expires_at: charge.expires_at,
        open: Effect.sync(() => charge.kind !== "qr" || network.scan(charge)),
        decide: (act) => Effect.sync(() => decide(scene, act, charge)),
      })),
    changesMind: () => stage.faults().payment_after_close > 0,
    mislead: (plan, intent) => misleadingMessages(scene, plan, bookedFor(scene, intent)),
    later: (act) => void scene.later.push(act),
  }
}
