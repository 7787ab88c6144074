import { Clock, Effect } from "effect"
import type { Caller } from "../../../core/accounts/Account.ts"
import { attemptPayment } from "../../../core/payments/attemptPayment.ts"
import { captureIntent } from "../../../core/payments/captureIntent.ts"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { createOneTime } from "../../../core/payments/createOneTime.ts"
import { createQuote } from "../../../core/quotes/createQuote.ts"
import { cancelIntent, voidIntent } from "../../../core/payments/endIntent.ts"
import { findVisible } from "../../../core/payments/access.ts"
import { getIntent } from "../../../core/payments/getIntent.ts"
import { view } from "../../../core/payments/IntentView.ts"
import { asOf } from "../../../core/payments/Lifecycle.ts"
import { listIntents } from "../../../core/payments/listIntents.ts"
import { hasEnded } from "../../../core/payments/PaymentIntent.ts"
import { payQuote } from "../../../core/payments/payQuote.ts"
import { receiveCallback } from "../../../core/dispatch/receiveCallback.ts"
import { showIntentQr } from "../../../core/qr/showQr.ts"
import { Store } from "../../../core/ports/Store.ts"
import { showTimeline } from "../../../core/timeline/showTimeline.ts"
import type { channelCallbacks } from "../contract/channelCallbacks.ts"
import type { fx } from "../contract/fx.ts"
import type { paymentIntents } from "../contract/paymentIntents.ts"
import type { payments } from "../contract/payments.ts"
import type { CoreHandlers } from "./Core.ts"
import { drawn } from "./qr.ts"

/**
 * Returns the intent as an event. An intent past its expiry is shown as expired before that is
 * stored. Its event counts as the next version, which the stored expiry will have.
 */
const snapshot = Effect.fnUntraced(function* (caller: Caller, id: string) {
  const stored = yield* findVisible(caller, id)
  const now = yield* Clock.currentTimeMillis
  const intent = asOf(stored, now)
  const version = intent.status === stored.status ? stored.version : stored.version + 1
  const event = "payment_intent" as const
  return {
    event: { id: String(version), event, data: view(intent, now, caller.account.id) },
    last: hasEnded(intent),
  }
})

const follow = Effect.fnUntraced(function* (caller: Caller, id: string) {
  const store = yield* Store
  const first = yield* snapshot(caller, id)
  return {
    first,
    read: snapshot(caller, id),
    watch: (listener: () => void) => store.watch(id, listener),
  }
})

export const paymentIntentHandlers = {
  create: ({ caller, payload }) => createIntent(caller, payload),
  list: ({ caller, query }) => listIntents(caller, query),
  get: ({ caller, params }) => getIntent(caller, params.id),
  qr: ({ caller, headers, params, query }) =>
    Effect.flatMap(showIntentQr(caller, params.id, query.channel), (code) =>
      drawn(code, headers.accept),
    ),
  events: ({ caller, params }) => follow(caller, params.id),
  timeline: ({ caller, params }) => showTimeline(caller, params.id),
  capture: ({ caller, params, payload }) => captureIntent(caller, params.id, payload),
  void: ({ caller, params }) => voidIntent(caller, params.id),
  cancel: ({ caller, params }) => cancelIntent(caller, params.id),
} satisfies CoreHandlers<typeof paymentIntents>

export const paymentHandlers = {
  oneTime: ({ caller, payload }) => createOneTime(caller, payload),
  attempt: ({ caller, payload }) => attemptPayment(caller, payload),
} satisfies CoreHandlers<typeof payments>

export const fxHandlers = {
  quote: ({ caller, payload }) => createQuote(caller, payload),
  route: ({ caller, payload }) => payQuote(caller, payload),
} satisfies CoreHandlers<typeof fx>

export const channelCallbackHandlers = {
  receive: ({ params, payload, headers }) =>
    // All headers are passed, though the contract names only one: other channels sign in others.
    receiveCallback(params.channel, payload, headers["x-channel-signature"], headers),
} satisfies CoreHandlers<typeof channelCallbacks>
