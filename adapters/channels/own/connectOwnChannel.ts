import { Effect, Result } from "effect"
import type { CurrencyTable } from "../../../core/shared/Currency.ts"
import {
  type ChannelCall,
  type ChannelOutcome,
  ChannelRefusal,
  type Channels,
  type Charge,
  type ChargeReference,
  type MandateAnswer,
  type TradeAnswer,
} from "../../../core/ports/Channels.ts"
import type { WallClock } from "../../../core/ports/WallClock.ts"
import { type Failure, invalidField } from "../../../core/shared/Failure.ts"
import { toIso } from "../../../core/shared/Timestamp.ts"
import { GATEWAY_TIMEOUT } from "../http/HttpChannel.ts"
import * as Wire from "../http/Wire.ts"
import * as Answers from "./Answers.ts"
import { makeAsk } from "./ask.ts"
import type { Asked, OwnChannel, OwnCharge } from "./OwnChannel.ts"
import { readOwnCallback } from "./ownCallbacks.ts"

type Service = Channels["Service"]
type Ask = ReturnType<typeof makeAsk>["ask"]

const unknown = ({ message }: ChannelRefusal) =>
  Effect.succeed({ type: "unknown", message } as const)

const chargeOf = ({ asked_by: _account, amount, expires_at, ...charge }: Charge): OwnCharge => ({
  ...charge,
  amount: { ...amount },
  expires_at: toIso(expires_at),
})

const callOf = (call: ChannelCall): ChannelCall => ({ ...call, amount: { ...call.amount } })

const refusedCharge = (channel: string, reason = `${channel} gives no reason.`) =>
  new ChannelRefusal({ reason: "generation_failed", message: reason })

const charges = ({ channel: { id }, createDeepLink, createQr }: OwnChannel, ask: Ask) => {
  const askQr = ask("createQr", createQr, (answer) =>
    Result.flatMap(Answers.readCharge(answer), (made) =>
      made.status === "created" && made.qr_data === undefined
        ? Result.fail(invalidField("qr_data", "must be the content of the QR code"))
        : Result.succeed(made),
    ),
  )
  const askLink = createDeepLink && ask("createDeepLink", createDeepLink, Answers.readCharge)
  const service: Pick<Service, "createQr" | "createDeepLink"> = {
    createQr: Effect.fnUntraced(function* (charge) {
      const { qr_data = "", reason, status } = yield* askQr(chargeOf(charge))
      return status === "created" ? { qr_data } : yield* refusedCharge(id, reason)
    }),
    createDeepLink: Effect.fnUntraced(function* (charge) {
      if (askLink === undefined) return yield* refusedCharge(id, `${id} makes no links.`)
      const { reason, status } = yield* askLink(chargeOf(charge))
      if (status === "refused") return yield* refusedCharge(id, reason)
    }),
  }
  return service
}

type Outcome = Result.Result<ChannelOutcome, Failure>

const readOutcome = (answer: unknown): Outcome =>
  Result.gen(function* () {
    const outcome = Wire.outcomeOf(yield* Answers.readRequest(answer))
    const reason = "and at are required when the status is done"
    return outcome ?? (yield* Result.fail(invalidField("trade_no", reason)))
  })

const readInquiry: (answer: unknown) => Outcome = Answers.orNotFound(readOutcome)

/** After a failure the outcome is unknown. A channel without access has not captured money. */
const uncertain =
  ({ action }: ChannelCall) =>
  ({ message, reason }: ChannelRefusal): Effect.Effect<ChannelOutcome> =>
    Effect.succeed({
      type:
        reason === "credentials" && (action === "capture" || action === "debit")
          ? "refused"
          : "unknown",
      message,
    })

const calls = (own: OwnChannel, ask: Ask): Pick<Service, "call" | "ask"> => {
  const asked = (name: string, run: Asked<ChannelCall, unknown>) => ask(name, run, readOutcome)
  const actions = {
    capture: asked("capture", own.capture),
    release: asked("release", own.release),
    close: asked("close", own.close),
    refund: asked("refund", own.refund),
    debit: own.debits && asked("debit", own.debits.debit),
  }
  const inquire = ask("inquire", own.inquire, readInquiry)
  return {
    call: (call) =>
      actions[call.action]?.(callOf(call)).pipe(Effect.catch(uncertain(call))) ??
      Effect.succeed({ type: "refused", message: `${call.channel} takes no debits.` }),
    ask: (call) => Effect.catch(inquire(callOf(call)), unknown),
  }
}

