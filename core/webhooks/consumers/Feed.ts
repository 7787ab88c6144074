import { defineKind, ownDueAt } from "../../commits/KindDeclaration.ts"
import { HOUR, MINUTE, SECOND, type Timestamp } from "../../shared/Timestamp.ts"
import type { Event } from "../events/Event.ts"

/**
 * The events of one payment, or of another subject, that a consumer has not handled yet. A feed
 * exists while something waits in it.
 */
export interface Feed {
  /** `feed_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  readonly consumer: string
  /** The payment, or the events' subject if they belong to no payment. */
  readonly about: string
  /** The ids of the events that wait, oldest first. There is at least one. */
  readonly waiting: ReadonlyArray<string>
  /** How often the first of them has failed. */
  readonly failures: number
  readonly created_at: Timestamp
  /** When the first of them is tried next; during a try, when that try must have ended. */
  readonly due_at: Timestamp | null
}

/** How long a consumer may take for an event, in milliseconds. */
export const CONSUMING = 8 * SECOND

/** How long an event is left to the worker that began with it: longer than a consumer may take. */
const TURN = 15 * SECOND

/**
 * The waits after the first failure, the second and so on, in milliseconds. The last one repeats.
 */
const WAITS = [SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR]

/** How long a feed waits for an earlier event that is about to arrive, in milliseconds. */
const OVERTAKEN = 100

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** Returns the key of an event's order: its payment, also for events of refunds, or its subject. */
export const aboutOf = ({ data, subject_id }: Event): string =>
  text(data["payment_intent"]) ?? subject_id

/** Returns a feed with one waiting event. */
export const newFeed = (id: string, consumer: string, event: Event, now: Timestamp): Feed => ({
  id,
  version: 1,
  consumer,
  about: aboutOf(event),
  waiting: [event.id],
  failures: 0,
  created_at: now,
  due_at: now,
})

/**
 * Returns the feed with another event, at its place by time. `due_at` stays the same, so a worker
 * goes on alone, and events behind a failed one go on waiting.
 */
export const withEvent = (feed: Feed, { id }: Event): Feed => ({
  ...feed,
  waiting: feed.waiting.includes(id) ? feed.waiting : [...feed.waiting, id].toSorted(),
})

/** Returns the feed as taken by a worker. No other worker tries the first event during its turn. */
export const begun = (feed: Feed, now: Timestamp): Feed => ({ ...feed, due_at: now + TURN })

/** Returns the feed delayed for a moment, because an earlier event has not arrived yet. */
export const overtaken = (feed: Feed, now: Timestamp): Feed => ({
  ...feed,
  due_at: now + OVERTAKEN,
})

/** The longest time that a feed is left to other processes, in milliseconds. */
const LEFT = 5 * MINUTE

/**
 * Returns the feed left to another process, because this one does not have the consumer. The delay
 * grows with the feed's age, so that feeds of an unused name take no time from the others.
 */
export const passedOn = (feed: Feed, now: Timestamp): Feed => {
  const waited = Math.floor((now - feed.created_at) / 4)
  return { ...feed, due_at: now + Math.min(LEFT, Math.max(SECOND, waited)) }
}

/** Returns the feed without a handled event; undefined if nothing else waits. */
export const without = (feed: Feed, event: string, now: Timestamp): Feed | undefined => {
  const waiting = feed.waiting.filter((id) => id !== event)
  return waiting.length === 0 ? undefined : { ...feed, waiting, failures: 0, due_at: now }
}

/** Returns the feed after its first event has failed. It is retried later; the others wait. */
export const failed = (feed: Feed, now: Timestamp): Feed => {
  const wait = WAITS[Math.min(feed.failures, WAITS.length - 1)] ?? HOUR
  return { ...feed, failures: feed.failures + 1, due_at: now + wait }
}

declare module "../../commits/Records.ts" {
  interface DueRecords {
    readonly feed: Feed
  }
}

/** How feeds are kept. */
export const feedKind = defineKind("feed", {
  prefix: "feed",
  erased: false,
  unique: [{ by: ["consumer", "about"] }],
  dueAt: ownDueAt,
})
