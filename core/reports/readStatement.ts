import { Effect } from "effect"
import { ChannelRefusal, Channels, type StatementLine } from "../ports/Channels.ts"
import type { Renew } from "./holdRun.ts"

/** A statement with more pages than this is taken as endless. */
const MOST_PAGES = 10_000

/** The most lines that are kept: some 300 MB, so that a wrong statement cannot fill the memory. */
const MOST_LINES = 1_000_000

const everything = (): boolean => true

const endless = (day: string, tooMany: string) =>
  new ChannelRefusal({
    reason: "nonsense",
    message: `The statement of ${day} does not end: it has more than ${tooMany}.`,
  })

/**
 * Reads the lines of a channel's statement of a UTC day, or those that are wanted. Fails with
 * `ChannelRefusal` if the channel refuses, or if there are too many pages or lines.
 */
export const readStatement = Effect.fnUntraced(function* (
  channel: string,
  day: string,
  renew: Renew,
  isWanted: (line: StatementLine) => boolean = everything,
) {
  const { statement } = yield* Channels
  const lines: Array<StatementLine> = []
  let cursor: string | null = null
  for (let page = 0; page < MOST_PAGES; page++) {
    const read: { readonly lines: ReadonlyArray<StatementLine>; readonly next: string | null } =
      yield* statement(channel, day, cursor)
    for (const line of read.lines) if (isWanted(line)) lines.push(line)
    if (lines.length > MOST_LINES) return yield* endless(day, `${MOST_LINES} lines`)
    if (read.next === null) return lines
    cursor = read.next
    yield* renew
  }
  return yield* endless(day, `${MOST_PAGES} pages`)
})