type MandateCalls = Pick<Service, "requestMandate" | "askMandate" | "revokeMandate">

const readMandate = (answer: unknown): Result.Result<MandateAnswer, Failure> =>
  Result.map(Answers.readMandate(answer), Wire.mandateOf)

const readMandateInquiry = Answers.orNotFound(readMandate)

/** A channel without debits answers that no mandate was ever approved. */
const NO_MANDATES: MandateCalls = {
  requestMandate: () => Effect.succeed({ type: "known", status: "revoked" }),
  askMandate: () => Effect.succeed({ type: "known", status: "revoked" }),
  revokeMandate: () => Effect.succeed({ type: "known", status: "revoked" }),
}

const mandates = ({ debits }: OwnChannel, ask: Ask): MandateCalls => {
  if (debits === undefined) return NO_MANDATES
  const request = ask("requestMandate", debits.requestMandate, readMandate)
  const inquire = ask("inquireMandate", debits.inquireMandate, readMandateInquiry)
  const revoke = ask("revokeMandate", debits.revokeMandate, readMandateInquiry)
  return {
    requestMandate: (mandate) => Effect.catch(request({ ...mandate }), unknown),
    askMandate: (mandate) => Effect.catch(inquire({ ...mandate }), unknown),
    revokeMandate: (mandate) => Effect.catch(revoke({ ...mandate }), unknown),
  }
}

const readTrade = Answers.orNotFound((answer): Result.Result<TradeAnswer, Failure> =>
  Result.gen(function* () {
    const { trade_no = null, ...fields } = yield* Answers.readTrade(answer)
    const trade = Wire.tradeOf({ ...fields, trade_no, out_trade_no: "" })
    const reason = "and refunded must fit the status and the amount"
    if (trade === undefined) return yield* Result.fail(invalidField("trade_no", reason))
    return { type: "known", trade }
  }),
)

const questions = (own: OwnChannel, ask: Ask): Pick<Service, "query" | "payerOf" | "statement"> => {
  const inquire = ask("inquireCharge", own.inquireCharge, readTrade)
  const query = ({ channel, out_trade_no }: Pick<ChargeReference, "channel" | "out_trade_no">) =>
    inquire({ channel, out_trade_no }).pipe(
      Effect.map((answer): TradeAnswer =>
        answer.type === "known" ? { ...answer, trade: { ...answer.trade, out_trade_no } } : answer,
      ),
      Effect.catch(unknown),
    )
  const statement = ask("statement", own.statement, Answers.readStatement)
  return {
    query,
    payerOf: (channel, out_trade_no) =>
      Effect.map(query({ channel, out_trade_no }), (answer) =>
        answer.type === "known" && "payer" in answer.trade ? answer.trade.payer : undefined,
      ),
    statement: (channel, day, cursor) =>
      Effect.flatMap(statement({ day, cursor }), (body) => {
        const page = Wire.pageOf(body)
        const message = `statement of ${channel} is not valid: next is the page's own cursor.`
        return page.next !== null && page.next === cursor
          ? Effect.fail(new ChannelRefusal({ reason: "nonsense", message }))
          : Effect.succeed(page)
      }),
  }
}

/**
 * Returns the port `Channels` for one channel of the host. Whatever its functions do, the core gets
 * a typed refusal, or an unknown outcome with the reason.
 */
export const connectOwnChannel = (
  own: OwnChannel,
  clock: WallClock["Service"],
  currencies: CurrencyTable,
): Service => {
  const { codec, timeoutMs: timeout = GATEWAY_TIMEOUT.usual } = own
  const channel = own.channel.id
  const { ask, health } = makeAsk(channel, timeout, clock)
  return {
    health: () => health,
    ...charges(own, ask),
    ...calls(own, ask),
    ...mandates(own, ask),
    ...questions(own, ask),
    readCallback: (_channel, body, signature, headers = {}) => {
      const given = signature === undefined ? {} : { "x-channel-signature": signature }
      const callback = { body, headers: { ...given, ...headers } }
      return readOwnCallback({ channel, codec, timeout }, callback, currencies)
    },
    noteCallback: () => Effect.void,
  }
}
