import { Effect } from "effect"
import type { Commit, Store } from "../../../core/ports/Store.ts"
import type { Auditor } from "../../auditor/Auditor.ts"
import type { Trace } from "../../auditor/Trace.ts"
import { AskedCommit, CurrentCause } from "./CurrentCause.ts"

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

/** A process's own store: what it asks to commit is known to whoever sees what is stored of it. */
export const askedStore = (store: Service): Service => ({
  ...store,
  commit: (commit) => Effect.provideService(store.commit(commit), AskedCommit, commit),
})

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
    Effect.withFiber((fiber) => {
      const cause = fiber.getRef(CurrentCause)
      const asked = fiber.getRef(AskedCommit)
      return Effect.tap(store.commit(commit), () =>
        Effect.sync(() => {
          trace.note(`commit ${cause.type} ${described(commit)}`)
          auditor.commit(commit, cause, heldUp(asked ?? commit), asked)
          stored()
        }),
      )
    }),
  claimDue: (kind, now, options) =>
    Effect.tap(store.claimDue(kind, now, options), (records) =>
      Effect.sync(() => {
        if (records.length > 0) trace.note(`claim ${records.map(({ id }) => id).join(" ")}`)
        auditor.claimed(kind, records)
      }),
    ),
})
