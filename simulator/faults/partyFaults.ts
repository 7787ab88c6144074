import type { FaultInfo } from "./Fault.ts"

/** What clients, sellers and their systems do wrong, and how slow the store is. */
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
