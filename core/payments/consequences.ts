import { Effect } from "effect"
import type { ChannelRequest } from "../gateway/ChannelRequest.ts"
import { releaseLimits } from "./HeldLimits.ts"
import { Ids } from "../ports/Ids.ts"
import type {
  Commit,
  KeyChange,
  Reservation,
  Store,
  StoreUnavailable,
  Write,
} from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { canonicalJson } from "../shared/CanonicalJson.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { paidInvoice } from "../invoices/paidInvoice.ts"
import { paymentEvents } from "./PaymentEvent.ts"
import type { ChannelTask, MovedIntent } from "./Lifecycle.ts"
import { endsUnpaid, type PaymentIntent } from "./PaymentIntent.ts"
import { writeIntent } from "./writeIntent.ts"

/**
 * A request to a channel of the intent that a worker makes as soon as it can. The intent's trade is
 * its own channel's: charges at the others have trades of their own, which nobody has told of.
 */
export const channelRequest = (
  id: string,
  intent: PaymentIntent,
  task: ChannelTask & { readonly trade_no?: string },
  at: Timestamp,
): ChannelRequest => ({
  id,
  version: 1,
  payment_intent: intent.id,
  account_id: intent.account_id,
  channel: task.channel,
  action: task.action,
  charge_id: task.charge_id,
  trade_no: task.trade_no ?? (task.channel === intent.channel ? intent.trade_no : null),
  amount: intent.amount,
  refund: null,
  mandate: null,
  status: "outstanding",
  attempts: 0,
  failure: null,
  created_at: at,
  due_at: at,
})

/**
 * The name under which a One-Time payment stands for its creator's service, payer and metadata, so
 * that a second attempt finds it (One-Time Pay, idempotency). Without metadata there is none.
 */
export const duplicateKey = (
  intent: Pick<PaymentIntent, "account_id" | "service_id" | "payer" | "metadata">,
  sha256: (text: string) => string,
): string | undefined =>
  intent.metadata === null || Object.keys(intent.metadata).length === 0
    ? undefined
    : `one_time:${sha256(
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

/** The payment's place within its payer's limits, which it gives back when it ends unpaid. */
const returnedPlaces = ({ spending, status }: PaymentIntent): ReadonlyArray<Reservation> =>
  spending === null || !endsUnpaid(status) ? [] : releaseLimits(spending)

/** What a payment holds of its payer's limits, to be given back when it is erased. */
export const heldPlaces = ({ spending, status }: PaymentIntent): ReadonlyArray<Reservation> =>
  spending === null || endsUnpaid(status) ? [] : releaseLimits(spending)

type Consequences = Required<
  Pick<Commit, "writes" | "events" | "keys" | "reservations" | "postings" | "fee_days">
>

/**
 * The commit of a move: the intent in its new state, what its channels are asked to do about it,
 * the events that tell of it, the names that it gives up, what it is to the ledger, and the invoice
 * that it pays.
 */
export const consequences = Effect.fnUntraced(function* (
  before: PaymentIntent,
  moved: MovedIntent,
  tasks: ReadonlyArray<ChannelTask>,
  at: Timestamp,
): Effect.fn.Return<Consequences, StoreUnavailable, Ids | Store | Vault> {
  const ids = yield* Ids
  const vault = yield* Vault
  const requests = tasks.map((task): Write => ({
    op: "insert",
    kind: "channel_request",
    record: channelRequest(`creq_${ids.uuid()}`, moved.record, task, at),
  }))
  const { write, ...ledger } = yield* writeIntent(before, moved.record, at)
  const paid = yield* paidInvoice(before, moved.record, at)
  return {
    ...ledger,
    writes: [write, ...requests, ...paid.writes],
    events: [...paymentEvents(moved.record, moved.emit, ids, at), ...(paid.events ?? [])],
    keys: releasedKeys(moved.record, vault.sha256),
    reservations: returnedPlaces(moved.record),
  }
})
