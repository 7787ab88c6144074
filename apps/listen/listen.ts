import { setTimeout as sleep } from "node:timers/promises"
import { Agent } from "undici"
import { REFUSE_BEYOND } from "../../core/shared/ClockOffset.ts"
import { CannotListen, type LoggedEvent, type Page, readPage, Unavailable } from "./eventLog.ts"
import { nextAfter, post, type Target } from "./forward.ts"
import type { Options, Since } from "./options.ts"
import type { Report } from "./report.ts"

/**
 * How far each read goes back from the newest event, in milliseconds. Events carry the clocks of
 * the service's processes, which may differ by twice what one may be off, and a commit takes time.
 */
const LOOKBACK = 2 * REFUSE_BEYOND + 30_000

type Read = (startingAfter: string | undefined) => Promise<Page>

const timeOf = ({ created_at }: LoggedEvent): number => Date.parse(created_at)

/**
 * The newest events, or those before the event `before`, up to the first for which `last` holds,
 * and that one if there is one.
 */
const sweep = async (
  read: Read,
  last: (event: LoggedEvent) => boolean,
  before?: string,
): Promise<{
  readonly found: ReadonlyArray<LoggedEvent>
  readonly end: LoggedEvent | undefined
}> => {
  const found: Array<LoggedEvent> = []
  for (let cursor = before; ;) {
    const { data, has_more } = await read(cursor)
    const end = data.find(last)
    found.push(...(end === undefined ? data : data.slice(0, data.indexOf(end))))
    cursor = data.at(-1)?.id
    if (end !== undefined || !has_more || cursor === undefined) return { found, end }
  }
}

/**
 * Follows a log that lists its newest events first. Each call returns the events since the last
 * call once, the oldest first.
 */
export const makeFollower = (read: Read, since: Since) => {
  const seen = new Map<string, number>()
  let floor: number | undefined

  /** Marks the newest event, or `end`, and those shortly before it. Returns since when. */
  const mark = async (end?: LoggedEvent): Promise<number> => {
    let from = end === undefined ? undefined : timeOf(end) - LOOKBACK
    const isEarlier = (event: LoggedEvent) => timeOf(event) < (from ??= timeOf(event) - LOOKBACK)
    const { found } = await sweep(read, isEarlier, end?.id)
    for (const event of end === undefined ? found : [end, ...found]) {
      seen.set(event.id, timeOf(event))
    }
    return from ?? 0
  }

  const begin = async (): Promise<number> => {
    if (since.kind === "time") return since.at
    if (since.kind === "now") return mark()
    const { end } = await sweep(read, ({ id }) => id === since.id)
    if (end === undefined)
      throw new CannotListen(`The event log has no event ${since.id} (--since).`)
    return mark(end)
  }

  return async (): Promise<ReadonlyArray<LoggedEvent>> => {
    floor ??= await begin()
    const start = floor
    const { found } = await sweep(read, (event) => timeOf(event) < start)
    const fresh = found.filter(({ id }) => !seen.has(id)).toReversed()
    for (const event of fresh) seen.set(event.id, timeOf(event))
    const newest = Math.max(start, ...fresh.map(timeOf))
    floor = Math.max(start, newest - LOOKBACK)
    for (const [id, at] of seen) if (at < floor) seen.delete(id)
    return fresh
  }
}

const POLL = 1_000
const LONGEST_WAIT = 30_000

/** Waits; ends early when the signal aborts. */
const pause = (millis: number, signal: AbortSignal): Promise<void> =>
  sleep(millis, undefined, { signal }).catch(() => undefined)

/** Posts one event until it is delivered or given up; returns whether it was delivered. */
const deliver = async (target: Target, event: LoggedEvent, report: Report): Promise<boolean> => {
  for (let attempt = 1; !target.signal.aborted; attempt++) {
    const result = await post(target, event, attempt - 1)
    if (target.signal.aborted && result.status === null) return false
    const next = nextAfter(result.status, attempt)
    report.attempt(event, attempt, result, next)
    if (next.type !== "retry") return next.type === "delivered"
    await pause(next.after, target.signal)
  }
  return false
}

/** Makes the reader of new events. After a first answer it waits while the service is down. */
const makeReader = (follow: ReturnType<typeof makeFollower>, report: Report) => {
  let [begun, failures] = [false, 0]
  return async (signal: AbortSignal): Promise<ReadonlyArray<LoggedEvent>> => {
    try {
      const events = await follow()
      ;[begun, failures] = [true, 0]
      return events
    } catch (error) {
      if (signal.aborted) return []
      if (!(error instanceof Unavailable)) throw error
      const start = "Start the service with npm start, or set --url to its URL."
      if (!begun) throw new CannotListen(`${error.message}. ${start}`, { cause: error })
      if (failures === 0) report.waiting(error.message)
      await pause(Math.min(POLL * 2 ** failures++, LONGEST_WAIT), signal)
      return []
    }
  }
}

/**
 * Follows the log and forwards each event, in the log's order, until the signal. Throws
 * `CannotListen` when there is nothing to follow.
 */
export const listen = async (
  options: Options,
  report: Report,
  signal: AbortSignal,
): Promise<void> => {
  const { forward, key, secret, since, types, url } = options
  const dispatcher = new Agent()
  const log = { url, key, dispatcher, signal }
  const read = makeReader(
    makeFollower((after) => readPage(log, after), since),
    report,
  )
  const target = { forward, secret, dispatcher, signal }
  let delivered = 0
  try {
    let events = await read(signal)
    report.begin(options)
    while (!signal.aborted) {
      for (const event of events) {
        if (types !== undefined && !types.has(event.type)) continue
        if (await deliver(target, event, report)) delivered++
      }
      await pause(POLL, signal)
      events = signal.aborted ? [] : await read(signal)
    }
    report.end(delivered)
  } finally {
    await dispatcher.destroy()
  }
}
