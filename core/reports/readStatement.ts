import { Effect } from "effect"
import { ChannelRefusal, Channels, type StatementLine } from "../ports/Channels.ts"
import type { Renew } from "./holdRun.ts"

/** A statement with more pages than this is taken as endless. */
const MOST_PAGES = 10_000

const everything = (): boolean => true

/**
 * Reads the lines of a channel's statement of a UTC day, or those that are wanted. Fails with
 * `ChannelRefusal`.
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
    if (read.next === null) return lines
    cursor = read.next
    yield* renew
  }
  return yield* new ChannelRefusal({
    reason: "nonsense",
    message: `The statement of ${day} does not end: it has too many pages.`,
  })
})
