import type { LoggedEvent, Page } from "./eventLog.ts"
import { CannotListen } from "./failures.ts"
import type { Since } from "./options.ts"

/**
 * How far each read goes back, since events of one moment may appear out of order; milliseconds.
 */
const LOOKBACK = 30_000

type Read = (startingAfter: string | undefined) => Promise<Page>

const timeOf = ({ created_at }: LoggedEvent): number => Date.parse(created_at)

/** The newest events up to the first for which `last` holds, and whether there was one. */
const sweep = async (read: Read, last: (event: LoggedEvent) => boolean) => {
  const found: Array<LoggedEvent> = []
  for (let cursor: string | undefined; ;) {
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

  const begin = async (): Promise<number> => {
    if (since.kind === "time") return since.at
    if (since.kind === "now") {
      const { data } = await read(undefined)
      for (const event of data) seen.set(event.id, timeOf(event))
      return data[0] === undefined ? 0 : timeOf(data[0])
    }
    const { end } = await sweep(read, ({ id }) => id === since.id)
    if (end === undefined)
      throw new CannotListen(`The log has no event ${since.id} to begin after.`)
    // Older events of the same moment were returned as well.
    const { data } = await read(end.id)
    for (const event of [end, ...data]) seen.set(event.id, timeOf(event))
    return timeOf(end)
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
