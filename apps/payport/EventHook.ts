import { Effect } from "effect"
import type { EventConsumer } from "../../core/ports/EventConsumers.ts"
import { type Event, type EventContent, eventView } from "../../core/webhooks/events/Event.ts"

/**
 * Something that happened, by its `type`; what became of webhooks is left out. What two accounts
 * take part in is in the log of each, and comes once for each: `account_id` says whose.
 */
export type PayportEvent = EventContent & {
  /** `evt_` and a UUIDv7, the same however often it comes. */
  readonly id: string
  readonly account_id: string
  /** The service it is about; null where there is none. */
  readonly service_id: string | null
  /** The payment, refund or other resource that it is about. */
  readonly subject_id: string
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
}

/**
 * What a host does with events. Each is kept until `handle` has resolved, through crashes and while
 * no process has the consumer, and comes again when it rejects, or takes longer than 8 seconds:
 * after 1, 5, 30, 120, 600 seconds and then every hour. Events of one payment come one after the
 * other, in their order; those of others do not wait for them.
 */
export interface EventHook {
  /** Its name, under which the store knows what it has dealt with. */
  readonly consumer: string
  /** `signal` aborts when the time is over. What it returns is not looked at. */
  readonly handle: (event: PayportEvent, signal: AbortSignal) => unknown
}

const shown = (event: Event): PayportEvent => {
  const { account_id, subject_id } = event
  return { ...eventView(event), account_id, subject_id } as PayportEvent
}

/** The hook as the core's worker calls it. */
export const consumerOf =
  ({ handle }: EventHook): EventConsumer =>
  (event) =>
    Effect.tryPromise({
      try: async (signal) => {
        await handle(shown(event), signal)
      },
      catch: (error) => error,
    })
