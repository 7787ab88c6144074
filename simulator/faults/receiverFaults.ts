import { HOUR, MINUTE } from "../../core/shared/Timestamp.ts"
import type { FaultInfo } from "./Fault.ts"

/** What keeps a webhook from being taken, beside receivers that just fail: each once in a while. */
export const receiverFaults = {
  receiver_redirects: {
    about: "A receiver answers 301 to 308 and names another place",
    worst: 0.015,
  },
  receiver_resets: {
    about: "A receiver cuts the connection, with the webhook taken in half of the cases",
    worst: 0.015,
  },
  receiver_drips: {
    about: "A receiver's answer drips in until the sender's time is over, its status or its body",
    worst: 0.015,
  },
  receiver_pours: { about: "A receiver answers with 10 MB", worst: 0.03 },
  receiver_insecure: { about: "A receiver's certificate is not to be trusted", worst: 0.02 },
  receiver_turns: {
    about: "A receiver takes a webhook, and answers 5xx to all others for up to a minute",
    worst: 0.02,
  },
  receiver_outages_per_hour: {
    about: "How often in an hour of traffic a receiver goes away for 1 minute to 120 hours",
    worst: 0.5,
    unit: "per hour",
    counted_as: "receiver_away",
  },
  name_unknown: { about: "A receiver's name does not exist for once", worst: 0.015 },
  name_unanswered: { about: "No name server knows of a receiver's name for once", worst: 0.015 },
  name_rebound: {
    about: "A receiver's name leads to a private address instead of its own",
    worst: 0.015,
  },
  name_mixed: {
    about: "A receiver's name leads to a private address beside its own",
    worst: 0.015,
  },
} as const satisfies { readonly [fault: string]: FaultInfo }

/** The shortest and the longest that a receiver is away. */
export const AWAY = { shortest: MINUTE, longest: 120 * HOUR } as const
