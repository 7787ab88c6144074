import type { ComponentChildren } from "preact"
import type {
  LedgerEntry,
  TimelineEntry,
  WebhookDelivery,
} from "../../../../adapters/http/client/Resources.ts"
import { Link } from "../data/router.tsx"
import { Badge, Id, Json } from "../parts/basics.tsx"
import { major, money } from "../show/money.ts"
import { clock, day, later, sentence } from "../show/words.ts"

/** How an entry is shown: its kind, a sentence, a state, and its details. */
interface Shown {
  readonly sort: string
  readonly tone: "accent" | "bad" | "good" | "plain"
  /** Whether it is emphasized. */
  readonly isStrong?: boolean
  readonly title: ComponentChildren
  readonly status?: string
  readonly note?: ComponentChildren
  readonly more?: ComponentChildren
}

const Journal = ({ rows }: { readonly rows: ReadonlyArray<LedgerEntry> }) => (
  <table class="plain">
    <thead>
      <tr>
        <th scope="col">Account</th>
        <th scope="col" class="right">
          Debit
        </th>
        <th scope="col" class="right">
          Credit
        </th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ account, amount: { currency, value }, id }) => (
        <tr key={id}>
          <td>{sentence(account)}</td>
          <td class="right figure">{value > 0 ? `${major(value, currency)} ${currency}` : ""}</td>
          <td class="right figure">{value < 0 ? `${major(-value, currency)} ${currency}` : ""}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

/** The attempts of a delivery, each with its response. */
export const Attempts = ({ delivery }: { readonly delivery: WebhookDelivery }) =>
  delivery.attempts.length === 0 ? (
    <p class="soft small">No attempt has been made.</p>
  ) : (
    <ol class="attempts">
      {delivery.attempts.map(({ at, attempt, duration_ms, error, response, status }) => (
        <li key={attempt}>
          <p>
            <Badge
              status={status === null ? "no answer" : String(status)}
              tone={status !== null && status >= 200 && status < 300 ? "good" : "bad"}
            />{" "}
            <span class="soft small">
              attempt {attempt}, {day(at)} {clock(at)}, {duration_ms} ms
            </span>
          </p>
          {error !== undefined && <p class="small">{error}</p>}
          {response !== undefined && response !== "" && <Json value={response} />}
        </li>
      ))}
    </ol>
  )

const ENDED_BADLY = new Set(["failed", "expired", "cancelled", "voided"])
const ENDED_WELL = new Set(["succeeded", "completed"])

const STATES: { readonly [status: string]: string } = {
  pending: "Payment created",
  scanning: "Scanned by the payer",
  authorized: "Authorized by the payer",
}

const statusShown = (status: string): Shown => ({
  sort: "State",
  tone: ENDED_BADLY.has(status) ? "bad" : ENDED_WELL.has(status) ? "good" : "accent",
  isStrong: true,
  title: STATES[status] ?? sentence(status),
})

type Of<Type extends TimelineEntry["type"]> = Extract<TimelineEntry, { readonly type: Type }>

const requestShown = ({ channel_request: request }: Of<"channel_request">): Shown => ({
  sort: "Channel",
  tone: request.status === "refused" ? "bad" : "plain",
  title: `${sentence(request.action)} of ${money(request.amount)} asked of ${request.channel}`,
  status: request.status,
  note: request.failure,
  more: <Json value={request} />,
})

const RESULTS: { readonly [R in Of<"callback">["callback"]["result"]]: string | undefined } = {
  acted_on: undefined,
  nothing_new: "It said nothing new.",
  late: "The money came too late or twice, and goes back.",
  contradicts: "It contradicts what is known: see the reconciliation.",
  refused: "Its channel, amount or trade is not the payment's: see the reconciliation.",
}

const callbackShown = ({ callback }: Of<"callback">): Shown => {
  const { about, channel, last_at, result, status, times } = callback
  const again = times > 1 ? `It came ${times} times, last at ${clock(last_at)}.` : undefined
  const notes = [RESULTS[result], again].filter((note) => note !== undefined)
  return {
    sort: "Callback",
    tone: result === "contradicts" || result === "refused" ? "bad" : "plain",
    title: `${channel} says of the ${about}: ${sentence(status.toLowerCase())}`,
    status: result,
    note: notes.length > 0 ? notes.join(" ") : undefined,
    more: <Json value={callback} />,
  }
}

const refundShown = ({ refund }: Of<"refund">): Shown => ({
  sort: "Refund",
  tone: refund.status === "failed" ? "bad" : "accent",
  isStrong: true,
  title: `Refund of ${money(refund.amount)}`,
  status: refund.status,
  note: refund.reason ?? undefined,
  more: <Id value={refund.id} whole />,
})

const journalShown = ({ journal }: Of<"journal">): Shown => ({
  sort: "Ledger",
  tone: "plain",
  title: `Booked: ${sentence(journal[0]?.kind ?? "nothing").toLowerCase()}`,
  more: <Journal rows={journal} />,
})

const revocationShown = ({ revocation }: Of<"revocation">): Shown => ({
  sort: "Revocation",
  tone: revocation.status === "failed" ? "bad" : "accent",
  isStrong: true,
  title: `Access of ${revocation.target_type} ${revocation.target_id}`,
  status: revocation.status,
  note: revocation.error?.message,
  more: <Json value={revocation} />,
})

const deliveryShown = ({ delivery }: Of<"delivery">): Shown => ({
  sort: "Delivery",
  tone: delivery.status === "failed" ? "bad" : "plain",
  title: (
    <>
      <code>{delivery.event_type}</code> to {new URL(delivery.url).host}
    </>
  ),
  status: delivery.status,
  more: (
    <>
      <Attempts delivery={delivery} />
      <Link to={`/deliveries/${delivery.id}`}>Open the delivery</Link>
    </>
  ),
})

const shownOf = (entry: TimelineEntry): Shown => {
  switch (entry.type) {
    case "status":
      return statusShown(entry.status)
    case "channel_request":
      return requestShown(entry)
    case "callback":
      return callbackShown(entry)
    case "refund":
      return refundShown(entry)
    case "journal":
      return journalShown(entry)
    case "revocation":
      return revocationShown(entry)
    case "delivery":
      return deliveryShown(entry)
    case "event": {
      const { event } = entry
      const title = <code>{event.type}</code>
      return { sort: "Event", tone: "plain", title, more: <Json value={event} /> }
    }
  }
}

const keyOf = (entry: TimelineEntry, at: number): string => `${entry.type} ${entry.at} ${at}`

interface MomentProps {
  readonly entry: TimelineEntry
  readonly first: TimelineEntry
  readonly isNewDay: boolean
}

const Moment = ({ entry, first, isNewDay }: MomentProps) => {
  const { isStrong, more, note, sort, status, title, tone } = shownOf(entry)
  const head = (
    <>
      <span class="moment-sort">{sort}</span>
      <span class="moment-title">
        {title} {status !== undefined && <Badge status={status} />}
      </span>
      <time class="moment-time" dateTime={entry.at} title={later(first.at, entry.at)}>
        {clock(entry.at)}
      </time>
    </>
  )
  return (
    <li class={`moment ${tone} ${isStrong === true ? "strong" : ""} ${isNewDay ? "dated" : ""}`}>
      {isNewDay && <p class="moment-day">{day(entry.at)}</p>}
      {more === undefined ? (
        <div class="moment-head">{head}</div>
      ) : (
        <details>
          <summary class="moment-head">{head}</summary>
          <div class="moment-more">{more}</div>
        </details>
      )}
      {note !== undefined && <p class="moment-note">{note}</p>}
    </li>
  )
}

/** Everything that happened, oldest first. */
export const Timeline = ({ entries }: { readonly entries: ReadonlyArray<TimelineEntry> }) => (
  <ol class="timeline">
    {entries.map((entry, at) => {
      const before = entries[at - 1] ?? entry
      const isNewDay = before === entry || day(before.at) !== day(entry.at)
      const first = entries[0] ?? entry
      return <Moment key={keyOf(entry, at)} entry={entry} first={first} isNewDay={isNewDay} />
    })}
  </ol>
)
