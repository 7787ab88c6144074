import { Data, Effect, Exit } from "effect"
import type { ServerResponse } from "node:http"
import { Failure } from "../../../core/shared/Failure.ts"
import type { EventFeed, Snapshot } from "./EventFeed.ts"

/** An event as the wire has it: what changed, and a number that grows with every change. */
export interface WireEvent {
  readonly id: string
  readonly event: string
  readonly data: unknown
}

/** How the streams of a process are bounded and timed, in milliseconds. */
export interface StreamLimits {
  readonly most: number
  readonly mostPerAccount: number
  readonly lookAgainEvery: number
  readonly heartbeatEvery: number
}

export const STREAM_LIMITS: StreamLimits = {
  most: 1_000,
  mostPerAccount: 100,
  lookAgainEvery: 1_000,
  heartbeatEvery: 15_000,
}

/** The reader does not take what is sent. */
class Stalled extends Data.TaggedError("Stalled")<Record<never, never>> {}

/** What a reader that takes nothing may have waiting for it, in bytes. */
const MOST_WAITING = 256 * 1024

const frame = ({ id, event, data }: WireEvent): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`

type Run<R> = <A, E>(
  effect: Effect.Effect<A, E, R>,
  onExit: (exit: Exit.Exit<A, E>) => void,
) => void

/** The open streams of a process. */
export interface Streams<R> {
  /** Refuses one more stream of the account where there are too many. */
  readonly admit: (accountId: string | null) => Effect.Effect<void, Failure>
  readonly open: (
    res: ServerResponse,
    feed: EventFeed<WireEvent, unknown, R>,
    options: { readonly accountId: string | null; readonly lastEventId: string | undefined },
  ) => void
  readonly count: () => number
  /** Ends them all; their readers connect again, elsewhere. */
  readonly closeAll: () => void
}

const tooMany = () =>
  new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message: "Too many event streams are open. Close some, or poll the payment instead.",
    retry_after: 5,
  })

/**
 * Sends a record's state and then every change of it until its last. Changes of this process wake
 * the stream; those of others are found by looking again. Changes closer together than one look
 * arrive as one event, which shows the latest.
 */
const follow = <R>(
  res: ServerResponse,
  feed: EventFeed<WireEvent, unknown, R>,
  run: Run<R>,
  options: { readonly limits: StreamLimits; readonly seen: string | undefined },
): { readonly close: () => void } => {
  let sent = ""
  let looking = false
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
  const look = () => {
    if (closed) return
    if (looking) {
      again = true
      return
    }
    looking = true
    run(feed.read, (exit) => {
      looking = false
      if (closed) return
      // What cannot be read now is looked at again at the next tick.
      if (Exit.isSuccess(exit)) show(exit.value, false)
      if (again) {
        again = false
        look()
      }
    })
  }
  const close = () => {
    if (closed) return
    closed = true
    clearInterval(looks)
    clearInterval(heartbeats)
    stopWatching()
    res.end()
  }

  const looks = setInterval(look, options.limits.lookAgainEvery)
  const heartbeats = setInterval(() => write(": still here\n\n"), options.limits.heartbeatEvery)
  const stopWatching = feed.watch(look)
  res.on("close", close)
  res.flushHeaders()
  show(feed.first, options.seen === feed.first.event.id)
  // A change between the first look and the start of watching is found here.
  look()
  return { close }
}

/** Keeps the streams of a process within their bounds. */
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
    open: (res, feed, { accountId, lastEventId }) => {
      const account = accountId ?? ""
      byAccount.set(account, count(account) + 1)
      const stream = follow(res, feed, run, { limits, seen: lastEventId })
      open.add(stream)
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
