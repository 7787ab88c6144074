import { Effect } from "effect"
import { DAY } from "../../core/shared/Timestamp.ts"
import { isAboutRefund } from "../../core/gateway/ChannelCallback.ts"
import { NOTHING_REFUNDED } from "../../core/payments/Refunded.ts"
import { Ledger } from "../../simulator/channels/Ledger.ts"
import { calling, dropping, type Flaw, storing, withIntents } from "./flaw.ts"

const slow = { refund_slow: 0.8, refund_failed: 0.5 }

/** Flaws of refunds and their revocations: each breaks one rule. */
export const refundFlaws: ReadonlyArray<Flaw> = [
  {
    name: "a payment forgets what of it was refunded",
    noticed_by: [2, 8],
    alterations: storing((commit) =>
      withIntents(commit, (write) => ({
        ...write,
        record: { ...write.record, refunded: NOTHING_REFUNDED },
      })),
    ),
  },
  {
    name: "the fee of a refund stays",
    noticed_by: [55],
    alterations: storing(({ postings = [], ...commit }) => ({
      ...commit,
      postings: postings.filter(({ kind }) => kind !== "fees_refunded"),
    })),
  },
  {
    name: "the fee of a whole refund comes back to the payer's side, but not from where it was",
    noticed_by: [10, 55],
    alterations: storing(({ postings = [], ...commit }) => ({
      ...commit,
      postings: postings.map((posting) =>
        posting.kind === "fees_refunded" && posting.ledger_account === "service_fees"
          ? { ...posting, ledger_account: "channel_fees" }
          : posting,
      ),
    })),
  },
  {
    name: "a refund gives back more of the fee than there is",
    noticed_by: [10],
    alterations: storing((commit) =>
      withIntents(commit, (write) => {
        const { refunded } = write.record
        const service_fee = refunded.service_fee === 0 ? 0 : refunded.service_fee + 1_000_000
        return { ...write, record: { ...write.record, refunded: { ...refunded, service_fee } } }
      }),
    ),
  },
  {
    name: "no payee hears that a buyer asks for a refund",
    noticed_by: [91],
    alterations: storing(({ events = [], ...commit }) => ({
      ...commit,
      events: events.filter(({ type }) => type !== "refund.requested"),
    })),
  },
  {
    name: "a refund request is approved in the name of another refund",
    noticed_by: [91],
    alterations: storing((commit) => ({
      ...commit,
      writes: commit.writes.map((write) =>
        write.kind === "refund_request" && write.record.status === "approved"
          ? { ...write, record: { ...write.record, refund: write.record.id } }
          : write,
      ),
    })),
  },
  {
    name: "a payee has a day to decide about a refund",
    noticed_by: [92],
    alterations: storing((commit) => ({
      ...commit,
      writes: commit.writes.map((write) =>
        write.kind === "refund_request"
          ? { ...write, record: { ...write.record, expires_at: write.record.created_at + DAY } }
          : write,
      ),
    })),
  },
  {
    name: "a channel refunds twice for one request",
    noticed_by: [2, 4],
    alterations: {
      makeLedger: (channel, entered) =>
        new Ledger(channel, (entry) => {
          entered(entry)
          if (entry.type === "refund") entered(entry)
        }),
    },
  },
  {
    name: "a refund that was promised counts as made",
    noticed_by: [5, 55],
    faults: slow,
    alterations: calling((inner, call) =>
      Effect.map(inner.call(call), (outcome) =>
        outcome.type === "pending" ? { type: "done", at: 0, trade_no: "promised" } : outcome,
      ),
    ),
  },
  {
    name: "a refund that was promised counts as refused",
    noticed_by: [5, 55],
    faults: slow,
    alterations: calling((inner, call) =>
      Effect.map(inner.call(call), (outcome) =>
        outcome.type === "pending" ? { type: "refused", message: "not at once" } : outcome,
      ),
    ),
  },
  {
    name: "the currency of a refund's message gets lost in the codec",
    noticed_by: [21],
    faults: { ...slow, callback_crossed: 0.8 },
    alterations: {
      channels: (channels) => ({
        ...channels,
        readCallback: (...message) =>
          Effect.map(channels.readCallback(...message), (callback) => {
            if (!isAboutRefund(callback)) return callback
            const { currency: _currency, ...rest } = callback
            return rest
          }),
      }),
    },
  },
  {
    name: "nobody is told of a refund",
    noticed_by: [28],
    alterations: storing(({ events = [], ...commit }) => ({
      ...commit,
      events: events.filter(({ type }) => !type.startsWith("refund.")),
    })),
  },
  {
    name: "a revoked access is given back",
    noticed_by: [36],
    alterations: storing((commit) => ({
      ...commit,
      writes: commit.writes.map((write) =>
        write.kind === "access_item"
          ? { ...write, record: { ...write.record, revoked: [] } }
          : write,
      ),
    })),
  },
  {
    name: "the tries of a target are miscounted",
    noticed_by: [37],
    faults: { revocation_failed: 0.9 },
    alterations: storing((commit) => ({
      ...commit,
      writes: commit.writes.map((write) =>
        write.kind === "revocation"
          ? { ...write, record: { ...write.record, attempts: 3 * write.record.attempts } }
          : write,
      ),
    })),
  },
  {
    name: "every refund takes everything away",
    noticed_by: [38],
    alterations: storing((commit) => ({
      ...commit,
      writes: commit.writes.map((write) =>
        write.kind === "revocation"
          ? { ...write, record: { ...write.record, scope: "all" } }
          : write,
      ),
    })),
  },
  {
    name: "nobody counts which target is the last",
    noticed_by: [39],
    alterations: dropping("reservations"),
  },
]
