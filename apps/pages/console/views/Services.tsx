import type { ServiceSummary } from "../../../../adapters/http/client/Resources.ts"
import { api } from "../data/api.ts"
import { useAsked } from "../data/hooks.ts"
import { root, type Session } from "../data/session.ts"
import { go, Link } from "../data/router.tsx"
import { Acts, type Deed } from "../parts/Acts.tsx"
import { Badge, Empty, Facts, Head, Id, Loading, Part, Problem } from "../parts/basics.tsx"
import { pricesOf } from "../show/prices.ts"
import { day } from "../show/words.ts"

const STATUSES = ["draft", "active", "paused", "deprecated"] as const

/** Reads the account's own services in each state. */
const ask = async ({ account }: Extract<Session, { readonly account: object }>) => {
  const pages = await Promise.all(
    STATUSES.map((status) => api.services.search({ own: true, status, limit: 100 })),
  )
  const found = await Promise.all(
    pages.flatMap(({ data }) => data.map(({ id }: ServiceSummary) => api.services.get(id))),
  )
  // Only the owner sees the service's webhook endpoint.
  return { account, services: found.filter(({ endpoint }) => endpoint !== undefined) }
}

type Service = Awaited<ReturnType<typeof ask>>["services"][number]

const deedsOf = ({ id, status }: Service): ReadonlyArray<Deed> => {
  const deed = (
    label: string,
    text: string,
    act: Deed["act"],
    tone: Deed["tone"] = "usual",
  ): Deed => ({ label, text, act, tone })
  const deprecate = deed(
    "Deprecate",
    "It takes no new payments and serves the open ones. This cannot be undone.",
    (options) => api.services.deprecate(id, options),
    "danger",
  )
  switch (status) {
    case "draft":
      return [
        deed("Activate", "Buyers find it from now on, and agents can pay it.", (options) =>
          api.services.activate(id, options),
        ),
      ]
    case "active":
      return [
        deed("Pause", "Nobody can pay it until it is resumed. Open payments go on.", (options) =>
          api.services.pause(id, options),
        ),
        deprecate,
      ]
    case "paused":
      return [
        deed("Resume", "Agents can pay it again.", (options) => api.services.resume(id, options)),
        deprecate,
      ]
    case "deprecated":
      return [
        deed(
          "Delete",
          "It goes for good, 30 days after it was deprecated at the earliest.",
          (options) => api.services.delete(id, options),
          "danger",
        ),
      ]
    default:
      return []
  }
}

/** How its codes are made; for a printed code, the sheet. */
const Codes = ({ service: { id, qr_mode, status } }: { readonly service: Service }) =>
  qr_mode === "static" && status === "active" ? (
    <a href={`${root()}/pay/s/${id}/code`}>One to print</a>
  ) : (
    <>{qr_mode === "static" ? "One to print" : "One for each payment"}</>
  )

const Card = ({ again, service }: { readonly service: Service; readonly again: () => void }) => (
  <Part
    title={
      <span class="titled">
        {service.name} <Badge status={service.status} />
      </span>
    }
    text={
      <Acts about={service.name} deeds={deedsOf(service)} onDone={again}>
        {service.status !== "deprecated" && (
          <button type="button" class="act" onClick={() => go(`/services/${service.id}`)}>
            Change<span class="hidden"> {service.name}</span>
          </button>
        )}
      </Acts>
    }
  >
    <p class="lead">{service.description}</p>
    <Facts
      of={[
        ["Service", <Id value={service.id} whole />],
        ["Prices", pricesOf(service).join(", ")],
        ["Channels", service.accepted_channels.join(", ")],
        ["Codes", <Codes service={service} />],
        ["Settles in", service.settlement_currency],
        ["Webhook address", service.endpoint],
        ["Changed", day(service.updated_at)],
      ]}
    />
  </Part>
)

/** The seller's services. */
export const Services = ({ session }: { readonly session: Session }) => {
  const asked = useAsked(
    () => (session.role === "operator" ? Promise.reject(new Error("No account.")) : ask(session)),
    "",
  )
  const { again, error, value } = asked
  return (
    <>
      <Head title="Services" text="What agents find and pay.">
        <button type="button" class="act primary" onClick={() => go("/services/new")}>
          New service
        </button>
      </Head>
      {error !== undefined && <Problem text={error} again={again} />}
      {value === undefined && error === undefined && <Loading />}
      {value?.services.length === 0 && (
        <Empty title="No service yet" isWhole>
          <Link to="/services/new">Register the first</Link>: what it does, what it costs and where
          you are told of its payments.
        </Empty>
      )}
      {value?.services.map((service) => (
        <Card key={service.id} service={service} again={again} />
      ))}
    </>
  )
}
