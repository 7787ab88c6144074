import { Clock, Effect } from "effect"
import type { MandateCallback } from "../../../core/gateway/ChannelCallback.ts"
import { asOf, chargeAt, invalidTransition } from "../../../core/payments/Lifecycle.ts"
import { hasEnded, type PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import type {
  MandateDecision,
  PaymentCode,
  Sandbox,
  SimulatedAction,
} from "../../../core/ports/Sandbox.ts"
import { Store } from "../../../core/ports/Store.ts"
import { Failure, notFound } from "../../../core/shared/Failure.ts"
import { isId } from "../../../core/shared/Id.ts"
import { Books } from "./Books.ts"
import { answeredBy, CallbackSender } from "./CallbackSender.ts"
import { applyWalletAction, type Charge, isHalfTold } from "./Charge.ts"
import { type Mandate, Mandates } from "./Mandates.ts"

/** The state that an action leads to, for the message of a refusal. */
const BECOMES: { readonly [A in SimulatedAction]: string } = {
  scan: "scanned",
  authorize: "authorized",
  reject: "rejected",
  insufficient_balance: "rejected",
  settle: "settled",
  close: "closed",
  pay: "paid",
}

/** The effect of a decision on a mandate, and the channel's message about it. */
const DECIDES: {
  readonly [D in MandateDecision]: {
    readonly from: Mandate["status"]
    readonly to: Mandate["status"]
    readonly says: MandateCallback["mandate_status"]
    readonly done: string
  }
} = {
  approve: { from: "pending", to: "active", says: "ACTIVE", done: "approved" },
  reject: { from: "pending", to: "revoked", says: "REJECTED", done: "rejected" },
  end: { from: "active", to: "revoked", says: "REVOKED", done: "ended" },
}

const cannotDecide = (id: string, status: string, action: string) =>
  new Failure({
    code: "INVALID_TRANSITION",
    message: `A mandate that is ${status} cannot be ${action}.`,
    details: { mandate: id, status, action },
  })

/** Simulates wallets that act on charges. */
const makeCharges = Effect.gen(function* () {
  const books = yield* Books
  const callbacks = yield* CallbackSender
  const store = yield* Store

  /** Applies one wallet's action to a payment in its current state. */
  const actOn = Effect.fnUntraced(function* (
    intent: PaymentIntent,
    channel: string | undefined,
    action: SimulatedAction,
  ) {
    const now = yield* Clock.currentTimeMillis
    const refusal = invalidTransition(intent, BECOMES[action])
    if (hasEnded(intent) || channel === undefined) return yield* refusal
    let acted = false
    const decide = (before: Charge) => {
      const after = applyWalletAction(before, action, now, answeredBy(now))
      acted = after !== undefined
      return after ?? before
    }
    const entry = yield* books.change(channel, intent.id, decide, { payment: intent })
    if (entry === undefined) return yield* refusal
    if (!acted && !isHalfTold(entry.charge, action)) return yield* refusal
    yield* callbacks.send(entry)
  })

  const act: Sandbox["Service"]["act"] = Effect.fnUntraced(function* (
    { channel, payment_intent: id }: PaymentCode,
    action,
  ) {
    const stored = isId("pi", id) ? yield* store.find("payment_intent", id) : undefined
    if (stored === undefined) return yield* notFound("payment intent", id)
    const intent = asOf(stored, yield* Clock.currentTimeMillis)
    if (chargeAt(intent, channel) === undefined) return yield* notFound("channel", channel)
    const isOther = intent.channel !== null && intent.channel !== channel
    if (isOther) return yield* invalidTransition(intent, BECOMES[action])
    yield* actOn(intent, channel, action)
  })
  return { act, actOn }
})

/** Simulates people's decisions about mandates. The service queries after a lost message. */
const makeDecide = Effect.gen(function* () {
  const callbacks = yield* CallbackSender
  const mandates = yield* Mandates
  const store = yield* Store

  const decide: Sandbox["Service"]["decide"] = Effect.fnUntraced(function* (id, decision) {
    const known = isId("mnd", id) ? yield* store.find("mandate", id) : undefined
    if (known === undefined) return yield* notFound("mandate", id)
    const { done, from, says, to } = DECIDES[decision]
    const reference = { channel: known.channel, mandate_id: id }
    let before: Mandate["status"] | undefined
    const after = yield* mandates.change(reference, (mandate) => {
      before = mandate?.status
      return mandate?.status === from ? { ...mandate, status: to } : mandate
    })
    if (after === undefined) return yield* notFound("mandate", id)
    const isRepeated = before === to && known.status === from
    if (before !== from && !isRepeated) return yield* cannotDecide(id, after.status, done)
    yield* callbacks.tell({ ...reference, mandate_status: says })
  })
  return decide
})

/** Simulates payers in the sandbox. */
export const makeWallet = Effect.all([makeCharges, makeDecide]).pipe(
  Effect.map(([charges, decide]) => ({ ...charges, decide })),
)

/** See {@link makeWallet}. */
export type Wallet = Effect.Success<typeof makeWallet>
