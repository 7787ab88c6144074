import { Effect } from "effect"
import type { Commit, Store } from "../../core/ports/Store.ts"
import type { Auditor } from "../auditor/Auditor.ts"
import type { Trace } from "../auditor/Trace.ts"
import { CurrentCause } from "./CurrentCause.ts"

type Service = Store["Service"]

const described = ({ writes, events, reply }: Commit): string =>
  [
    ...writes.map(
      ({ op, kind, record }) =>
        `${op} ${kind} ${record.id} ${record.version} ${"status" in record ? record.status : ""}`,
    ),
    ...(events ?? []).map(({ id, type }) => `event ${id} ${type}`),
    ...(reply === undefined ? [] : [`reply ${reply.key} ${reply.answer === null}`]),
  ].join(", ")

/** Shows the auditor every commit that the store takes, in the moment in which it takes it. */
export const watchedStore = (
  store: Service,
  auditor: Auditor,
  trace: Trace,
  stored: () => void,
  heldUp: (commit: Commit) => number,
): Service => ({
  ...store,
  commit: (commit) =>
    Effect.flatMap(CurrentCause, (cause) =>
      Effect.tap(store.commit(commit), () =>
        Effect.sync(() => {
          trace.note(`commit ${cause.type} ${described(commit)}`)
          auditor.commit(commit, cause, heldUp(commit))
          stored()
        }),
      ),
    ),
  claimDue: (kind, now, options) =>
    Effect.tap(store.claimDue(kind, now, options), (records) =>
      Effect.sync(() => {
        if (records.length > 0) trace.note(`claim ${records.map(({ id }) => id).join(" ")}`)
        auditor.claimed(kind, records)
      }),
    ),
})
