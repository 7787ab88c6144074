import { Data, Effect, Exit } from "effect"
import type { Outgoing } from "../Exchange.ts"
import { Failure } from "../../../core/shared/Failure.ts"
import type { EventFeed, Snapshot } from "./EventFeed.ts"

/** A server-sent event. Its id grows with every change of the record. */
export interface WireEvent {
  readonly id: string
  readonly event: string
  readonly data: unknown
}

/** `X-Accel-Buffering` keeps buffering proxies from delaying events. */
export const EVENT_STREAM: ReadonlyArray<string> = [
  "Content-Type",
  "text/event-stream; charset=utf-8",
  "X-Accel-Buffering",
  "no",
]

/** Limits of the streams of a process, with times in milliseconds. */
export interface StreamLimits {
  readonly most: number
  readonly mostPerAccount: number
  readonly pollEvery: number
  readonly heartbeatEvery: number
}

export const STREAM_LIMITS: StreamLimits = {
  most: 1_000,
  mostPerAccount: 100,
  pollEvery: 1_000,
  heartbeatEvery: 15_000,
}

/** The reader has stopped reading. */
class Stalled extends Data.TaggedError("Stalled")<Record<never, never>> {}

/** The most bytes that wait for a reader. Beyond that it is disconnected. */
const MOST_WAITING = 256 * 1024

const frame = ({ id, event, data }: WireEvent): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`

type Run<R> = <A, E>(
  effect: Effect.Effect<A, E, R>,
  onExit: (exit: Exit.Exit<A, E>) => void,
) => void

/** The open streams of a process. */
export interface Streams<R> {
  /** Fails with `TEMPORARILY_UNAVAILABLE` if the account or the process has too many streams. */
  readonly admit: (accountId: string | null) => Effect.Effect<void, Failure>
  readonly open: (
    res: Outgoing,
    feed: EventFeed<WireEvent, unknown, R>,
    options: {
      readonly accountId: string | null
      readonly lastEventId: string | undefined
      /** Calls its argument once the key of the stream is no longer valid. */
      readonly onKeyEnd: (end: () => void) => void
    },
  ) => void
  readonly count: () => number
  /** Ends all streams. Their readers connect again, to another process. */
  readonly closeAll: () => void
}

const tooMany = () =>
  new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message: "Too many event streams are open. Close some, or poll the payment instead.",
    retry_after: 5,
  })

/**
 * Sends a record's state and then its changes until the last state. Changes by this process wake
 * the stream. It polls for changes by others. Several changes between two polls arrive as one event
 * with the latest state.
 */
const follow = <R>(
  res: Outgoing,
  feed: EventFeed<WireEvent, unknown, R>,
  run: Run<R>,
  options: { readonly limits: StreamLimits; readonly seen: string | undefined },
): { readonly close: () => void } => {
  let sent = ""
  let polling = false
  let again = false
  let closed = false

  const write = (text: string) => {
    if (res.writableLength > MOST_WAITING) res.destroy(new Stalled())
    else res.write(text)
  }
  const show = ({ event, last }: Snapshot<WireEvent>, skip: boolean) => {
    const text = frame(event)
    if (text !== sent && !skip) write(text)
    sent = text
    if (last) close()
  }
  const poll = () => {
    if (closed) return
    if (polling) {
      again = true
      return
    }
    polling = true
    run(feed.read, (exit) => {
      polling = false
      if (closed) return
      // After a failure to read, the next poll reads again.
      if (Exit.isSuccess(exit)) show(exit.value, false)
      if (again) {
        again = false
        poll()
      }
    })
  }
  const close = () => {
    if (closed) return
    closed = true
    clearInterval(polls)
    clearInterval(heartbeats)
    stopWatching()
    res.end()
  }

  const polls = setInterval(poll, options.limits.pollEvery)
  const heartbeats = setInterval(() => write(": still here\n\n"), options.limits.heartbeatEvery)
  const stopWatching = feed.watch(poll)
  res.on("close", close)
  res.flushHeaders()
  show(feed.first, options.seen === feed.first.event.id)
  // Finds a change between the first read and the start of watching.
  poll()
  return { close }
}

/** Makes the streams of a process within their limits. `changed` gets the number of open ones. */
export const makeStreams = <R>(
  run: Run<R>,
  limits: StreamLimits,
  changed: (open: number) => void,
): Streams<R> => {
  const open = new Set<{ readonly close: () => void }>()
  const byAccount = new Map<string, number>()
  const count = (account: string) => byAccount.get(account) ?? 0

  return {
    admit: (accountId) =>
      open.size >= limits.most || count(accountId ?? "") >= limits.mostPerAccount
        ? Effect.fail(tooMany())
        : Effect.void,
    open: (res, feed, { accountId, lastEventId, onKeyEnd }) => {
      const account = accountId ?? ""
      byAccount.set(account, count(account) + 1)
      const stream = follow(res, feed, run, { limits, seen: lastEventId })
      open.add(stream)
      onKeyEnd(stream.close)
      changed(open.size)
      res.on("close", () => {
        open.delete(stream)
        changed(open.size)
        if (count(account) <= 1) byAccount.delete(account)
        else byAccount.set(account, count(account) - 1)
      })
    },
    count: () => open.size,
    closeAll: () => {
      for (const stream of open) stream.close()
    },
  }
}
