import { useState } from "preact/hooks"
import type { SimulateInput } from "../../../../adapters/http/client/Resources.ts"
import { api } from "../data/api.ts"
import { useAct, useAsked } from "../data/hooks.ts"
import { go, Link } from "../data/router.tsx"
import { Badge, Empty, Head, Loading, Part, Problem } from "../parts/basics.tsx"
import { Confirm } from "../parts/Confirm.tsx"
import { money } from "../show/money.ts"
import { count, full, short } from "../show/words.ts"

const LEAPS = [
  [60, "1 minute"],
  [900, "15 minutes"],
  [3_600, "1 hour"],
  [86_400, "1 day"],
  [2_592_000, "30 days"],
] as const

/** Moves the clock for everybody, and runs the work that becomes due. */
const Clock = () => {
  const [told, setTold] = useState<{ readonly now: string; readonly ran: number }>()
  const { act, isActing, refusal } = useAct()
  const leap = (seconds: number) =>
    void act(async () => setTold(await api.sandbox.advanceClock({ seconds })))
  return (
    <Part title="Clock" text="It only goes forward, for everybody on this installation.">
      <div class="acts">
        {LEAPS.map(([seconds, name]) => (
          <button
            key={seconds}
            type="button"
            class="act"
            disabled={isActing}
            onClick={() => leap(seconds)}
          >
            + {name}
          </button>
        ))}
      </div>
      {refusal !== undefined && <Problem text={refusal} />}
      <output>
        {told !== undefined &&
          `It is ${full(told.now)}: ${count(told.ran, "piece")} of work fell due.`}
      </output>
    </Part>
  )
}

const ACTIONS = [
  "pay",
  "scan",
  "authorize",
  "reject",
  "insufficient_balance",
  "settle",
  "close",
] as const satisfies ReadonlyArray<SimulateInput["action"]>

/** The wallet actions for the account's latest payments. */
const Wallets = () => {
  const { again, error, value } = useAsked(() => api.intents.list({ limit: 10 }), "")
  const { act, isActing, refusal } = useAct()
  if (value === undefined) {
    return error === undefined ? <Loading /> : <Problem text={error} again={again} />
  }
  const play = (id: string, action: SimulateInput["action"]) =>
    void act(() => api.sandbox.simulate(id, { action })).then(again)
  return (
    <Part title="Wallets" text="What payers do with the ten latest payments.">
      {refusal !== undefined && <Problem text={refusal} />}
      {value.data.length === 0 && <Empty title="There is no payment yet" />}
      <ul class="plays">
        {value.data.map((payment) => (
          <li key={payment.id}>
            <Link to={`/payments/${payment.id}`}>
              <span class="figure">{money(payment.amount)}</span>
            </Link>
            <Badge status={payment.status} />
            <span class="clip soft">{payment.description}</span>
            <select
              aria-label={`What the wallet does: ${payment.description}, ${money(payment.amount)}`}
              value=""
              disabled={isActing}
              onChange={({ currentTarget }) => {
                const action = ACTIONS.find((known) => known === currentTarget.value)
                currentTarget.value = ""
                if (action !== undefined) play(payment.id, action)
              }}
            >
              <option value="">Act …</option>
              {ACTIONS.map((action) => (
                <option key={action} value={action}>
                  {action.replaceAll("_", " ")}
                </option>
              ))}
            </select>
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** Messages that a live service would send to people. */
const Inbox = () => {
  const { again, error, value } = useAsked(() => api.sandbox.listMessages(), "")
  if (value === undefined) {
    return error === undefined ? <Loading /> : <Problem text={error} again={again} />
  }
  return (
    <Part title="Inbox" text="What the account's people would have been sent: codes, mostly.">
      {value.data.length === 0 && <p class="soft">Nobody has been sent anything.</p>}
      <ol class="messages">
        {value.data.toReversed().map(({ channel, id, sent_at, subject, text, to }) => (
          <li key={id}>
            <p>
              <strong>{subject}</strong>
            </p>
            <p>{text}</p>
            <p class="soft small">
              {channel} to {to}, {short(sent_at)}
            </p>
          </li>
        ))}
      </ol>
    </Part>
  )
}

/** Erases the account's records. */
const Reset = () => {
  const [isAsking, setAsking] = useState(false)
  return (
    <Part title="Begin anew" text="The account and its keys stay; everything else of it goes.">
      <button type="button" class="act danger" onClick={() => setAsking(true)}>
        Erase what the account has
      </button>
      {isAsking && (
        <Confirm
          title="Erase everything?"
          label="Erase"
          tone="danger"
          act={() => api.sandbox.reset()}
          onClose={() => setAsking(false)}
          onDone={() => go("/", "replace")}
        >
          <p>Services, payments, installs, identities, endpoints and the log of this account go.</p>
        </Confirm>
      )}
    </Part>
  )
}

/** The controls of the sandbox: time, wallets, and messages to people. */
export const Play = () => (
  <div class="page">
    <Head title="Play" text="Time, payers' wallets, and the messages of this sandbox." />
    <div class="columns">
      <div>
        <Clock />
        <Wallets />
      </div>
      <div class="aside">
        <Inbox />
        <Reset />
      </div>
    </div>
  </div>
)
