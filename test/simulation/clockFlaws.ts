import { MINUTE } from "../../core/shared/Timestamp.ts"
import { type Flaw, storing, withIntents } from "./flaw.ts"

/** Clocks that are off, as far as the world may have them. */
const faults = { clock_skew_ms: MINUTE, clock_jumped: 0, clock_unwatched: 1 } as const

/** Clocks that jump, with processes that should notice it. */
const watched = { clock_skew_ms: 0, clock_jumped: 1, clock_unwatched: 0 } as const

/** Flaws in the handling of wrong clocks. */
export const clockFlaws: ReadonlyArray<Flaw> = [
  {
    name: "a capture is stamped by the clock of another process, which is behind",
    noticed_by: [15],
    faults,
    alterations: storing((commit) =>
      withIntents(commit, (write) => {
        const { record } = write
        if (record.flow !== "request_payment" || record.status !== "captured") return write
        return { ...write, record: { ...record, captured_at: record.authorized_at - MINUTE } }
      }),
    ),
  },
  {
    name: "a process that is to notice how far its clock is off works on",
    noticed_by: [14, 32],
    faults: watched,
    alterations: { offset: () => 0 },
  },
  {
    name: "clocks are further ahead than they may be",
    noticed_by: [14],
    faults,
    alterations: {
      clock: (clock) => ({
        ...clock,
        currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + 5 * MINUTE,
      }),
    },
  },
]
