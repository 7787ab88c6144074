import { Effect } from "effect"
import type { EventConsumer } from "../../core/ports/EventConsumers.ts"
import { type Event, type EventContent, eventView } from "../../core/webhooks/events/Event.ts"

/**
 * An event, by its `type`, without the results of its webhooks. If two accounts take part, the
 * event is in the log of each and comes once for each; `account_id` says whose it is.
 */
export type PayportEvent = EventContent & {
  /** `evt_` and a UUIDv7, the same each time that the event is delivered. */
  readonly id: string
  readonly account_id: string
  /** The service of the event; null if there is none. */
  readonly service_id: string | null
  /** The payment, refund or other resource of the event. */
  readonly subject_id: string
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
}

/**
 * A host's handler of events. An event is kept until `handle` has resolved, through crashes and
 * while no process has the consumer. If `handle` rejects or takes longer than 8 seconds, the event
 * is retried after 1, 5, 30, 120, 600 seconds and then every hour. Events of one payment come one
 * after the other, in order; events of other payments do not wait for them.
 */
export interface EventHook {
  /** The consumer's name, under which the store remembers the handled events. */
  readonly consumer: string
  /** `signal` aborts after the time limit. The returned value is ignored. */
  readonly handle: (event: PayportEvent, signal: AbortSignal) => unknown
}

const shown = (event: Event): PayportEvent => {
  const { account_id, subject_id } = event
  return { ...eventView(event), account_id, subject_id } as PayportEvent
}

/** Makes the consumer that the core's worker calls. */
export const consumerOf =
  ({ handle }: EventHook): EventConsumer =>
  (event) =>
    Effect.tryPromise({
      try: async (signal) => {
        await handle(shown(event), signal)
      },
      catch: (error) => error,
    })
