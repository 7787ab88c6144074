import { Clock, Effect, type Result } from "effect"
import { type Charge, type ChannelRefusal, Channels } from "../ports/Channels.ts"
import { Ids } from "../ports/Ids.ts"
import type { Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"

/** What a new payment is named and dated by, the same however often its creation is decided. */
export interface PaymentNumbers {
  readonly id: () => string
  readonly created_at: Effect.Effect<Timestamp>
}

/** A charge that a channel was asked for, and its answer. */
export interface RegisteredCharge<A> {
  readonly charge: Charge
  readonly answer: Result.Result<A, ChannelRefusal>
}

/** The numbers of a new payment, with what channels have answered about its charges. */
export interface NewCharges<A> extends PaymentNumbers {
  readonly register: (
    charge: Omit<Charge, "out_trade_no" | "charge_id">,
  ) => Effect.Effect<RegisteredCharge<A>>
}

/** The numbers of a payment that is created once: the given id, else a new one. */
export const newNumbers = (given?: string) =>
  Effect.map(Ids, (ids): PaymentNumbers => {
    let id = given
    let at: Timestamp | undefined
    return {
      id: () => (id ??= `pi_${ids.uuid()}`),
      created_at: Effect.map(Clock.currentTimeMillis, (now) => (at ??= now)),
    }
  })

/** A charge's number stands for one amount: what is stored has to be what the channel was told. */
const agreed = <A>(known: RegisteredCharge<A>, { currency, value }: Money) => {
  const { amount } = known.charge
  return amount.currency === currency && amount.value === value
    ? Effect.succeed(known)
    : Effect.die(new Error("A charge of a new payment was decided again with another amount."))
}

const newCharges = Effect.fnUntraced(function* <A>(
  ask: (charge: Charge) => Effect.Effect<A, ChannelRefusal>,
  numberOf: (payment: string) => string,
) {
  const numbers = yield* newNumbers()
  const answers = new Map<string, RegisteredCharge<A>>()
  const register: NewCharges<A>["register"] = (terms) =>
    Effect.suspend(() => {
      const known = answers.get(terms.channel)
      if (known !== undefined) return agreed(known, terms.amount)
      const payment = numbers.id()
      const charge = { ...terms, out_trade_no: payment, charge_id: numberOf(payment) }
      return Effect.map(Effect.result(ask(charge)), (answer) => {
        const registered = { charge, answer }
        answers.set(terms.channel, registered)
        return registered
      })
    })
  return { ...numbers, register } satisfies NewCharges<A>
})

/**
 * The QR codes of a new payment. A commit that is refused is decided again on the answers that
 * there are: each channel makes one code a request.
 */
export const newQrCodes = Effect.gen(function* () {
  const channels = yield* Channels
  const ids = yield* Ids
  return yield* newCharges(channels.createQr, () => `qr_${ids.uuid()}`)
})

/** The links of a new payment, likewise. A link's charge has the payment's own number. */
export const newLinks = Effect.gen(function* () {
  const channels = yield* Channels
  return yield* newCharges(channels.createDeepLink, (payment) => payment)
})
