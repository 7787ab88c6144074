import { Effect } from "effect"
import type { ChannelCallback } from "../gateway/ChannelCallback.ts"
import { type ChannelRequest, isReturnKey, returnKey } from "../gateway/ChannelRequest.ts"
import { enter } from "../ledger/enter.ts"
import { lateMoney } from "./IntentJournals.ts"
import { Ids } from "../ports/Ids.ts"
import { type Commit, type Conflict, Store } from "../ports/Store.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { channelRequest } from "./consequences.ts"
import { discrepancy, ignoreTaken, tradeClaims } from "./discrepancies.ts"
import { chargeAt } from "./Lifecycle.ts"
import type { PaymentIntent } from "./PaymentIntent.ts"

type Part = Required<Pick<Commit, "writes" | "keys" | "postings" | "fee_days">>

/** A request of its own for the money of a callback. */
const asked = Effect.fnUntraced(function* (
  intent: PaymentIntent,
  request: ChannelRequest,
  at: Timestamp,
) {
  const late = request.action === "refund"
  return {
    ...(yield* enter(late ? [lateMoney(intent, request, "in")] : [], at)),
    writes: [{ op: "insert", kind: "channel_request", record: request }],
    keys: late ? [{ op: "claim", key: returnKey(request), owner: request.id }] : [],
  } satisfies Part
})

/**
 * What is left to do where another request gives the money back already, because its hold could not
 * be released. While that is under way the books wait for it; its record is written again, so that
 * its end and this cannot miss each other. One that was refused has to be made anew.
 */
const joined = Effect.fnUntraced(function* (
  intent: PaymentIntent,
  request: ChannelRequest,
  owner: string,
  at: Timestamp,
) {
  const other = yield* (yield* Store).find("channel_request", owner)
  if (other === undefined || other.status === "refused") {
    return { ...(yield* asked(intent, request, at)), keys: [] } satisfies Part
  }
  const done = other.status === "done"
  return {
    ...(yield* enter(done ? [] : [lateMoney(intent, other, "in")], at)),
    writes: done ? [] : [{ op: "replace", kind: "channel_request", record: other }],
    keys: [],
  } satisfies Part
})

const returnedBy = ({ reason }: Conflict): string | undefined =>
  reason.type === "key_taken" && isReturnKey(reason.key) ? reason.owner : undefined

/** Gives money back that came too late or twice, once, and writes it down. */
export const giveBack = Effect.fnUntraced(function* (
  intent: PaymentIntent,
  callback: ChannelCallback,
  action: "release" | "refund",
  at: Timestamp,
) {
  const store = yield* Store
  const { channel, trade_no, trade_status } = callback
  const charge_id = chargeAt(intent, channel) ?? intent.id
  const number = `creq_${(yield* Ids).uuid()}`
  const request = channelRequest(number, intent, { action, channel, charge_id, trade_no }, at)
  const found = { kind: "late_payment", expected: intent.status, actual: trade_status } as const
  const noted = yield* discrepancy(intent, callback, found, at)
  const commit = ({ keys, writes, ...ledger }: Part) =>
    store.commit({
      ...ledger,
      writes: [...noted.writes, ...writes],
      keys: [...tradeClaims(intent, callback), ...noted.keys, ...keys],
    })
  yield* commit(yield* asked(intent, request, at)).pipe(
    Effect.catchTag("Conflict", (conflict) => {
      const owner = returnedBy(conflict)
      return owner === undefined
        ? Effect.fail(conflict)
        : Effect.flatMap(joined(intent, request, owner, at), commit)
    }),
    ignoreTaken,
  )
})
