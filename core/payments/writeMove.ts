import { Effect } from "effect"
import { type Commit, type CommitPart, merge } from "../commits/Commit.ts"
import { type ChannelTask, draft } from "../gateway/ChannelRequest.ts"
import { heldOf, releaseLimits } from "./HeldLimits.ts"
import { Ids } from "../ports/Ids.ts"
import type { KeyChange, Reservation, Store, StoreUnavailable } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { canonicalJson } from "../shared/Text.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { paidInvoice } from "../invoices/paidInvoice.ts"
import { paymentEvents } from "./PaymentEvent.ts"
import type { MovedIntent } from "./Lifecycle.ts"
import { endsUnpaid, type PaymentIntent } from "./PaymentIntent.ts"
import { countUnpaid } from "./UnpaidPayments.ts"
import { writeIntent } from "./writeIntent.ts"

/** The prefix of the names of One-Time payments. */
export const ONE_TIME = "one_time:"

/**
 * Returns the name of a One-Time payment for its creator's service, payer and metadata, by which a
 * second attempt finds it (One-Time Pay, idempotency). Returns undefined without metadata.
 */
export const duplicateKey = (
  intent: Pick<PaymentIntent, "account_id" | "service_id" | "payer" | "metadata">,
  sha256: (text: string) => string,
): string | undefined =>
  intent.metadata === null || Object.keys(intent.metadata).length === 0
    ? undefined
    : `${ONE_TIME}${sha256(
        canonicalJson([
          intent.account_id,
          intent.service_id,
          intent.payer.agent_id,
          intent.metadata,
        ]),
      )}`

const releasedKeys = (
  intent: PaymentIntent,
  sha256: (text: string) => string,
): ReadonlyArray<KeyChange> => {
  if (intent.flow !== "one_time_pay" || !endsUnpaid(intent.status)) return []
  const key = duplicateKey(intent, sha256)
  return key === undefined ? [] : [{ op: "release", key, owner: intent.id }]
}

/** Returns what the payment gives back to its payer's limits when it ends unpaid. */
const returnedPlaces = (
  before: PaymentIntent,
  { status }: PaymentIntent,
): ReadonlyArray<Reservation> => {
  const held = heldOf(before)
  return held === null || !endsUnpaid(status) ? [] : releaseLimits(held)
}

/** Returns what a payment holds of limits and counters, to be given back when it is erased. */
export const heldPlaces = (intent: PaymentIntent): ReadonlyArray<Reservation> => {
  const held = heldOf(intent)
  return held === null || endsUnpaid(intent.status)
    ? countUnpaid(intent, undefined)
    : releaseLimits(held)
}

/** Returns requests that ask the channels to do these tasks. A worker makes the calls. */
export const writeRequests = (
  intent: PaymentIntent,
  tasks: ReadonlyArray<ChannelTask>,
  ids: Ids["Service"],
  at: Timestamp,
): CommitPart => ({
  writes: tasks.map((task) => ({
    op: "insert",
    kind: "channel_request",
    record: draft(`creq_${ids.uuid()}`, intent, task, at),
  })),
})

/**
 * Returns everything that a move of an intent stores: the intent in its new state, requests to its
 * channels, events, names and limits that it gives back, its journals, and the invoice that it
 * pays.
 */
export const writeMove = Effect.fnUntraced(function* (
  before: PaymentIntent,
  { emit, record }: MovedIntent,
  tasks: ReadonlyArray<ChannelTask>,
  at: Timestamp,
): Effect.fn.Return<Commit, StoreUnavailable, Ids | Store | Vault> {
  const ids = yield* Ids
  const { sha256 } = yield* Vault
  const requests = writeRequests(record, tasks, ids, at)
  const written = yield* writeIntent(before, record, at)
  const paid = yield* paidInvoice(before, record, at)
  const own: CommitPart = {
    events: paymentEvents(record, emit, ids, at),
    keys: releasedKeys(record, sha256),
    reservations: returnedPlaces(before, record),
  }
  return merge(written, requests, own, paid)
})
