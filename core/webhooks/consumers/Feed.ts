import { defineKind, ownDueAt } from "../../commits/KindDeclaration.ts"
import { HOUR, MINUTE, SECOND, type Timestamp } from "../../shared/Timestamp.ts"
import type { Event } from "../events/Event.ts"

/**
 * What a consumer has not dealt with yet of what happened to one payment, or to something else that
 * is none of a payment's. It is there for as long as something waits.
 */
export interface Feed {
  /** `feed_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  readonly consumer: string
  /** The payment, or what the events are about where that is no payment's. */
  readonly about: string
  /** The ids of the events that wait, oldest first. There is at least one. */
  readonly waiting: ReadonlyArray<string>
  /** How often the first of them has been tried in vain. */
  readonly failures: number
  readonly created_at: Timestamp
  /** When the first of them is to be tried: while somebody tries, when he must have ended. */
  readonly due_at: Timestamp | null
}

/** How long a consumer may take for an event, in milliseconds. */
export const CONSUMING = 8 * SECOND

/** So long an event is left to who has begun with it: longer than a consumer may take. */
const TURN = 15 * SECOND

/** The waits after the first failure, the second and so on; the last of them from then on. */
const WAITS = [SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR]

/** How long events wait that have come before another that is about to be told of. */
const OVERTAKEN = 100

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** What an event is told in order with: its payment's other events, refunds' among them. */
export const aboutOf = ({ data, subject_id }: Event): string =>
  text(data["payment_intent"]) ?? subject_id

/** A feed whose first event waits. */
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
 * The feed with another event, at its place by time. When it is due stays: whoever is at work on it
 * goes on alone, and what waits after a failure waits on.
 */
export const withEvent = (feed: Feed, { id }: Event): Feed => ({
  ...feed,
  waiting: feed.waiting.includes(id) ? feed.waiting : [...feed.waiting, id].toSorted(),
})

/** Taken up by somebody, who alone tries its first event until he has ended, or must have. */
export const begun = (feed: Feed, now: Timestamp): Feed => ({ ...feed, due_at: now + TURN })

/** Left for a moment, since an event before its first one is not here yet. */
export const overtaken = (feed: Feed, now: Timestamp): Feed => ({
  ...feed,
  due_at: now + OVERTAKEN,
})

/** How long a feed is left to other processes at most. */
const LEFT = 5 * MINUTE

/**
 * Left to another process for a while: this one does not have the consumer. The longer nobody has
 * it, the longer: feeds of a name that is in use no more take no time from the others.
 */
export const passedOn = (feed: Feed, now: Timestamp): Feed => {
  const waited = Math.floor((now - feed.created_at) / 4)
  return { ...feed, due_at: now + Math.min(LEFT, Math.max(SECOND, waited)) }
}

/** After its event has been dealt with; undefined where nothing else waits. */
export const without = (feed: Feed, event: string, now: Timestamp): Feed | undefined => {
  const waiting = feed.waiting.filter((id) => id !== event)
  return waiting.length === 0 ? undefined : { ...feed, waiting, failures: 0, due_at: now }
}

/** After its first event has failed: that is tried again later, and the others wait behind it. */
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
