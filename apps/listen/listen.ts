import { setTimeout as sleep } from "node:timers/promises"
import { Agent } from "undici"
import { type LoggedEvent, readPage } from "./eventLog.ts"
import { CannotListen, Unavailable } from "./failures.ts"
import { makeFollower } from "./follow.ts"
import { nextAfter, post, type Target } from "./forward.ts"
import type { Options } from "./options.ts"
import type { Report } from "./report.ts"

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
      const start = "Start it with npm start, or give --url its address."
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
