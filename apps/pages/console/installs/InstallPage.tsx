import { useState } from "preact/hooks"
import type { Install, ServiceManifest } from "../../../../adapters/http/client/Resources.ts"
import { InstallInput } from "../../../../core/installs/InstallInput.ts"
import { api } from "../data/api.ts"
import { useAsked } from "../data/hooks.ts"
import { go, Link, usePlace } from "../data/router.tsx"
import type { Session } from "../data/session.ts"
import { Amount, AnyOf, Choice, Text } from "../forms/fields.tsx"
import { Form } from "../forms/Form.tsx"
import { readBy } from "../forms/issues.ts"
import { Empty, Head, Loading, Part, Problem } from "../parts/basics.tsx"
import { pricesOf } from "../show/prices.ts"
import { installDraft, readInstall } from "./installDraft.ts"

const decode = readBy(InstallInput)

const PERIODS = { daily: "a day", weekly: "a week", monthly: "a month" }

const Crumb = () => (
  <p class="crumb">
    <Link to="/installs">Installs</Link>
  </p>
)

/** The fields for the payments that an agent may make by itself. */
const Fields = ({
  channels,
  isNew,
}: {
  readonly channels: Readonly<Record<string, string>>
  readonly isNew: boolean
}) => (
  <>
    <Part title="What it may pay">
      <div class="form">
        <Text name="agent_id" label="Agent" isRequired isFixed={!isNew} />
        <Amount
          name="auto_pay_limit"
          label="Pays alone, up to"
          hint={
            "For each payment. Its person approves this once, in the wallet, as a mandate. " +
            "Without it every payment is asked for."
          }
        />
        <div class="pair">
          <Text
            name="spend_cap.amount.value"
            label="At most in a period"
            look="amount"
            placeholder="0.00"
          />
          <Text name="spend_cap.amount.currency" label="Currency" look="currency" isRequired />
          <Choice name="spend_cap.period" label="Period" isRequired of={PERIODS} />
        </div>
        <Text
          name="budget_alerts"
          label="Tell me when so much is spent"
          placeholder="50, 80"
          hint="In percent of what it may spend in a period, with commas between them."
        />
      </div>
    </Part>
    <Part title="How it pays">
      <div class="form">
        <Choice
          name="channel_preference"
          label="First choice"
          of={{ "": "Whichever the service prefers", ...channels }}
        />
        <AnyOf
          name="channels"
          label="Channels that the agent has"
          hint="None ticked: those that its identity is known by."
          of={channels}
        />
      </div>
    </Part>
  </>
)

const ask = async (service_id: string, install: Install | undefined) => {
  const [{ data: channels }, service] = await Promise.all([
    api.channels.list(),
    api.services.get(service_id),
  ])
  const labels = new Map(channels.map(({ channel, label }) => [channel, label]))
  const accepted = service.accepted_channels.map((id) => [id, labels.get(id) ?? id] as const)
  return { service, install, channels: Object.fromEntries(accepted) }
}

type Asked = Awaited<ReturnType<typeof ask>>

const Settings = ({ agent, asked }: { readonly agent: string; readonly asked: Asked }) => {
  const { channels, install, service } = asked
  return (
    <div class="page narrow-page">
      <Crumb />
      <Head
        title={install === undefined ? `Install ${service.name}` : service.name}
        text={service.description}
      />
      <Form
        initial={installDraft(agent, service, install)}
        read={(draft) => readInstall(draft, Object.keys(channels))}
        decode={decode}
        send={(input, options) => api.installs.put(service.id, input, options)}
        label={install === undefined ? "Install" : "Save the changes"}
        onDone={() => go("/installs")}
        onClose={() => go("/installs")}
      >
        <Fields channels={channels} isNew={install === undefined} />
      </Form>
    </div>
  )
}

const Found = ({
  service,
}: {
  readonly service: Pick<ServiceManifest, "description" | "id" | "name" | "pricing">
}) => (
  <Link to={`/installs/new?service=${service.id}`} class="found">
    <strong>{service.name}</strong>
    <span class="soft clip">{service.description}</span>
    <span class="figure small">{pricesOf(service).slice(0, 2).join(", ")}</span>
  </Link>
)

/** A search for the service to install. */
const Search = () => {
  const [typed, setTyped] = useState("")
  const q = typed.trim()
  const { again, error, value } = useAsked(
    async () => api.services.search({ status: "active", limit: 20, ...(q !== "" && { q }) }),
    q,
  )
  return (
    <div class="page narrow-page">
      <Crumb />
      <Head title="Install a service" text="Choose what your agent uses." />
      <Part title="Services">
        <div class="form">
          <input
            type="search"
            aria-label="Search services"
            placeholder="Search by name, tag or description"
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          {error !== undefined && <Problem text={error} again={again} />}
          {value === undefined && error === undefined && <Loading rows={3} />}
          {value?.data.length === 0 && (
            <Empty title="No service is like that">Try another word.</Empty>
          )}
          <nav class="finds" aria-label="Services found">
            {value?.data.map((service) => (
              <Found key={service.id} service={service} />
            ))}
          </nav>
        </div>
      </Part>
    </div>
  )
}

/** Reads the service of a new install, or an install and its service. */
const askFor = async (id: string, service: string | null) => {
  if (id === "new") return service === null ? undefined : ask(service, undefined)
  const install = await api.installs.get(id)
  return ask(install.service_id, install)
}

/** A form that installs a service for an agent, or changes the install with that id. */
export const InstallPage = ({
  id,
  session,
}: {
  readonly id: string
  readonly session: Session
}) => {
  const service = usePlace().query.get("service")
  const isSearch = id === "new" && service === null
  const { again, error, value } = useAsked(() => askFor(id, service), `${id} ${service ?? ""}`)
  if (isSearch) return <Search />
  if (value === undefined) {
    return error === undefined ? <Loading rows={8} /> : <Problem text={error} again={again} />
  }
  const agent = session.role === "operator" ? "" : session.account.agent_id
  return <Settings agent={agent} asked={value} />
}
