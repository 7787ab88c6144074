import { useState } from "preact/hooks"
import type { ReconciliationReport, Statement } from "../../../../adapters/http/client/Resources.ts"
import { api } from "../data/api.ts"
import { serviceNow } from "../show/clock.ts"
import { operationsCost } from "../data/count.ts"
import { useAct, useAsked } from "../data/hooks.ts"
import { Link } from "../data/router.tsx"
import { Badge, Empty, Head, Loading, Part, Problem } from "../parts/basics.tsx"
import { Table } from "../parts/Table.tsx"
import { major, money } from "../show/money.ts"

const dayAgo = (days: number): string =>
  new Date(serviceNow() - days * 86_400_000).toISOString().slice(0, 10)

type Row = ReconciliationReport["rows"][number]

const figures = (row: Omit<Row, "channel" | "date">) => {
  const shown = (value: number) => major(value, row.currency)
  return [
    String(row.payments),
    shown(row.gross),
    shown(row.refunds),
    shown(row.service_fees),
    shown(row.fx_spread),
    shown(row.channel_fees),
    <strong>{shown(row.net)}</strong>,
  ]
}

const FIGURES = [
  ">Payments",
  ">Gross",
  ">Refunds",
  ">Service",
  ">Exchange",
  ">Channel fees",
  ">Net",
]

const Report = ({ report }: { readonly report: ReconciliationReport }) => (
  <>
    <Table
      label="Totals"
      head={["Currency", ...FIGURES]}
      rows={report.totals.map((row) => ({
        id: row.currency,
        cells: [row.currency, ...figures(row)],
      }))}
    />
    <h3>By day and channel</h3>
    <Table
      label="Days"
      head={["Day", "Channel", "Currency", ...FIGURES]}
      rows={report.rows.map((row) => ({
        id: `${row.date} ${row.channel} ${row.currency}`,
        cells: [row.date, <code>{row.channel}</code>, row.currency, ...figures(row)],
      }))}
    />
    <h3>Discrepancies</h3>
    {report.discrepancies.length === 0 ? (
      <p class="soft">
        Nothing is at odds in what was compared.
        {report.pending_days.length > 0 && ` Not compared yet: ${report.pending_days.join(", ")}.`}
      </p>
    ) : (
      <Table
        label="Discrepancies"
        head={["Day", "What", "Channel", "Payment", "Books", "Channel says"]}
        rows={report.discrepancies.map((one, at) => ({
          id: `${one.date} ${at}`,
          cells: [
            one.date,
            <Badge status={one.kind} tone="bad" />,
            <code>{one.channel}</code>,
            one.payment_intent === undefined ? (
              "–"
            ) : (
              <Link to={`/payments/${one.payment_intent}`}>Open</Link>
            ),
            one.expected ?? "–",
            one.actual ?? "–",
          ],
        }))}
      />
    )}
  </>
)

const Reconciliation = () => {
  const [from, setFrom] = useState(() => dayAgo(6))
  const [to, setTo] = useState(() => dayAgo(0))
  const [report, setReport] = useState<ReconciliationReport>()
  const { act, isActing, refusal } = useAct()
  return (
    <Part title="Reconciliation" text="A report counts as one of your plan's.">
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault()
          void act(async () => setReport(await api.reports.reconciliation({ from, to })))
        }}
      >
        <label class="field">
          <span>From</span>
          <input type="date" value={from} onInput={(e) => setFrom(e.currentTarget.value)} />
        </label>
        <label class="field">
          <span>To</span>
          <input type="date" value={to} onInput={(e) => setTo(e.currentTarget.value)} />
        </label>
        <button type="submit" class="act primary" disabled={isActing}>
          {isActing ? "Comparing…" : "Make the report"}
        </button>
      </form>
      {refusal !== undefined && <Problem text={refusal} />}
      {report !== undefined && <Report report={report} />}
    </Part>
  )
}

const Months = ({ months }: { readonly months: ReadonlyArray<Statement> }) =>
  months.length === 0 ? (
    <p class="soft">A statement is made when a month ends.</p>
  ) : (
    <Table
      label="Statements"
      head={["Month", "Plan", ">Volume", ">Price", ">Operations", ">Overage", ">Total"]}
      rows={months.map((one) => ({
        id: one.id,
        cells: [
          one.month,
          one.plan,
          money(one.volume.total),
          money(one.price),
          money(operationsCost(one)),
          money(one.volume.overage),
          <strong>{money(one.total)}</strong>,
        ],
      }))}
    />
  )

const ask = async () => {
  const [usage, { data: statements }] = await Promise.all([
    api.billing.usage(),
    api.billing.listStatements({ limit: 24 }),
  ])
  return { usage, statements }
}

const Usage = () => {
  const { again, error, value } = useAsked(ask, "")
  if (value === undefined) {
    return error === undefined ? <Loading /> : <Problem text={error} again={again} />
  }
  const { statements, usage } = value
  return (
    <>
      <Part
        title={`This month: ${usage.month}`}
        text={`${usage.plan}, ${money(usage.total)} so far`}
      >
        <Table
          label="Usage"
          isCompact
          head={["Operation", ">Count", ">Free", ">Cost"]}
          rows={usage.operations.map(({ cost, count, free_allowance, operation }) => ({
            id: operation,
            cells: [
              <code>{operation}</code>,
              count.toLocaleString("en"),
              free_allowance === null ? "all" : free_allowance.toLocaleString("en"),
              money(cost),
            ],
          }))}
        />
        {usage.operations.length === 0 && <Empty title="Nothing was used yet" />}
      </Part>
      <Part title="Statements">
        <Months months={statements} />
      </Part>
    </>
  )
}

/** The totals of the books, their reconciliation with the channels, and the service's costs. */
export const Reports = () => (
  <>
    <Head title="Reports" text="Days and months are UTC." />
    <Reconciliation />
    <Usage />
  </>
)
