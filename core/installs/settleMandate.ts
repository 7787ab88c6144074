import { Clock, Effect, Result } from "effect"
import type { MandateCallback } from "../gateway/ChannelCallback.ts"
import { type MandateAnswer, Channels } from "../ports/Channels.ts"
import { Store, type Write } from "../ports/Store.ts"
import { Failure, notFound } from "../shared/Failure.ts"
import { retryConflict } from "../idempotency/requestKey.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { type Install, withMandate } from "./Install.ts"
import { machine, type Mandate, moveBy, referenceOf, requestOf } from "./Mandate.ts"

/** Returns the write that copies the mandate's state to its install. */
const shown = (install: Install | undefined, mandate: Mandate, at: Timestamp) => {
  if (install?.mandate?.id !== mandate.id || install.mandate.status === mandate.status) return []
  const record = withMandate(install, mandate, at)
  return [{ op: "replace", kind: "install", record } as const]
}

/**
 * Records a channel's answer about a mandate as it is now. Its install changes in the same commit.
 */
export const settleMandate = Effect.fnUntraced(function* (id: string, answer: MandateAnswer) {
  const store = yield* Store
  yield* retryConflict(
    Effect.gen(function* () {
      const mandate = yield* store.find("mandate", id)
      if (mandate === undefined) return
      const at = yield* Clock.currentTimeMillis
      const move = moveBy(mandate, answer, at)
      const moved = move && machine.step(mandate, move)
      if (moved === undefined || Result.isFailure(moved)) return
      const { record } = moved.success
      const install = yield* store.find("install", record.install_id)
      const write: Write = { op: "replace", kind: "mandate", record }
      yield* store.commit({ writes: [write, ...shown(install, record, at)] })
    }),
  )
})

/**
 * Does what is due for a mandate. Asks the channel about a pending mandate, in case the channel's
 * message was lost. Tells the channel of an ended mandate until it answers.
 */
export const lookAfterMandate = Effect.fn("lookAfterMandate")(function* (mandate: Mandate) {
  const channels = yield* Channels
  const reference = referenceOf(mandate)
  if (mandate.status === "revoked") {
    return yield* settleMandate(mandate.id, yield* channels.revokeMandate(reference))
  }
  const answer = yield* channels.askMandate(reference)
  // A request that never arrived is repeated with the same id.
  const known =
    answer.type === "not_found" ? yield* channels.requestMandate(requestOf(mandate)) : answer
  yield* settleMandate(mandate.id, known)
})

/**
 * Acts on a channel's message about a mandate (Channel callback). A repeated message changes
 * nothing.
 */
export const actOnMandate = Effect.fnUntraced(function* (callback: MandateCallback) {
  const { channel, mandate_id, mandate_status } = callback
  const mandate = yield* (yield* Store).find("mandate", mandate_id)
  if (mandate === undefined) return yield* notFound("mandate", mandate_id)
  if (mandate.channel !== channel) {
    return yield* new Failure({
      code: "CHANNEL_MISMATCH",
      message: `The mandate belongs to ${mandate.channel}. The callback had no effect.`,
      details: { expected: mandate.channel, actual: channel },
    })
  }
  yield* (yield* Channels).noteCallback(callback)
  const status = mandate_status === "ACTIVE" ? "active" : "revoked"
  yield* settleMandate(mandate.id, { type: "known", status })
})
