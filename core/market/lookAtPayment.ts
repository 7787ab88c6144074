import { Clock, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import type { IntentView } from "../payments/IntentView.ts"
import { getIntent } from "../payments/getIntent.ts"
import { Store } from "../ports/Store.ts"
import { refundRequestView } from "../refundRequests/RefundRequestView.ts"
import { toIso } from "../shared/Timestamp.ts"
import { CurrentPatience } from "./Patience.ts"
import { isPaid, isSettled, isUnpaidEnd, type Known, receipt } from "./Receipt.ts"

/** Reads the invoice of a payment that has ended unpaid, which can still be owed. */
const readInvoice = Effect.fnUntraced(function* (caller: Caller, payment: IntentView) {
  if (payment.invoice === undefined || !isUnpaidEnd(payment)) return undefined
  const invoice = yield* (yield* Store).find("invoice", payment.invoice)
  if (invoice === undefined) return undefined
  const { account_id, id, status } = invoice
  return { id, status, isOwn: account_id === caller.account.id }
})

/**
 * Reads a payment of the caller with its newest refund request and refund, or with the invoice that
 * it has not paid.
 */
export const lookAtPayment = Effect.fnUntraced(function* (caller: Caller, id: string) {
  const payment = yield* getIntent(caller, id)
  if (!isPaid(payment)) {
    const invoice = yield* readInvoice(caller, payment)
    return { payment, invoice } satisfies Known
  }
  const store = yield* Store
  const newest = { by: { payment_intent: payment.id }, limit: 1 }
  const [[asked], [given]] = yield* Effect.all(
    [store.list("refund_request", newest), store.list("refund", newest)],
    { concurrency: "unbounded" },
  )
  const known: Known = {
    payment,
    asked: asked && refundRequestView(asked),
    given: given && {
      id: given.id,
      status: given.status,
      amount: given.amount,
      created_at: toIso(given.created_at),
    },
  }
  return known
})

/** The interval at which changes by other processes are looked for, in milliseconds. */
const LOOKED_EVERY = 1_000

/** Makes a signal for changed records. It stays set until the next wait for it. */
const makeBell = () => {
  let rung = false
  let wake = () => {}
  const ring = () => {
    rung = true
    wake()
  }
  const heard = Effect.callback<void>((resume) => {
    wake = () => resume(Effect.void)
    if (rung) wake()
  })
  return { ring, heard: Effect.tap(heard, () => Effect.sync(() => (rung = false))) }
}

/**
 * Waits until a payment has changed, the time is over, or the caller has gone away. Changes of this
 * process are seen immediately, those of other processes within a second.
 */
const waitFor = Effect.fnUntraced(function* (caller: Caller, before: Known, millis: number) {
  const store = yield* Store
  const { begin } = yield* CurrentPatience
  const bell = makeBell()
  let isOver = false
  const leave = begin(millis, () => {
    isOver = true
    bell.ring()
  })
  if (leave === undefined) return undefined
  const { asked, given, payment } = before
  const watched = [payment.id, asked?.id, given?.id].flatMap((id) => id ?? [])
  const stops = watched.map((id) => store.watch(id, bell.ring))
  const until = (yield* Clock.currentTimeMillis) + millis
  const shown = JSON.stringify(receipt(before))
  const waiting = Effect.gen(function* () {
    for (;;) {
      const known: Known = yield* lookAtPayment(caller, payment.id)
      const left = until - (yield* Clock.currentTimeMillis)
      if (isOver || left <= 0 || JSON.stringify(receipt(known)) !== shown) return known
      yield* Effect.race(bell.heard, Effect.sleep(Math.min(left, LOOKED_EVERY)))
    }
  })
  const end = Effect.sync(() => {
    leave()
    for (const stop of stops) stop()
  })
  return yield* Effect.ensuring(waiting, end)
})

const BUSY =
  "Too many calls of this key are waiting already: call again in a few seconds, without " +
  "wait_seconds."

/**
 * Shows the current state of a payment. With seconds to wait, a payment that may still change is
 * shown once it has changed, or when the time is over.
 *
 * Fails with `NOT_FOUND` for a payment that the caller is no party to.
 */
export const showPayment = Effect.fn("showPayment")(function* (
  caller: Caller,
  id: string,
  seconds: number,
) {
  const known = yield* lookAtPayment(caller, id)
  if (seconds === 0 || isSettled(known)) return receipt(known)
  const later = yield* waitFor(caller, known, seconds * 1_000)
  return later === undefined ? { ...receipt(known), next: BUSY } : receipt(later)
})
