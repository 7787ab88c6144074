import { useRef, useState } from "preact/hooks"
import type {
  WebhookDelivery,
  WebhooksListDeliveriesQuery,
} from "../../../../adapters/http/client/Resources.ts"
import { api } from "../data/api.ts"
import { useAsked, useListed } from "../data/hooks.ts"
import { go, Link, usePlace } from "../data/router.tsx"
import { Badge, Facts, Head, Id, Json, Loading, Part, Problem } from "../parts/basics.tsx"
import { Confirm } from "../parts/Confirm.tsx"
import { type Column, List } from "../parts/List.tsx"
import { everyOne, count, full } from "../show/words.ts"
import { Attempts } from "./Timeline.tsx"
import { CREATED, STATE } from "../show/columns.tsx"
import { Refresh, States } from "../parts/filters.tsx"

type Status = NonNullable<WebhooksListDeliveriesQuery["status"]>

const STATUSES = everyOne<Status>({
  pending: true,
  delivering: true,
  delivered: true,
  failed: true,
  skipped: true,
})

const COLUMNS: ReadonlyArray<Column<WebhookDelivery>> = [
  {
    name: "Event",
    width: "minmax(180px, 1.4fr)",
    place: "start",
    show: ({ event_type }) => <code class="clip">{event_type}</code>,
  },
  STATE,
  {
    name: "Receiver",
    width: "minmax(160px, 2fr)",
    place: "below",
    show: ({ url }) => <span class="clip soft">{url}</span>,
  },
  {
    name: "Attempts",
    width: "72px",
    align: "right",
    isRare: true,
    show: ({ attempts }) => <span class="figure">{attempts.length}</span>,
  },
  CREATED,
]

/** The account's webhook deliveries, newest first. */
export const Deliveries = () => {
  const { query } = usePlace()
  const asked = query.get("status")
  const status = STATUSES.find((known) => known === asked)
  const list = useListed<WebhookDelivery>(
    (page) =>
      api.webhooks.listDeliveries({
        ...(status !== undefined && { status }),
        ...page,
      }),
    status ?? "",
  )
  const shown = count(list.rows.length, "delivery", "deliveries")
  return (
    <>
      <Head title="Deliveries" text={`${shown} ${list.hasMore ? "loaded so far" : "in all"}`} />
      <List
        label="Deliveries"
        list={list}
        columns={COLUMNS}
        to={({ id }) => `/deliveries/${id}`}
        empty="Endpoints are told of events that they enable; services of their payments."
      >
        <div class="filters">
          <States
            states={STATUSES}
            status={status}
            onStatus={(wanted) =>
              go(wanted === undefined ? "/deliveries" : `/deliveries?status=${wanted}`, "replace")
            }
          />
          <Refresh again={list.again} />
        </div>
      </List>
    </>
  )
}

const ask = async (id: string) => {
  const delivery = await api.webhooks.getDelivery(id)
  // An event may be removed from the log before its deliveries.
  const event = await api.events.get(delivery.event_id).catch(() => undefined)
  return { delivery, event }
}

const Body = ({ delivery, event }: Awaited<ReturnType<typeof ask>>) => (
  <div class="columns">
    <div class="aside">
      <Part title="Attempts" text="Each with what the receiver answered.">
        <Attempts delivery={delivery} />
      </Part>
      <Part title="Request" text="What it tells. It goes signed, and encrypted where a key is set.">
        {event === undefined ? (
          <p class="soft">The event has left the log.</p>
        ) : (
          <Json value={{ id: event.id, type: event.type, data: event.data }} />
        )}
      </Part>
    </div>
    <Part title="Delivery">
      <Facts
        of={[
          ["Delivery", <Id value={delivery.id} whole />],
          ["Event", <Id value={delivery.event_id} whole />],
          ["Receiver", delivery.url],
          ["Endpoint", delivery.endpoint_id === null ? "the service's own" : delivery.endpoint_id],
          ["Error", delivery.error],
          ["Created", full(delivery.created_at)],
          ["Next try", delivery.next_attempt_at === null ? null : full(delivery.next_attempt_at)],
          [
            "Repeats",
            delivery.replay_of === null ? null : (
              <Link to={`/deliveries/${delivery.replay_of}`}>an earlier delivery</Link>
            ),
          ],
        ]}
      />
    </Part>
  </div>
)

/** One delivery: the request, and the response. */
export const Delivery = ({ id }: { readonly id: string }) => {
  const { again, error, value } = useAsked(() => ask(id), id)
  const [isAsking, setAsking] = useState(false)
  // After a replay its delivery is shown; the list, which has it first, if its answer was lost.
  const next = useRef("/deliveries")
  if (value === undefined) {
    return error === undefined ? <Loading rows={8} /> : <Problem text={error} again={again} />
  }
  const { delivery } = value
  const isOver = delivery.status !== "pending" && delivery.status !== "delivering"
  return (
    <div class="page">
      <p class="crumb">
        <Link to="/deliveries">Deliveries</Link>
      </p>
      <Head
        title={
          <span class="titled">
            {delivery.event_type} <Badge status={delivery.status} />
          </span>
        }
        text={delivery.url}
      >
        <Refresh again={again} />
        {isOver && (
          <button
            type="button"
            class="act primary"
            onClick={() => {
              next.current = "/deliveries"
              setAsking(true)
            }}
          >
            Replay
          </button>
        )}
      </Head>
      <Body {...value} />
      {isAsking && (
        <Confirm
          title="Deliver this event again?"
          label="Replay"
          act={async (options) => {
            const made = await api.webhooks.replayDelivery(id, options)
            next.current = `/deliveries/${made.id}`
          }}
          onClose={() => setAsking(false)}
          onDone={() => {
            setAsking(false)
            go(next.current)
          }}
        >
          <p>The receiver gets the same event under the same id in a delivery of its own.</p>
        </Confirm>
      )}
    </div>
  )
}
