import { Clock, Effect, Layer, Result } from "effect"
import {
  type ChannelMessage,
  isAboutMandate,
  isAboutRefund,
} from "../../../core/gateway/ChannelCallback.ts"
import {
  type ChannelCall,
  type ChannelOutcome,
  ChannelRefusal,
  Channels,
  type TradeAnswer,
} from "../../../core/ports/Channels.ts"
import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import type { Installation } from "../../../core/ports/Installation.ts"
import { type ChannelFaults, NO_CHANNEL_FAULTS } from "../../../core/ports/Sandbox.ts"
import type { StoreUnavailable } from "../../../core/ports/Store.ts"
import { Vault } from "../../../core/ports/Vault.ts"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import { readSignedCallback } from "../readSignedCallback.ts"
import { Books } from "./Books.ts"
import { ChannelSettings } from "./ChannelSettings.ts"
import { applyCallback, type Charge, applyCall, SETTLES_AFTER } from "./Charge.ts"
import { applyRefundCallback, CONFIRMS_AFTER } from "./ChargeRefunds.ts"
import { Mandates } from "./Mandates.ts"
import { makeMandateCalls, debitRefusal } from "./sandboxMandates.ts"
import { linesOfDay, withStatementFaults, tradeOf } from "./Statement.ts"

const refusal = (reason: ChannelRefusal["reason"], message: string) =>
  new ChannelRefusal({ reason, message })

/** Returns why a channel with these faults refuses new charges; undefined if it does not. */
const unusable = (channel: string, faults: ChannelFaults): ChannelRefusal | undefined => {
  if (faults.down) return refusal("down", `${channel} does not answer.`)
  if (faults.rate_limited) return refusal("rate_limited", `${channel} is over its rate.`)
  return faults.credentials_invalid
    ? refusal("credentials", `${channel} knows no merchant with these credentials.`)
    : undefined
}

/** Returns the outcome of a call that a fault prevents; undefined if none does. */
const faultOutcome = (call: ChannelCall, faults: ChannelFaults): ChannelOutcome | undefined => {
  const { action, channel } = call
  if (faults.down) return { type: "unknown", message: `${channel} does not answer.` }
  if (faults.rate_limited) return { type: "unknown", message: `${channel} is over its rate.` }
  // A hold, or money that came too late, must still be returned once the credentials are right.
  if (faults.credentials_invalid) {
    const message = `${channel} knows no merchant with these credentials.`
    const takes = action === "capture" || action === "debit"
    return { type: takes ? "refused" : "unknown", message }
  }
  return action === "refund" && faults.refund_rejects
    ? { type: "refused", message: `${channel} rejects the refund.` }
    : undefined
}

type Service = Channels["Service"]

const makeFaultsOf = Effect.map(
  ChannelSettings,
  (settings) =>
    (channel: string): Effect.Effect<ChannelFaults> =>
      Effect.map(settings.all, (all) => all.get(channel)?.faults ?? NO_CHANNEL_FAULTS),
)

const makeCharges = Effect.gen(function* () {
  const faultsOf = yield* makeFaultsOf
  const service: Pick<Service, "health" | "createQr" | "createDeepLink"> = {
    health: (channel) =>
      Effect.map(faultsOf(channel), ({ down, rate_limited }) =>
        down ? "down" : rate_limited ? "rate_limited" : "up",
      ),

    createQr: ({ channel, out_trade_no }) =>
      Effect.flatMap(faultsOf(channel), (faults) => {
        const refused = unusable(channel, faults)
        if (refused !== undefined) return Effect.fail(refused)
        return faults.qr_fails
          ? Effect.fail(refusal("generation_failed", `${channel} could not make a QR code.`))
          : Effect.succeed({ qr_data: `svc://pay/${out_trade_no}?channel=${channel}` })
      }),

    createDeepLink: Effect.fnUntraced(function* ({ channel }) {
      const faults = yield* faultsOf(channel)
      const refused = unusable(channel, faults)
      if (refused !== undefined) return yield* refused
      if (faults.deeplink_fails) {
        return yield* refusal("generation_failed", `${channel} could not make a deep link.`)
      }
    }),
  }
  return service
})

const OUT_OF_REACH = { type: "unknown", message: "The channel's books are out of reach." } as const

const unreachable = (error: unknown): Effect.Effect<typeof OUT_OF_REACH> =>
  Effect.as(Effect.logWarning("The sandbox's books are out of reach.", error), OUT_OF_REACH)

/** Returns the outcome that the charge has recorded under a number; undefined without one. */
const recordedOutcome = (
  charge: Charge | undefined,
  number: string,
): ChannelOutcome | undefined => {
  const effected = charge?.effects[number]
  if (charge === undefined || effected === undefined) return undefined
  if (effected.confirms_at !== undefined) return { type: "pending" }
  return effected.refused === null
    ? { type: "done", at: effected.at, trade_no: charge.trade_no }
    : { type: "refused", message: effected.refused }
}

/** Executes the call in the books, or refuses it for the reason `declined`, once per number. */
const perform = Effect.fnUntraced(function* (
  call: ChannelCall,
  faults: ChannelFaults,
  declined: string | undefined,
) {
  const books = yield* Books
  const { action, channel, number, out_trade_no } = call
  const at = yield* Clock.currentTimeMillis
  const settleAt = faults.settle === "manual" ? null : at + SETTLES_AFTER
  const entry = yield* books.change(channel, out_trade_no, (before) => {
    if (before.effects[number] !== undefined) return before
    const applied =
      declined === undefined ? applyCall(before, call, at, settleAt) : Result.fail(declined)
    const refused = Result.isFailure(applied) ? applied.failure : null
    const after = Result.isSuccess(applied) ? applied.success : before
    const { value } = call.amount
    const later =
      action === "refund" && refused === null ? { confirms_at: at + CONFIRMS_AFTER } : {}
    const effect = { action, refused, at, value, ...later }
    return { ...after, effects: { ...after.effects, [number]: effect } }
  })
  const unknown: ChannelOutcome = {
    type: "refused",
    message: `${channel} knows no charge ${out_trade_no}`,
  }
  return recordedOutcome(entry?.charge, number) ?? unknown
})

