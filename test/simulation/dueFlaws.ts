import type { ChannelRequest } from "../../core/gateway/ChannelRequest.ts"
import type { Write } from "../../core/ports/Store.ts"
import { DAY, HOUR } from "../../core/shared/Timestamp.ts"
import { returnHolders } from "../../simulator/parts/returnHolders.ts"
import { changing } from "../support/finding.ts"
import { type Flaw, storing } from "./flaw.ts"

/** Commits in which some requests to channels are due later. */
const postponing = (isLater: (request: ChannelRequest, op: Write["op"]) => boolean, by: number) =>
  storing((commit) => ({
    ...commit,
    writes: commit.writes.map((write) => {
      if (write.kind !== "channel_request" || !("due_at" in write.record)) return write
      const { op, record } = write
      return isLater(record, op)
        ? { ...write, record: { ...record, due_at: record.due_at + by } }
        : write
    }),
  }))

/** Flaws in when work is due: each breaks one rule. */
export const dueFlaws: ReadonlyArray<Flaw> = [
  {
    name: "a call without an answer is asked about a day later than it should",
    noticed_by: [153],
    alterations: postponing(({ status }) => status === "unknown", DAY),
  },
  {
    name: "a verification is looked after an hour too late",
    noticed_by: [153],
    alterations: storing((commit) => ({
      ...commit,
      writes: commit.writes.map((write) =>
        write.kind === "verification" && write.record.due_at !== null
          ? { ...write, record: { ...write.record, due_at: write.record.due_at + HOUR } }
          : write,
      ),
    })),
  },
  {
    name: "a return that an operator holds waits for an hour longer than it may",
    noticed_by: [152],
    parts: [returnHolders.name],
    alterations: postponing(({ attempts }, op) => op === "replace" && attempts === 0, HOUR),
  },
  {
    name: "payments count as made a day later, so that no operator holds their returns",
    noticed_by: [152],
    parts: [returnHolders.name],
    alterations: {
      store: (store) => ({
        ...store,
        find: changing(store, "payment_intent", (payment) =>
          payment.status === "expired" || payment.status === "voided"
            ? { ...payment, created_at: payment.created_at + DAY }
            : payment,
        ),
      }),
    },
  },
]
