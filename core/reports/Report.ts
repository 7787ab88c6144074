import { Schema } from "effect"
import type { DayTotal } from "../ledger/LedgerQuery.ts"

const minor = (description: string) =>
  Schema.Int.annotate({ description: `${description}, in minor units of \`currency\`.` })

/** The sums of a merchant's payments in one settlement currency. */
export const Sums = Schema.Struct({
  currency: Schema.String.annotate({ description: "The settlement currency of every column." }),
  payments: Schema.Int.annotate({ description: "The number of settled payments." }),
  gross: minor("The value of these payments at the mid-market rate"),
  refunds: minor("The part that was refunded or is set aside for refunds"),
  service_fees: minor("The service's fees, less those that refunds gave back"),
  fx_spread: minor("The FX spread that was kept, less what refunds gave back"),
  channel_fees: minor("The channels' fees"),
  net: minor(
    "What the wallet receives: gross less the previous columns, once the fees have left it",
  ),
})
/** See {@link Sums}. */
export type Sums = typeof Sums.Type

/** A UTC day. */
export const Day = Schema.String.annotate({ description: "A UTC day, such as 2026-01-31." })

/** The sums of a channel and a day. */
export const Row = Schema.Struct({
  date: Day,
  channel: Schema.String.annotateKey({ description: "The channel's name, such as `wallet_a`." }),
  ...Sums.fields,
})
/** See {@link Row}. */
export type Row = typeof Row.Type

type Draft = { -readonly [K in keyof Sums]: Sums[K] }

const nothing = (currency: string): Draft => ({
  currency,
  payments: 0,
  gross: 0,
  refunds: 0,
  service_fees: 0,
  fx_spread: 0,
  channel_fees: 0,
  net: 0,
})

/** Adds a sum of the ledger, whose credits are negative, to its columns. */
const add = (sums: Draft, { amount, count, kind, ledger_account }: DayTotal): void => {
  switch (ledger_account) {
    case "merchant_wallet":
      if (kind === "settled") sums.payments += count
      if (kind === "settled" || kind === "settlement_failed") sums.gross -= amount
      else sums.refunds += amount
      break
    case "fx_spread":
      sums.fx_spread -= amount
      if (kind === "refund_succeeded") sums.refunds += amount
      else sums.gross -= amount
      break
    case "service_fees":
      sums.service_fees -= amount
      break
    case "channel_fees":
      sums.channel_fees -= amount
      break
    default:
  }
}

const withNet = (sums: Draft): Sums => ({
  ...sums,
  net: sums.gross - sums.refunds - sums.service_fees - sums.fx_spread - sums.channel_fees,
})

const isEmpty = ({ currency: _, ...sums }: Sums): boolean =>
  Object.values(sums).every((value) => value === 0)

const foldedBy = (
  totals: ReadonlyArray<DayTotal>,
  name: (total: DayTotal) => string,
): ReadonlyArray<readonly [first: DayTotal, sums: Sums]> => {
  const groups = new Map<string, readonly [DayTotal, Draft]>()
  for (const total of totals) {
    const group = groups.get(name(total)) ?? [total, nothing(total.currency)]
    groups.set(name(total), group)
    add(group[1], total)
  }
  return [...groups.values()]
    .map(([first, sums]) => [first, withNet(sums)] as const)
    .filter(([, sums]) => !isEmpty(sums))
}

/** Drops postings without a channel: the fees that leave the wallet a day later are no sales. */
const ofChannels = (totals: ReadonlyArray<DayTotal>) =>
  totals.filter(({ channel }) => channel !== null)

/**
 * Returns a row for each date, channel and settlement currency, in that order, from the ledger's
 * daily sums (Reconciliation). All columns of a row are in its currency, so that the row adds up.
 */
export const rowsOf = (totals: ReadonlyArray<DayTotal>): ReadonlyArray<Row> =>
  foldedBy(ofChannels(totals), ({ channel, currency, day }) => `${day} ${channel} ${currency}`).map(
    ([{ channel, day }, sums]) => ({ date: day, channel: channel ?? "", ...sums }),
  )

/** Returns the totals of each currency. */
export const totalsOf = (totals: ReadonlyArray<DayTotal>): ReadonlyArray<Sums> =>
  foldedBy(ofChannels(totals), ({ currency }) => currency)
    .map(([, sums]) => sums)
    .toSorted((a, b) => (a.currency < b.currency ? -1 : 1))
