import { Effect } from "effect"
import { ChannelRefusal, Channels, type StatementLine } from "../ports/Channels.ts"

/** A statement of more pages than this has no end. */
const MOST_PAGES = 10_000

/** All lines of a channel's statement of a UTC day. Fails with `ChannelRefusal`. */
export const readStatement = Effect.fnUntraced(function* (channel: string, day: string) {
  const { statement } = yield* Channels
  const lines: Array<StatementLine> = []
  let cursor: string | null = null
  for (let page = 0; page < MOST_PAGES; page++) {
    const read: { readonly lines: ReadonlyArray<StatementLine>; readonly next: string | null } =
      yield* statement(channel, day, cursor)
    for (const line of read.lines) lines.push(line)
    if (read.next === null) return lines
    cursor = read.next
  }
  return yield* new ChannelRefusal({
    reason: "nonsense",
    message: `The statement of ${day} has no end.`,
  })
})
