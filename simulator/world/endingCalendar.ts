import type { Commit, Store } from "../../core/ports/Store.ts"
import { type Timestamp, utcDay } from "../../core/shared/Timestamp.ts"

/**
 * A store in which no statement of a day after the world's last is ever due: each run opens the
 * next day's, so a world would never come to rest.
 */
export const endingCalendar = (
  store: Store["Service"],
  lastDay: () => Timestamp | undefined,
): Store["Service"] => {
  const cut = (commit: Commit): Commit => {
    const last = lastDay()
    if (last === undefined) return commit
    const writes = commit.writes.map((write) =>
      write.kind === "reconciliation_run" &&
      write.op === "insert" &&
      write.record.day > utcDay(last)
        ? { ...write, record: { ...write.record, due_at: null } }
        : write,
    )
    return { ...commit, writes }
  }
  return { ...store, commit: (commit) => store.commit(cut(commit)) }
}
