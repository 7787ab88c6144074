import type {
  ChannelRequest,
  ChannelRequestFacts,
} from "../../../../core/gateway/ChannelRequest.ts"
import type { Discrepancy } from "../../../../core/gateway/Discrepancy.ts"
import type { HeardCallback } from "../../../../core/gateway/HeardCallback.ts"
import type { FeeDay } from "../../../../core/ledger/FeeDay.ts"
import type { Posting } from "../../../../core/ledger/Posting.ts"
import type { ReconciliationRun } from "../../../../core/reports/ReconciliationRun.ts"
import { DAY, SECOND, type Timestamp } from "../../../../core/shared/Timestamp.ts"
import { T0, id, type Said } from "./ids.ts"

const channelRequestFacts: { readonly [S in keyof ChannelRequestFacts]: ChannelRequestFacts[S] } = {
  outstanding: { due_at: T0 + 10 * SECOND },
  unknown: { due_at: T0 + 10 * SECOND },
  done: { trade_no: "t-1" },
  refused: { failure: "The wallet is closed." },
}

/** A capture of intent 1 in a state. */
export const channelRequestIn = (
  status: ChannelRequest["status"],
  { n = 1, ...said }: Said<Omit<ChannelRequest, "status">> & { readonly due_at?: Timestamp } = {},
): ChannelRequest =>
  ({
    id: id("creq", n),
    version: 1,
    payment_intent: id("pi", 1),
    account_id: id("acct", 1),
    channel: "wallet_a",
    action: "capture",
    charge_id: id("qr", 1),
    trade_no: null,
    amount: { currency: "USD", value: 699 },
    refund: null,
    mandate: null,
    attempts: 0,
    created_at: T0,
    status,
    ...channelRequestFacts[status],
    ...said,
  }) as ChannelRequest

/** A request in progress, which is checked again after ten seconds. */
export const aChannelRequest = (said?: Parameters<typeof channelRequestIn>[1]): ChannelRequest =>
  channelRequestIn("outstanding", said)

/** One callback of the channel about intent 1. */
export const aCallback = ({ n = 1, ...said }: Said<HeardCallback> = {}): HeardCallback => ({
  id: id("cb", n),
  version: 1,
  account_id: id("acct", 1),
  payment_intent: id("pi", 1),
  channel: "wallet_a",
  about: "charge",
  number: `trade-${n}`,
  status: "AUTHORIZED",
  result: "acted_on",
  times: 1,
  created_at: T0,
  last_at: T0,
  ...said,
})

/** A discrepancy: money for intent 1 that arrived too late. */
export const aDiscrepancy = ({ n = 1, ...said }: Said<Discrepancy> = {}): Discrepancy => ({
  id: id("disc", n),
  version: 1,
  account_id: id("acct", 1),
  kind: "late_payment",
  payment_intent: id("pi", 1),
  channel: "wallet_a",
  trade_no: `trade-${n}`,
  expected: "expired",
  actual: "SUCCESS",
  run: null,
  created_at: T0,
  ...said,
})

/** The n-th channel's run for 1 January, which has found nothing. */
export const aRun = ({ n = 1, ...said }: Said<ReconciliationRun> = {}): ReconciliationRun => ({
  id: id("rrun", n),
  version: 1,
  day: "2026-01-01",
  channel: `channel_${n}`,
  runs: 1,
  attempts: 0,
  failure: null,
  result: { lines: 2, booked: 2, discrepancies: 0, unstored: 0, unknown: 0, unknown_lines: [] },
  completed_at: T0,
  due_at: null,
  ...said,
})

/** The journal of a capture: intent n in the books of account 1. */
export const aJournal = ({
  n = 1,
  amount = 699,
  ...said
}: Said<Omit<Posting, "id">> = {}): ReadonlyArray<Posting> =>
  (
    [
      ["channel_clearing", amount],
      ["payer_clearing", -amount],
    ] as const
  ).map(([ledger_account, moved], line) => ({
    id: id("post", 10 * n + line),
    journal: id("jrn", n),
    kind: "captured",
    account_id: id("acct", 1),
    ledger_account,
    channel: "wallet_a",
    currency: "USD",
    amount: moved,
    payment_intent: id("pi", n),
    refund: null,
    created_at: T0,
    ...said,
  }))

/** The fees that account 1 owes for a day. */
export const aFeeDay = ({ n = 1, ...said }: Said<FeeDay> = {}): FeeDay => ({
  id: id("fday", n),
  version: 1,
  account_id: id("acct", 1),
  day: "2026-01-01",
  currency: "USD",
  taken: 0,
  created_at: T0,
  due_at: T0 + DAY,
  ...said,
})
