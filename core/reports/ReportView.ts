import type { Discrepancy } from "../gateway/Discrepancy.ts"
import { utcDay } from "../shared/Timestamp.ts"
import type { Row, Sums } from "./Report.ts"

/** The kinds of discrepancy that a report tells of. */
export const REPORTED_KINDS = [
  "missing_at_channel",
  "missing_at_service",
  "amount_mismatch",
  "status_mismatch",
  "late_payment",
] as const

/** A discrepancy as it is shown. */
export interface DiscrepancyView {
  readonly date: string
  readonly kind: (typeof REPORTED_KINDS)[number]
  readonly payment_intent: string
  readonly channel: string
  readonly trade_no?: string
  readonly expected?: string
  readonly actual?: string
}

/** The report in the wire's shape. */
export interface ReportView {
  readonly from: string
  readonly to: string
  readonly rows: ReadonlyArray<Row>
  readonly totals: ReadonlyArray<Sums>
  readonly discrepancies: ReadonlyArray<DiscrepancyView>
  /** Whether there are more discrepancies than are shown. */
  readonly has_more_discrepancies: boolean
  /** Days with rows that have not been held against every channel's statement yet. */
  readonly pending_days: ReadonlyArray<string>
}

/** A callback of a channel that the payment is not on contradicts where the payment stands. */
const kindOf = ({ kind }: Discrepancy): DiscrepancyView["kind"] =>
  kind === "channel_mismatch" ? "status_mismatch" : kind

/** A discrepancy in the wire's shape; what there is not is left out. */
export const discrepancyView = (found: Discrepancy): DiscrepancyView => ({
  date: utcDay(found.created_at),
  kind: kindOf(found),
  payment_intent: found.payment_intent,
  channel: found.channel,
  ...(found.trade_no !== "" && { trade_no: found.trade_no }),
  ...(found.expected !== "" && { expected: found.expected }),
  ...(found.actual !== "" && { actual: found.actual }),
})
