import type { FaultInfo } from "./Fault.ts"
import { HOUR, MINUTE } from "../../core/shared/Timestamp.ts"

/** Faults of clients, sellers and their systems, and the latency of the store. */
export const partyFaults = {
  revocation_failed: {
    about: "A seller's own system does not revoke what it is asked to",
    worst: 0.8,
  },
  answer_lost: {
    about: "The answer to a client gets lost; the client repeats the request",
    worst: 0.3,
  },
  client_parallel: { about: "Each request is sent several times at once", worst: 0.5 },
  client_stampede: {
    about: "A request of a payment is sent 10 to 50 times at once",
    worst: 0.18,
  },
  store_latency_ms: {
    about: "How long the store takes on average; decides how requests interleave",
    worst: 20,
    unit: "milliseconds",
    counted_as: null,
  },
  receiver_failed: { about: "A receiver of webhooks fails", worst: 0.5 },
  keys_changed: {
    about: "A seller changes a secret, a key or a receiver, about once a minute",
    worst: 0.8,
  },
} as const satisfies { readonly [fault: string]: FaultInfo }

/** Faults of a webhook's delivery, besides failing receivers; each happens sometimes. */
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

/** The shortest and the longest absence of a receiver. */
export const AWAY = { shortest: MINUTE, longest: 120 * HOUR } as const

/** Faults between people who prove who they are and those who check it. */
export const identityFaults = {
  code_delay_ms: {
    about: "How long a code is on its way on average",
    worst: 240_000,
    unit: "milliseconds",
    counted_as: "code_delayed",
  },
  code_doubled: { about: "A code arrives twice", worst: 1 },
  code_lost: { about: "Nobody takes a code, so that another one has to be made", worst: 0.95 },
  authority_away: { about: "The authority that issued a document does not answer", worst: 0.8 },
} as const satisfies { readonly [fault: string]: FaultInfo }
