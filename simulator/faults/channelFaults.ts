import { MINUTE } from "../../core/shared/Timestamp.ts"
import type { FaultInfo } from "./Fault.ts"

/** Faults of channels and of their messages. */
export const channelFaults = {
  callback_lost: {
    about: "A callback gets lost on its way; its channel sends it again until it is acknowledged",
    worst: 0.3,
  },
  callback_never: { about: "A callback never arrives: only asking the channel tells", worst: 0.1 },
  callback_unanswered: {
    about: "A callback arrives, and its acknowledgement gets lost",
    worst: 0.2,
  },
  callback_duplicated: {
    about: "A callback comes 2 to 8 times, spread over 25 hours",
    worst: 0.5,
  },
  callback_delay_ms: {
    about: "How late callbacks are on average; exponential, up to 25 hours",
    worst: MINUTE,
    unit: "milliseconds",
    counted_as: "callback_delayed",
  },
  callback_reordered: { about: "A callback is overtaken by those that follow it", worst: 0.3 },
  callback_at_expiry: {
    about: "A callback arrives within a millisecond of the payment's expires_at",
    worst: 0.2,
  },
  callback_tampered: {
    about: "Besides the genuine message comes one that was changed on the way",
    worst: 0.1,
  },
  callback_crossed: {
    about: "Besides it comes one that carries another payment's or channel's facts",
    worst: 0.15,
  },
  callback_forged: {
    about: "Besides it comes one that somebody without the secret has made up",
    worst: 0.1,
  },
  callback_confused: {
    about: "A channel says, under its own signature, what never happened to the charge",
    worst: 0.5,
  },
  call_timeout: {
    about: "A call to a channel is not answered; its effect is there in half of the cases",
    worst: 0.2,
  },
  call_error: {
    about: "A call to a channel is answered with a server error and has no effect",
    worst: 0.1,
  },
  query_stale: {
    about: "A question about a charge is answered from books that are up to 30 s old",
    worst: 0.2,
  },
  debit_declined: { about: "A channel declines a debit", worst: 1, share: 0.8 },
  charge_refused: { about: "A charge cannot be made for once", worst: 0.2 },
  outages_per_hour: {
    about: "How many outages a channel has in an hour of traffic, 1 minute to 6 hours each",
    worst: 1,
    unit: "per hour",
    counted_as: "call_in_outage",
  },
  payment_after_close: {
    about: "A payer pays a charge that is closed or over, and the channel takes it",
    worst: 0.5,
  },
  settlement_failed: { about: "A settlement fails after the capture", worst: 0.7 },
  capture_refused: { about: "A capture is refused", worst: 0.5 },
  refund_slow: { about: "A refund is promised and made later", worst: 1 },
  refund_refused: { about: "A refund of a part is refused at once", worst: 0.4 },
  refund_failed: {
    about: "A refund of a part is promised and comes to nothing",
    worst: 1,
    share: 1,
  },
} as const satisfies { readonly [fault: string]: FaultInfo }

/** Faults of the channels' statements. */
export const statementFaults = {
  statement_dropped: { about: "A line is left out of its channel's statement", worst: 0.2 },
  statement_changed: {
    about: "A line of a statement says something else than its channel's books",
    worst: 0.2,
  },
} as const satisfies { readonly [fault: string]: FaultInfo }
