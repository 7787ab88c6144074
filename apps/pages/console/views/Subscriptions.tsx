import type { Invoice, Subscription } from "../../../../adapters/http/client/Resources.ts"
import { api } from "../data/api.ts"
import { useAsked } from "../data/hooks.ts"
import { rowsShown, usePage } from "../show/older.ts"
import { go, Link } from "../data/router.tsx"
import { owes } from "../data/owes.ts"
import type { Session } from "../data/session.ts"
import { Acts, type Deed } from "../parts/Acts.tsx"
import { Badge, Empty, Head, Id, Loading, Part, Problem } from "../parts/basics.tsx"
import { Older } from "./Older.tsx"
import { Table } from "../parts/Table.tsx"
import { money } from "../show/money.ts"
import { day } from "../show/words.ts"

const cancels = ({ id }: Subscription): ReadonlyArray<Deed> => [
  {
    label: "Cancel",
    text: "It ends with its period, and no further one begins. What is owed until then stays owed.",
    tone: "danger",
    act: (options) => api.subscriptions.cancel(id, {}, options),
  },
]

const isCancellable = ({ cancel_at_period_end, status }: Subscription): boolean =>
  status !== "cancelled" && !cancel_at_period_end

/** The account's subscriptions and tabs. */
export const Subscriptions = () => {
  const { asked, path } = usePage()
  const { again, error, value } = useAsked(
    () => api.subscriptions.list(asked),
    String(asked.offset),
  )
  return (
    <>
      <Head title="Subscriptions" text={value && rowsShown(value.data.length, value.pagination)} />
      {error !== undefined && <Problem text={error} again={again} />}
      {value === undefined && error === undefined && <Loading />}
      {value?.pagination.total === 0 && (
        <Empty title="No subscription yet" isWhole>
          A buyer's agent subscribes to a plan of a service; each period is billed and paid here.
        </Empty>
      )}
      {value !== undefined && value.pagination.total > 0 && (
        <Part title="Subscriptions">
          <Table
            label="Subscriptions"
            head={["Plan", "State", "Agent", ">Amount", "Period ends", ""]}
            rows={value.data.map((one) => ({
              id: one.id,
              cells: [
                <span>
                  {one.plan_id} <Id value={one.id} />
                </span>,
                <Badge status={one.cancel_at_period_end ? "ends with its period" : one.status} />,
                one.payer.agent_id,
                `${money(one.amount)} ${one.interval}`,
                day(one.current_period_end),
                isCancellable(one) && (
                  <Acts about={one.plan_id} deeds={cancels(one)} onDone={again} />
                ),
              ],
            }))}
          />
          <Older path={path} at={value.pagination} />
        </Part>
      )}
    </>
  )
}

const pays = ({ amount, id }: Invoice): ReadonlyArray<Deed> => [
  {
    label: "Pay",
    text: `Opens the payment of ${money(amount)}, which its payer approves in a wallet.`,
    act: async (options) => {
      const payment = await api.invoices.pay(id, options)
      go(`/payments/${payment.id}`)
    },
  },
]

const voids = ({ amount, id }: Invoice): ReadonlyArray<Deed> => [
  {
    label: "Void",
    text: `Forgives ${money(amount)}: nobody has to pay it any more. This cannot be undone.`,
    tone: "danger",
    act: (options) => api.invoices.void(id, options),
  },
]

const isOwed = ({ status }: Invoice): boolean => status === "open" || status === "uncollectible"

/** Open and paid invoices. */
export const Invoices = ({ session }: { readonly session: Session }) => {
  const { asked, path } = usePage()
  const { again, error, value } = useAsked(() => api.invoices.list(asked), String(asked.offset))
  return (
    <>
      <Head title="Invoices" text={value && rowsShown(value.data.length, value.pagination)} />
      {error !== undefined && <Problem text={error} again={again} />}
      {value === undefined && error === undefined && <Loading />}
      {value?.pagination.total === 0 && (
        <Empty title="No invoice yet" isWhole>
          Subscriptions and use that is summed up are billed here, at the end of each period.
        </Empty>
      )}
      {value !== undefined && value.pagination.total > 0 && (
        <Part title="Invoices">
          <Table
            label="Invoices"
            head={["Invoice", "State", "Agent", "For", ">Amount", "Due", ""]}
            rows={value.data.map((one) => ({
              id: one.id,
              cells: [
                <Id value={one.id} />,
                <Badge status={one.status} />,
                one.agent_id,
                one.lines.map(({ description }) => description).join(", "),
                money(one.amount),
                day(one.due_at),
                <span class="acts">
                  {one.payment_intent !== null && (
                    <Link to={`/payments/${one.payment_intent}`}>Payment</Link>
                  )}
                  {isOwed(one) && (
                    <Acts
                      about={money(one.amount)}
                      deeds={owes(session, one) ? pays(one) : voids(one)}
                      onDone={again}
                    />
                  )}
                </span>,
              ],
            }))}
          />
          <Older path={path} at={value.pagination} />
        </Part>
      )}
    </>
  )
}
