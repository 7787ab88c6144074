import { Cause, Effect, Exit, Logger, References } from "effect"
import type { Channels } from "../../../core/ports/Channels.ts"
import type { Revoker } from "../../../core/ports/Revoker.ts"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import type { Auditor } from "../../auditor/Auditor.ts"
import type { Observations } from "../../auditor/Observation.ts"
import type { Commit, Store } from "../../../core/ports/Store.ts"
import type { Trace } from "../../auditor/Trace.ts"
import { AskedCommit, CurrentCause } from "./CurrentCause.ts"
import { isFailure } from "../../../core/shared/Failure.ts"
import { isOutOfReach } from "../processes/Process.ts"

/** Shows the auditor every call to a channel, at the moment of the call. */
export const watchedChannels = (
  channels: Channels["Service"],
  auditor: Auditor,
  now: () => Timestamp,
): Channels["Service"] => ({
  ...channels,
  call: (call) =>
    Effect.suspend(() => {
      auditor.see("call", call.out_trade_no, { call, at: now() })
      return channels.call(call)
    }),
})

/** Shows the auditor every order to revoke, at the moment of the order. */
export const watchedRevoker = (
  revoker: Revoker["Service"],
  auditor: Auditor,
  now: () => Timestamp,
  heldUp: (order: object) => number,
): Revoker["Service"] => ({
  revoke: (order) =>
    Effect.suspend(() => {
      auditor.order({ order, at: now(), held_up: heldUp(order) })
      return revoker.revoke(order)
    }),
})

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

/** A process's own store, which records what the process asks to commit. */
export const askedStore = (store: Service): Service => ({
  ...store,
  commit: (commit) => Effect.provideService(store.commit(commit), AskedCommit, commit),
})

/** Shows the auditor every commit that the store accepts, at that moment. */
export const watchedStore = (
  store: Service,
  auditor: Auditor,
  trace: Trace,
  stored: (next: Timestamp | undefined) => void,
  heldUp: (commit: Commit) => number,
): Service => ({
  ...store,
  commit: (commit) =>
    Effect.withFiber((fiber) => {
      const cause = fiber.getRef(CurrentCause)
      const asked = fiber.getRef(AskedCommit)
      const seen = Effect.suspend(() => {
        trace.note(`commit ${cause.type} ${described(commit)}`)
        auditor.commit(commit, cause, heldUp(asked ?? commit), asked)
        return Effect.map(store.nextDueAt(), stored)
      })
      return Effect.tap(store.commit(commit), () => seen)
    }),
  claimDue: (kind, now, options) =>
    Effect.tap(store.claimDue(kind, now, options), (records) =>
      Effect.sync(() => {
        if (records.length > 0) trace.note(`claim ${records.map(({ id }) => id).join(" ")}`)
        auditor.claimed(kind, records)
      }),
    ),
})

/** Whether it is work that waits for something outside, such as exchange rates, and is retried. */
const isPassing = ({ reasons }: Cause.Cause<unknown>): boolean =>
  reasons.length > 0 &&
  reasons.every(
    (reason) =>
      reason._tag === "Fail" &&
      isFailure(reason.error) &&
      reason.error.code === "TEMPORARILY_UNAVAILABLE",
  )

/**
 * Shows the auditor everything that the service logs. A logged error is unexpected, unless
 * something could not be reached.
 */
export const errorLog = (auditor: Auditor): Logger.Logger<unknown, void> =>
  Logger.make(({ cause, fiber, logLevel, message }) => {
    const what = `${String(message)} ${Cause.pretty(cause)}`
    const noted = JSON.stringify(fiber.getRef(References.CurrentLogAnnotations))
    auditor.see("refusal_text", "log", { where: "kyc or else", text: `${what} ${noted}` })
    const [words, told] = Array.isArray(message) ? (message as ReadonlyArray<unknown>) : []
    if (words === "A return is held.") {
      const held = told as Observations["hold_told"]
      auditor.see("hold_told", held.payment_intent, held)
    }
    if (logLevel !== "Error" && logLevel !== "Fatal") return
    if (isOutOfReach(Exit.failCause(cause)) || isPassing(cause)) return
    auditor.see("ending", "log", { where: "log", flaw: what })
  })
