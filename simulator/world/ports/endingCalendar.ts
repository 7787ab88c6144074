import type { Commit, Store, Write } from "../../../core/ports/Store.ts"
import { type Timestamp, utcDay } from "../../../core/shared/Timestamp.ts"

/** Whether the write makes something due again and again for as long as there is time. */
const goesOn = (write: Write, last: Timestamp): boolean =>
  (write.kind === "reconciliation_run" &&
    write.op === "insert" &&
    write.record.day > utcDay(last)) ||
  (write.kind === "billing_cycle" && (write.record.due_at ?? 0) > last)

/**
 * A store in which no statement of a channel's day after the world's last, and none of an account's
 * month after it, is ever due: each makes the next due, so a world would never come to rest.
 */
export const endingCalendar = (
  store: Store["Service"],
  lastDay: () => Timestamp | undefined,
): Store["Service"] => {
  const cut = (commit: Commit): Commit => {
    const last = lastDay()
    if (last === undefined) return commit
    const writes = commit.writes.map((write) =>
      goesOn(write, last)
        ? ({ ...write, record: { ...write.record, due_at: null } } as Write)
        : write,
    )
    return { ...commit, writes }
  }
  return { ...store, commit: (commit) => store.commit(cut(commit)) }
}