const makeCalls = Effect.gen(function* () {
  const books = yield* Books
  const mandates = yield* Mandates
  const faultsOf = yield* makeFaultsOf
  const service: Pick<Service, "call" | "ask"> = {
    call: Effect.fnUntraced(function* (call) {
      const faults = yield* faultsOf(call.channel)
      const stopped = faultOutcome(call, faults)
      if (stopped !== undefined) return stopped
      const outcome = yield* Effect.gen(function* () {
        const declined = call.action === "debit" ? yield* debitRefusal(call, faults) : undefined
        return yield* perform(call, faults, declined)
      }).pipe(
        Effect.provideService(Books, books),
        Effect.provideService(Mandates, mandates),
        Effect.catch(unreachable),
      )
      return faults.timeout
        ? { type: "unknown", message: `${call.channel} did not answer in time.` }
        : outcome
    }),

    ask: Effect.fnUntraced(function* ({ channel, number, out_trade_no }) {
      const { credentials_invalid, down, rate_limited } = yield* faultsOf(channel)
      if (down || rate_limited || credentials_invalid) {
        return { type: "unknown", message: `${channel} does not tell.` }
      }
      return yield* books.find(channel, out_trade_no).pipe(
        Effect.map(
          (charge): ChannelOutcome => recordedOutcome(charge, number) ?? { type: "not_found" },
        ),
        Effect.catch(unreachable),
      )
    }),
  }
  return service
})

const makeQuestions = Effect.gen(function* () {
  const books = yield* Books
  const faultsOf = yield* makeFaultsOf
  const service: Pick<Service, "query" | "statement"> = {
    query: Effect.fnUntraced(function* ({ channel, out_trade_no }) {
      const silent = unusable(channel, yield* faultsOf(channel))
      if (silent !== undefined) return { type: "unknown", message: silent.message }
      return yield* books.find(channel, out_trade_no).pipe(
        Effect.map((charge): TradeAnswer =>
          charge === undefined ? { type: "not_found" } : { type: "known", trade: tradeOf(charge) },
        ),
        Effect.catch(unreachable),
      )
    }),

    statement: Effect.fnUntraced(function* (channel, day, cursor) {
      const faults = yield* faultsOf(channel)
      const refused = unusable(channel, faults)
      if (refused !== undefined) return yield* refused
      const { charges, next } = yield* books
        .page(channel, cursor)
        .pipe(Effect.mapError(() => refusal("down", OUT_OF_REACH.message)))
      const lines = charges.flatMap((charge) => linesOfDay(charge, day))
      return { lines: withStatementFaults(lines, faults), next }
    }),
  }
  return service
})

const makeCallbacks = Effect.gen(function* () {
  const books = yield* Books
  const mandates = yield* Mandates
  const settings = yield* ChannelSettings
  const vault = yield* Vault

  const enter = (
    callback: ChannelMessage,
    payment: PaymentIntent | undefined,
    now: Timestamp,
  ): Effect.Effect<unknown, StoreUnavailable> => {
    if (isAboutMandate(callback)) {
      const status = callback.mandate_status === "ACTIVE" ? "active" : "revoked"
      return mandates.change(callback, (before) =>
        before && before.status !== "revoked" ? { ...before, status } : before,
      )
    }
    return books.change(
      callback.channel,
      callback.out_trade_no,
      (charge) =>
        (isAboutRefund(callback)
          ? applyRefundCallback(charge, callback, now)
          : applyCallback(charge, callback, now)) ?? charge,
      payment && { payment },
    )
  }

  const service: Pick<Service, "payerOf" | "readCallback" | "noteCallback"> = {
    payerOf: (channel, outTradeNo) =>
      books.find(channel, outTradeNo).pipe(
        Effect.map(
          (charge) => charge && { payer_id: charge.payer_id, wallet_id: charge.wallet_id },
        ),
        Effect.catch((error) =>
          Effect.as(Effect.logWarning("The sandbox's books are out of reach.", error), undefined),
        ),
      ),

    readCallback: Effect.fnUntraced(function* (channel, body, signature) {
      const secret = (yield* settings.all).get(channel)?.secret
      return yield* readSignedCallback(vault, secret, { channel, body, signature })
    }),

    noteCallback: Effect.fnUntraced(function* (callback, payment) {
      const entered = enter(callback, payment, yield* Clock.currentTimeMillis)
      yield* Effect.catch(entered, (error) =>
        Effect.logWarning("A callback was not entered in the sandbox's books.", error),
      )
    }),
  }
  return service
})

type Needed = Books | ChannelSettings | Installation | Mandates | Vault

const make: Effect.Effect<Service, never, Needed> = Effect.all([
  makeCharges,
  makeCalls,
  Effect.flatMap(makeFaultsOf, makeMandateCalls),
  makeQuestions,
  makeCallbacks,
]).pipe(
  Effect.map(([charges, calls, mandates, questions, callbacks]) => ({
    ...charges,
    ...calls,
    ...mandates,
    ...questions,
    ...callbacks,
  })),
)

/** Simulates all channels of the catalog in process, over their own books. */
export const layer = Layer.effect(Channels, make)
