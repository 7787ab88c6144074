// Written independently of core/reports on purpose: see Model.ts.

import type { Records } from "../../../core/ports/Store.ts"
import type { Posting } from "../../../core/ledger/Posting.ts"
import type { ReportView } from "../../../core/reports/ReportView.ts"
import { DAY, fromIso, type Timestamp, utcDay } from "../../../core/shared/Timestamp.ts"
import type { Model } from "../Model.ts"
import type { Finding, Observations, Rulebook } from "../Observation.ts"
import { difference } from "../saysTheSame.ts"
import { kept } from "./ownership.ts"

declare module "../Observation.ts" {
  interface Observations {
    /** A reconciliation report at rest; undefined if it was refused. */
    readonly report_shown: {
      readonly account: string
      readonly from: string
      readonly to: string
      readonly report: ReportView | undefined
    }
  }
}

/** The longest period of a report, in days. */
const LONGEST = 92

const timeOf = (day: string): Timestamp => fromIso(`${day}T00:00:00Z`) ?? 0

/** Adds up the rows of one account and kind, of some of the ledger's rows. */
const on = (
  rows: ReadonlyArray<Posting>,
  account: Posting["ledger_account"],
  isMeant: (kind: Posting["kind"]) => boolean = () => true,
): number =>
  rows.reduce(
    (sum, row) => (row.ledger_account === account && isMeant(row.kind) ? sum + row.amount : sum),
    0,
  )

const isSale = (kind: Posting["kind"]): boolean =>
  kind === "settled" || kind === "settlement_failed"

/** Returns a line of a report about some of the ledger's rows, all in one currency. */
const lineOf = (currency: string, rows: ReadonlyArray<Posting>) => {
  const sales = rows.filter(
    ({ kind, ledger_account }) => kind === "settled" && ledger_account === "merchant_wallet",
  )
  const given = on(rows, "fx_spread", (kind) => kind === "refund_succeeded")
  const spread = on(rows, "fx_spread")
  return {
    currency,
    payments: sales.length,
    gross: 0 - on(rows, "merchant_wallet", isSale) - (spread - given),
    refunds: on(rows, "merchant_wallet", (kind) => !isSale(kind)) + given,
    service_fees: 0 - on(rows, "service_fees"),
    fx_spread: 0 - spread,
    channel_fees: 0 - on(rows, "channel_fees"),
    // What is left is what the wallet gets, less the fees that leave it a day later.
    net: on(rows, "service_fees") + on(rows, "channel_fees") - on(rows, "merchant_wallet"),
  }
}

const groupsOf = (rows: ReadonlyArray<Posting>, name: (row: Posting) => string) => {
  const groups = new Map<string, Array<Posting>>()
  for (const row of rows) {
    const group = groups.get(name(row))
    if (group === undefined) groups.set(name(row), [row])
    else group.push(row)
  }
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, all]) => {
      const [first] = all
      const line = first && lineOf(first.currency, all)
      const isEmpty = Object.values(line ?? {}).every(
        (value) => value === 0 || value === first?.currency,
      )
      return first === undefined || line === undefined || isEmpty ? [] : [{ first, line }]
    })
}

/** Returns all stored records of a kind. */
const recordsOf = <K extends "discrepancy" | "reconciliation_run">(kind: K, model: Model) =>
  [...(model.know(kept).get(kind)?.values() ?? [])].flatMap((record) =>
    record === null ? [] : [record as Records[K]],
  )

/** Returns the texts of the differences that were found in the days of a report. */
const foundIn = (account: string, isWithin: (at: Timestamp) => boolean, model: Model) =>
  recordsOf("discrepancy", model)
    .filter(({ account_id, created_at }) => account_id === account && isWithin(created_at))
    .map(({ actual, channel, created_at, expected, kind, payment_intent, trade_no }) => {
      const shown = kind === "channel_mismatch" ? "status_mismatch" : kind
      return [utcDay(created_at), shown, payment_intent, channel, trade_no, expected, actual]
    })
    .map((fields) => fields.join(" "))
    .toSorted()

const shownIn = ({ discrepancies }: ReportView): ReadonlyArray<string> =>
  discrepancies
    .map((one) => {
      const { actual = "", channel, date, expected = "", kind, payment_intent, trade_no = "" } = one
      return [date, kind, payment_intent ?? "", channel, trade_no, expected, actual].join(" ")
    })
    .toSorted()

/** Checks a report against the rows of the ledger, the findings and the runs of its days. */
const addsUp = (seen: Observations["report_shown"], model: Model): Finding => {
  const { account, from, report, to } = seen
  const days = (timeOf(to) - timeOf(from)) / DAY + 1
  if (report === undefined) {
    return days < 1 || days > LONGEST ? undefined : `has no report of ${days} days`
  }
  if (days < 1 || days > LONGEST) return `has a report of ${days} days`
  const isWithin = (at: Timestamp): boolean => at >= timeOf(from) && at < timeOf(to) + DAY
  const posted = [...model.posted.values()].filter(
    ({ account_id, channel, created_at }) =>
      account_id === account && channel !== null && isWithin(created_at),
  )
  const lines = groupsOf(posted, ({ channel, created_at, currency }) =>
    [utcDay(created_at), channel, currency].join(" "),
  )
  const rows = lines.map(({ first, line }) => {
    return { date: utcDay(first.created_at), channel: first.channel, ...line }
  })
  const done = new Set(
    recordsOf("reconciliation_run", model)
      .filter(({ completed_at }) => completed_at !== null)
      .map(({ channel, day }) => `${day} ${channel}`),
  )
  const pending = rows.filter(({ channel, date }) => !done.has(`${date} ${channel}`))
  const expected = {
    from,
    to,
    rows,
    totals: groupsOf(posted, ({ currency }) => currency).map(({ line }) => line),
    has_more_discrepancies: false,
    pending_days: [...new Set(pending.map(({ date }) => date))],
    discrepancies: foundIn(account, isWithin, model),
  }
  const differs = difference(expected, { ...report, discrepancies: shownIn(report) })
  return differs === undefined ? undefined : `has a report of ${from} to ${to} with ${differs}`
}

/** The rules about sellers' reports. */
export const reportRules: Rulebook = { 130: { report_shown: addsUp } }
