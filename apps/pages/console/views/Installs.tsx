import type { Install, PaymentIntent } from "../../../../adapters/http/client/Resources.ts"
import { api } from "../data/api.ts"
import { serviceNow } from "../show/clock.ts"
import { capped } from "../data/count.ts"
import { useAsked } from "../data/hooks.ts"
import { go, Link } from "../data/router.tsx"
import { Approval } from "../installs/Approval.tsx"
import { Acts } from "../parts/Acts.tsx"
import { Badge, Empty, Facts, Head, Id, Loading, Part, Problem } from "../parts/basics.tsx"
import { Meter } from "../parts/Plot.tsx"
import { money } from "../show/money.ts"
import { day } from "../show/words.ts"

type Period = NonNullable<Install["spend_cap"]>["period"]

/** Returns the beginning of the current period: UTC days, weeks from Monday, months. */
const beginningOf = (period: Period, now: Date): string => {
  const [year, month, date] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  if (period === "monthly") return new Date(Date.UTC(year, month, 1)).toISOString()
  const back = period === "weekly" ? (now.getUTCDay() + 6) % 7 : 0
  return new Date(Date.UTC(year, month, date - back)).toISOString()
}

/** How many payments of a period are counted at most. */
const MOST = 300

const COUNTED =
  `What is spent is counted from the period's payments in the cap's currency, ${MOST} at most. ` +
  "A cap counts other currencies, too, and payments that can still be paid."

/** Returns what an install's agent has paid under its cap in the period, counted from payments. */
const spentBy = async ({ agent_id, service_id, spend_cap }: Install) => {
  if (spend_cap === null) return undefined
  const created_after = beginningOf(spend_cap.period, new Date(serviceNow()))
  const found: Array<PaymentIntent> = []
  for await (const payment of api.intents.list({ service_id, created_after, limit: 100 })) {
    found.push(payment)
    if (found.length >= MOST) break
  }
  const { currency, value: most } = spend_cap.amount
  const spent = capped(found, agent_id, currency)
  return { spent, share: most === 0 ? 1 : spent.value / most }
}

const ask = async () => {
  const { data } = await api.installs.list({ limit: 100 })
  return Promise.all(
    data.map(async (install) => {
      const [service, spending] = await Promise.all([
        api.services.get(install.service_id).catch(() => undefined),
        spentBy(install),
      ])
      return { install, spending, name: service?.name ?? install.service_id }
    }),
  )
}

type Shown = Awaited<ReturnType<typeof ask>>[number]

const Mandate = ({ mandate }: Pick<Install, "mandate">) =>
  mandate === null ? (
    "none: each payment is asked for"
  ) : (
    <span class="titled">
      <Badge status={mandate.status} /> <code>{mandate.channel}</code>
    </span>
  )

const Card = ({ again, shown }: { readonly shown: Shown; readonly again: () => void }) => {
  const { install, name, spending } = shown
  const remove = {
    label: "Remove",
    text: "The agent pays this service no more without asking, and the mandate ends.",
    tone: "danger",
    act: (options: { readonly idempotencyKey: string }) => api.installs.delete(install.id, options),
  } as const
  return (
    <Part
      title={name}
      text={
        <Acts about={name} deeds={[remove]} onDone={again}>
          <button type="button" class="act" onClick={() => go(`/installs/${install.id}`)}>
            Change<span class="hidden"> {name}</span>
          </button>
        </Acts>
      }
    >
      <Facts
        of={[
          ["Agent", install.agent_id],
          ["Install", <Id value={install.id} whole />],
          ["Mandate", <Mandate mandate={install.mandate} />],
          [
            "Pays alone",
            install.auto_pay_limit === null ? "nothing" : `up to ${money(install.auto_pay_limit)}`,
          ],
          ["Channels", install.channels.join(", ") || "those of its identity"],
          ["Since", day(install.created_at)],
        ]}
      />
      {install.mandate?.status === "pending" && (
        <Approval install={install} name={name} onDecided={again} />
      )}
      {install.spend_cap !== null && spending !== undefined && (
        <div class="budget">
          <Meter
            name={`Spent, ${install.spend_cap.period}`}
            text={`${money(spending.spent)} of ${money(install.spend_cap.amount)}`}
            share={spending.share}
            isBad={spending.share >= 1}
          />
        </div>
      )}
    </Part>
  )
}

/** The services that the account's agents use, and the agents' limits there. */
export const Installs = () => {
  const { again, error, value } = useAsked(ask, "")
  return (
    <>
      <Head title="Installs" text={COUNTED}>
        <button type="button" class="act primary" onClick={() => go("/installs/new")}>
          Install a service
        </button>
      </Head>
      {error !== undefined && <Problem text={error} again={again} />}
      {value === undefined && error === undefined && <Loading />}
      {value?.length === 0 && (
        <Empty title="No install yet" isWhole>
          <Link to="/installs/new">Install a service</Link> to say what your agent may pay there by
          itself.
        </Empty>
      )}
      {value?.map((shown) => (
        <Card key={shown.install.id} shown={shown} again={again} />
      ))}
    </>
  )
}
