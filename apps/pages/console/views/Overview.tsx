import type { PaymentIntent, WebhookDelivery } from "../../../../adapters/http/client/Resources.ts"
import { api } from "../data/api.ts"
import { serviceNow } from "../show/clock.ts"
import { fees, latencies, mainCurrency, successByChannel, volume } from "../data/count.ts"
import { type PageOf, useAsked } from "../data/hooks.ts"
import { Empty, Head, Loading, Part, Problem } from "../parts/basics.tsx"
import { type Bar, Meter, Plot } from "../parts/Plot.tsx"
import { major } from "../show/money.ts"
import { count } from "../show/words.ts"
import { Refresh } from "../parts/filters.tsx"

/** How many of each are counted, within a plan's rate limit. */
const MOST = 500

const latest = async <Row extends { readonly id: string }>(
  ask: (after: string | undefined) => Promise<PageOf<Row>>,
): Promise<ReadonlyArray<Row>> => {
  const rows: Array<Row> = []
  for (let hasMore = true; hasMore && rows.length < MOST;) {
    const page = await ask(rows.at(-1)?.id)
    rows.push(...page.data)
    hasMore = page.has_more
  }
  return rows
}

const behind = (id: string | undefined) => (id === undefined ? {} : { starting_after: id })

const ask = async () => {
  const [payments, deliveries] = await Promise.all([
    latest<PaymentIntent>((after) => api.intents.list({ limit: 100, ...behind(after) })),
    latest<WebhookDelivery>((after) =>
      api.webhooks.listDeliveries({ limit: 100, ...behind(after) }),
    ),
  ])
  return { payments, deliveries, now: serviceNow() }
}

const mostOf = (bars: ReadonlyArray<Bar>): string =>
  bars.reduce((most, bar) => (bar.value > most.value ? bar : most)).text

const Days = ({ bars, label }: { readonly bars: ReadonlyArray<Bar>; readonly label: string }) => (
  <Plot label={label} bars={bars} top={mostOf(bars)} />
)

const Plots = ({ deliveries, now, payments }: Awaited<ReturnType<typeof ask>>) => {
  const currency = mainCurrency(payments)
  const taken = volume(payments, currency, now)
  const cost = fees(payments, currency, now)
  const waits = latencies(deliveries)
  const channels = successByChannel(payments)
  return (
    <div class="plots">
      <Part title={`Volume in ${currency}`} text={`${major(taken.total, currency)} paid`}>
        <Days label="Volume of the last 14 days" bars={taken.bars} />
      </Part>
      <Part title={`Fees in ${currency}`} text={`${major(cost.total, currency)} in all`}>
        <Days label="Fees of the last 14 days" bars={cost.bars} />
      </Part>
      <Part title="Paid, by channel" text="of the payments that have ended">
        {channels.length === 0 && <Empty title="No payment has ended yet" />}
        <div class="meters">
          {channels.map(({ all, name, paid }) => (
            <Meter
              key={name}
              name={name}
              share={paid / all}
              isBad={paid / all < 0.5}
              text={`${paid} of ${all} · ${Math.round((100 * paid) / all)}%`}
            />
          ))}
        </div>
      </Part>
      <Part title="Deliveries, by the time that they took" text="from event to answer">
        <Plot
          label="Delivery latency"
          bars={waits}
          top={count(Math.max(...waits.map(({ value }) => value)), "delivery", "deliveries")}
        />
      </Part>
    </div>
  )
}

/** Figures of the account, counted from its latest payments and deliveries. */
export const Overview = () => {
  const { again, error, value } = useAsked(ask, "")
  const counted =
    value === undefined
      ? undefined
      : `Counted from the latest ${count(value.payments.length, "payment")} and ${count(
          value.deliveries.length,
          "delivery",
          "deliveries",
        )}, ${MOST} at most of each. Days are UTC.`
  return (
    <>
      <Head title="Overview" text={counted}>
        <Refresh again={again} />
      </Head>
      {error !== undefined && <Problem text={error} again={again} />}
      {value === undefined ? error === undefined && <Loading rows={8} /> : <Plots {...value} />}
    </>
  )
}
