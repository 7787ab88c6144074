import { useState } from "preact/hooks"
import type { WebhookEndpoint } from "../../../../adapters/http/client/Resources.ts"
import { api } from "../data/api.ts"
import { useAsked } from "../data/hooks.ts"
import { go, Link } from "../data/router.tsx"
import { Acts, type Deed } from "../parts/Acts.tsx"
import { Badge, Empty, Facts, Head, Id, Loading, Part, Problem } from "../parts/basics.tsx"
import { Confirm } from "../parts/Confirm.tsx"
import { Secret } from "../parts/Secret.tsx"
import { day } from "../show/words.ts"

type Show = (secret: string) => void

const deedsOf = ({ id, status }: WebhookEndpoint, show: Show): ReadonlyArray<Deed> => [
  {
    label: "Ping",
    text: "Sends an event named ping to this endpoint alone.",
    act: async (options) => {
      const made = await api.webhooks.testEndpoint(id, options)
      go(`/deliveries/${made.id}`)
    },
  },
  status === "enabled"
    ? {
        label: "Disable",
        text: "Deliveries that are due are skipped until it is enabled again.",
        tone: "danger",
        act: (options) => api.webhooks.changeEndpoint(id, { status: "disabled" }, options),
      }
    : {
        label: "Enable",
        text: "It is told of what happens from now on. What was skipped is replayed by hand.",
        act: (options) => api.webhooks.changeEndpoint(id, { status: "enabled" }, options),
      },
  {
    label: "Rotate secret",
    text: "A new secret signs at once; the old one signs beside it for a day.",
    act: async (options) => {
      const input = { endpoint_id: id, reason: "rotated in the console" }
      show((await api.webhooks.rotateSecret(input, options)).secret)
    },
  },
  {
    label: "Delete",
    text: "It is told of nothing any more, and its secret is gone.",
    tone: "danger",
    act: (options) => api.webhooks.deleteEndpoint(id, options),
  },
]

const Card = ({
  again,
  endpoint,
  show,
}: {
  readonly endpoint: WebhookEndpoint
  readonly again: () => void
  readonly show: Show
}) => (
  <Part
    title={
      <span class="titled">
        {endpoint.url} <Badge status={endpoint.status} />
      </span>
    }
    text={<Acts about={endpoint.url} deeds={deedsOf(endpoint, show)} onDone={again} />}
  >
    <Facts
      of={[
        ["Endpoint", <Id value={endpoint.id} whole />],
        ["Description", endpoint.description],
        ["Events", endpoint.enabled_events.join(", ")],
        ["Encrypted", endpoint.encryption.enabled ? "for a key of yours" : "no"],
        ["Disabled", endpoint.disabled_reason],
        ["Created", day(endpoint.created_at)],
      ]}
    />
  </Part>
)

const NewEndpoint = ({
  onClose,
  onDone,
  onMade,
}: {
  readonly onClose: () => void
  readonly onDone: () => void
  readonly onMade: Show
}) => {
  const [url, setUrl] = useState("")
  return (
    <Confirm
      title="Register an endpoint"
      label="Register"
      isReady={URL.canParse(url)}
      act={async (options) => {
        const input = { url: url.trim(), enabled_events: ["*"] as const }
        onMade((await api.webhooks.createEndpoint(input, options)).secret)
      }}
      onClose={onClose}
      onDone={onDone}
    >
      <label class="field">
        <span>Address</span>
        <input
          type="url"
          value={url}
          placeholder="https://shop.example/webhooks"
          onInput={(event) => setUrl(event.currentTarget.value)}
        />
      </label>
      <p class="soft small">It is told of every event that is not opt-in by name.</p>
    </Confirm>
  )
}

/** The account's webhook endpoints, and their secrets. */
export const Endpoints = () => {
  const { again, error, value } = useAsked(() => api.webhooks.listEndpoints({ limit: 100 }), "")
  const [secret, setSecret] = useState<string>()
  const [isNew, setNew] = useState(false)
  const registered = () => {
    setNew(false)
    again()
  }
  const rotate: Deed = {
    label: "Rotate",
    text: "A new secret signs at once; the old one signs beside it for a day.",
    act: async (options) => {
      const made = await api.webhooks.rotateSecret({ reason: "rotated in the console" }, options)
      setSecret(made.secret)
    },
  }
  return (
    <>
      <Head title="Webhooks" text={<Link to="/deliveries">What they were told</Link>}>
        <button type="button" class="act primary" onClick={() => setNew(true)}>
          New endpoint
        </button>
      </Head>
      {error !== undefined && <Problem text={error} again={again} />}
      {value === undefined && error === undefined && <Loading />}
      {value?.data.length === 0 && (
        <Empty title="No endpoint yet">Services are told of their payments all the same.</Empty>
      )}
      {value?.data.map((endpoint) => (
        <Card key={endpoint.id} endpoint={endpoint} again={again} show={setSecret} />
      ))}
      <Part
        title="The account's secret"
        text={<Acts about="the account's secret" deeds={[rotate]} onDone={again} />}
      >
        <p class="soft">It signs what the account's services are told of their payments.</p>
      </Part>
      {isNew && (
        <NewEndpoint onClose={() => setNew(false)} onMade={setSecret} onDone={registered} />
      )}
      {secret !== undefined && (
        <Secret
          title="The new signing secret"
          text="Whoever receives webhooks checks their signatures with it. It is shown this once."
          value={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  )
}
