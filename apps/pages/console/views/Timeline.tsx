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

/** How an entry is shown: its sort, a sentence, a state, and what is behind it. */
interface Shown {
  readonly sort: string
  readonly tone: "accent" | "bad" | "good" | "plain"
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

/** The attempts of a delivery, each with what it was answered. */
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

const statusShown = (status: string): Shown => ({
  sort: "State",
  tone: ENDED_BADLY.has(status) ? "bad" : ENDED_WELL.has(status) ? "good" : "accent",
  title: status === "pending" ? "Payment created" : `Payment is ${status.replaceAll("_", " ")}`,
})

const shownOf = (entry: TimelineEntry): Shown => {
  switch (entry.type) {
    case "status":
      return statusShown(entry.status)
    case "channel_request": {
      const { channel_request: request } = entry
      const { action, amount, channel } = request
      return {
        sort: "Channel",
        tone: request.status === "refused" ? "bad" : "plain",
        title: `${sentence(action)} of ${money(amount)} asked of ${channel}`,
        status: request.status,
        note: request.failure,
        more: <Json value={request} />,
      }
    }
    case "refund": {
      const { refund } = entry
      return {
        sort: "Refund",
        tone: refund.status === "failed" ? "bad" : "accent",
        title: `Refund of ${money(refund.amount)}`,
        status: refund.status,
        note: refund.reason ?? undefined,
        more: <Id value={refund.id} whole />,
      }
    }
    case "journal": {
      const [first] = entry.journal
      return {
        sort: "Ledger",
        tone: "plain",
        title: `Booked: ${sentence(first?.kind ?? "nothing").toLowerCase()}`,
        more: <Journal rows={entry.journal} />,
      }
    }
    case "revocation": {
      const { revocation } = entry
      const { status, target_id, target_type } = revocation
      const about = status === "revoked" ? "taken back" : "revocation"
      return {
        sort: "Revocation",
        tone: revocation.status === "failed" ? "bad" : "accent",
        title: `Access ${about}: ${target_type} ${target_id}`,
        status: revocation.status,
        note: revocation.error?.message,
        more: <Json value={revocation} />,
      }
    }
    case "event":
      return {
        sort: "Event",
        tone: "plain",
        title: <code>{entry.event.type}</code>,
        more: <Json value={entry.event} />,
      }
    case "delivery": {
      const { delivery } = entry
      return {
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
      }
    }
  }
}

const keyOf = (entry: TimelineEntry, at: number): string => `${entry.type} ${entry.at} ${at}`

/** Everything that happened, oldest first. */
export const Timeline = ({ entries }: { readonly entries: ReadonlyArray<TimelineEntry> }) => {
  const [first] = entries
  return (
    <ol class="timeline">
      {entries.map((entry, at) => {
        const { more, note, sort, status, title, tone } = shownOf(entry)
        const before = entries[at - 1]
        const isNewDay = before === undefined || day(before.at) !== day(entry.at)
        return (
          <li key={keyOf(entry, at)} class={`moment ${tone}`}>
            {isNewDay && <p class="moment-day">{day(entry.at)}</p>}
            <div class="moment-head">
              <span class="moment-sort">{sort}</span>
              <span class="moment-title">
                {title} {status !== undefined && <Badge status={status} />}
              </span>
              <time
                class="moment-time"
                dateTime={entry.at}
                title={first && later(first.at, entry.at)}
              >
                {clock(entry.at)}
              </time>
            </div>
            {note !== undefined && <p class="moment-note">{note}</p>}
            {more !== undefined && (
              <details>
                <summary>Details</summary>
                {more}
              </details>
            )}
          </li>
        )
      })}
    </ol>
  )
}
