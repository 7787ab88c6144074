import { Effect } from "effect"
import { BOUNDS, type Kept, type Retention } from "../../core/retention/Retention.ts"
import { DAY } from "../../core/shared/Timestamp.ts"
import { read, variable } from "./variables.ts"

const days = (name: string, kind: Kept) => {
  const { least, most, usual } = BOUNDS[kind]
  return variable(
    name,
    `a number of days from ${least} to ${most}`,
    String(usual),
    (text): number | undefined =>
      /^[1-9]\d{0,3}$/.test(text) && Number(text) >= least && Number(text) <= most
        ? Number(text)
        : undefined,
  )
}

/** The variables for the retention times, for the help. */
export const retentionVariables = {
  event_retention: days("PAYPORT_EVENT_RETENTION_DAYS", "event"),
  delivery_retention: days("PAYPORT_DELIVERY_RETENTION_DAYS", "delivery"),
  channel_request_retention: days("PAYPORT_CHANNEL_REQUEST_RETENTION_DAYS", "channel_request"),
  callback_retention: days("PAYPORT_CALLBACK_RETENTION_DAYS", "callback"),
  reply_retention: days("PAYPORT_REPLY_RETENTION_DAYS", "reply"),
  unpaid_retention: days("PAYPORT_UNPAID_RETENTION_DAYS", "unpaid"),
}

/** Reads the retention times. */
export const readRetention = Effect.gen(function* () {
  const said = Effect.fnUntraced(function* (kind: Kept) {
    return ((yield* read(retentionVariables[`${kind}_retention`])) ?? BOUNDS[kind].usual) * DAY
  })
  return {
    event: yield* said("event"),
    delivery: yield* said("delivery"),
    channel_request: yield* said("channel_request"),
    callback: yield* said("callback"),
    reply: yield* said("reply"),
    unpaid: yield* said("unpaid"),
  } satisfies Retention
})
