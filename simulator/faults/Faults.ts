import { HOUR, MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import type { Chance } from "../random/Chance.ts"

/** How a world misbehaves: probabilities, and means in milliseconds. Zero switches a fault off. */
export interface Faults {
  /** A callback gets lost on its way; its channel sends it again until it is acknowledged. */
  readonly callback_lost: number
  /** A callback never arrives: only asking the channel tells. */
  readonly callback_never: number
  /** A callback arrives, and its acknowledgement gets lost. */
  readonly callback_unanswered: number
  /** A callback comes 2 to 8 times, spread over 25 hours. */
  readonly callback_duplicated: number
  /** How late callbacks are on average; exponential. */
  readonly callback_delay_ms: number
  /** A callback is overtaken by those that follow it. */
  readonly callback_reordered: number
  /** A callback arrives within a millisecond of the payment's `expires_at`. */
  readonly callback_at_expiry: number
  /** Besides the genuine message comes one that was changed on the way. */
  readonly callback_tampered: number
  /** Besides it comes one that carries another payment's or channel's facts. */
  readonly callback_crossed: number
  /** Besides it comes one that somebody without the secret has made up. */
  readonly callback_forged: number
  /** A call to a channel is not answered; its effect is there in half of the cases. */
  readonly call_timeout: number
  /** A call to a channel is answered with a server error and has no effect. */
  readonly call_error: number
  /** A question about a charge is answered from books that are up to 30 s old. */
  readonly query_stale: number
  /** A charge cannot be made for once. */
  readonly charge_refused: number
  /** How many outages a channel has in an hour of traffic, 1 minute to 6 hours each. */
  readonly outages_per_hour: number
  /** A payer pays a charge that is closed or over, and the channel takes it. */
  readonly payment_after_close: number
  /** A settlement fails after the capture. */
  readonly settlement_failed: number
  /** A capture is refused. */
  readonly capture_refused: number
  /** A refund is promised and made later. */
  readonly refund_slow: number
  /** A refund of a part is refused at once. */
  readonly refund_refused: number
  /** A refund of a part is promised and comes to nothing. */
  readonly refund_failed: number
  /** A seller's own system does not revoke what it is asked to. */
  readonly revocation_failed: number
  /** The answer to a client gets lost; the client repeats the request. */
  readonly answer_lost: number
  /** Each request is sent several times at once. */
  readonly client_parallel: number
  /** How long the store takes on average; decides how requests interleave. */
  readonly store_latency_ms: number
  /** A receiver of webhooks fails. */
  readonly receiver_failed: number
  /** A seller changes a secret, a key or a receiver, about once a minute. */
  readonly keys_changed: number
}

/** A world in which nothing goes wrong. */
export const NO_FAULTS: Faults = {
  callback_lost: 0,
  callback_never: 0,
  callback_unanswered: 0,
  callback_duplicated: 0,
  callback_delay_ms: 0,
  callback_reordered: 0,
  callback_at_expiry: 0,
  callback_tampered: 0,
  callback_crossed: 0,
  callback_forged: 0,
  call_timeout: 0,
  call_error: 0,
  query_stale: 0,
  charge_refused: 0,
  outages_per_hour: 0,
  payment_after_close: 0,
  settlement_failed: 0,
  capture_refused: 0,
  refund_slow: 0,
  refund_refused: 0,
  refund_failed: 0,
  revocation_failed: 0,
  answer_lost: 0,
  client_parallel: 0,
  store_latency_ms: 0,
  receiver_failed: 0,
  keys_changed: 0,
}

/** How bad each fault may get; all at once, it is the worst of worlds. */
export const WORST: Faults = {
  callback_lost: 0.3,
  callback_never: 0.1,
  callback_unanswered: 0.2,
  callback_duplicated: 0.5,
  callback_delay_ms: MINUTE,
  callback_reordered: 0.3,
  callback_at_expiry: 0.2,
  callback_tampered: 0.05,
  callback_crossed: 0.05,
  callback_forged: 0.05,
  call_timeout: 0.2,
  call_error: 0.1,
  query_stale: 0.2,
  charge_refused: 0.1,
  outages_per_hour: 1,
  payment_after_close: 0.5,
  settlement_failed: 0.1,
  capture_refused: 0.1,
  refund_slow: 0.6,
  refund_refused: 0.1,
  refund_failed: 0.3,
  revocation_failed: 0.6,
  answer_lost: 0.3,
  client_parallel: 0.5,
  store_latency_ms: 20,
  receiver_failed: 0.5,
  keys_changed: 0.8,
}

/** The longest that a channel is gone. */
export const OUTAGE = { shortest: MINUTE, longest: 6 * HOUR } as const

/** Later than this no copy and no delayed callback comes. */
export const TAIL = 25 * HOUR

/** How long a channel's answer takes at the most, before its caller gives up on it. */
export const CALL_TIMEOUT = 10 * SECOND

/** The faults of a seed: about two in three are on, each up to its worst. */
export const drawFaults = (chance: Chance): Faults =>
  Object.fromEntries(
    Object.entries(WORST).map(([fault, worst]) => {
      const on = chance.hits(2 / 3)
      const size = chance.next()
      return [fault, on ? worst * size : 0]
    }),
  ) as unknown as Faults
