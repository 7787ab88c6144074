import { Effect } from "effect"
import type { HandlerError } from "../../adapters/http/koa/Handlers.ts"
import type { EventFeed, Snapshot } from "../../adapters/shared/streams/EventFeed.ts"
import type { IntentView } from "../../core/payments/IntentView.ts"
import type { Runner } from "./Runner.ts"

/** How often a payment is read that another process may change, in milliseconds. */
const LOOK_EVERY = 1_000

type State = Snapshot<{ readonly id: string; readonly data: IntentView }>

/** The source of a payment's states. */
export type PaymentFeed<R> = EventFeed<State["event"], HandlerError, R>

/** Waits for a change by this process, but no longer than the interval for changes by others. */
const aChange = <R>({ watch }: PaymentFeed<R>) =>
  Effect.timeoutOption(
    Effect.callback<void>((resume) => {
      const stop = watch(() => resume(Effect.void))
      return Effect.sync(stop)
    }),
    LOOK_EVERY,
  )

/** Yields the payment's current state, then each later state until the payment ends. */
export async function* follow<R>(
  runner: Runner<R>,
  open: Effect.Effect<PaymentFeed<R>, unknown, R>,
  signal: AbortSignal | undefined,
): AsyncGenerator<IntentView, void> {
  const feed = await runner.run(open, signal)
  let state: State = feed.first
  yield state.event.data
  while (!state.last) {
    const next: State = await runner.run(Effect.andThen(aChange(feed), feed.read), signal)
    const isNew = next.event.id !== state.event.id
    state = next
    if (isNew) yield state.event.data
  }
}
