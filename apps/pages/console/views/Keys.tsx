import { useMemo, useState } from "preact/hooks"
import type { ApiKey, LogEntry } from "../../../../adapters/http/client/Resources.ts"
import { api } from "../data/api.ts"
import { serviceNow } from "../show/clock.ts"
import { useAsked } from "../data/hooks.ts"
import type { Session } from "../data/session.ts"
import { Acts, type Deed } from "../parts/Acts.tsx"
import { Badge, Head, Loading, Part, Problem } from "../parts/basics.tsx"
import { Confirm } from "../parts/Confirm.tsx"
import { KeyLimits, noLimits, restrictionsOf } from "../parts/KeyLimits.tsx"
import { Secret } from "../parts/Secret.tsx"
import { Table } from "../parts/Table.tsx"
import { money } from "../show/money.ts"
import { brief, count, day, full, short } from "../show/words.ts"

/** The most keys that are shown, within a plan's rate limit. */
const MOST = 1_000

/** Reads the keys, newest first: an old one that still works has to be found here, too. */
const readKeys = async (): Promise<ReadonlyArray<ApiKey>> => {
  const keys: Array<ApiKey> = []
  for await (const key of api.keys.list({ limit: 100 })) {
    keys.push(key)
    if (keys.length >= MOST) break
  }
  return keys
}

const ask = async () => {
  const [keys, log] = await Promise.all([readKeys(), api.accountLog.list({ limit: 50 })])
  return { keys, log: log.data, now: serviceNow() }
}

const stateOf = ({ expires_at, revoked_at, suspended_at }: ApiKey, now: number): string => {
  if (revoked_at !== null) return "revoked"
  if (suspended_at !== null) return "suspended"
  return expires_at !== null && Date.parse(expires_at) <= now ? "expired" : "active"
}

const PERIODS = { daily: "today", weekly: "this week", monthly: "this month", total: "in all" }

const limitsOf = ({ budget_spent, restrictions }: ApiKey): string => {
  if (restrictions === null) return "everything"
  const { addresses, agents, budget, max_amount, routes, services } = restrictions
  const some = (what: string, list: ReadonlyArray<string> | undefined) =>
    list === undefined ? undefined : `${what} ${list.join(", ")}`
  const spent = budget && budget_spent && `${money(budget_spent)} of ${money(budget.amount)} spent`
  const parts = [
    routes?.join(", "),
    some("for", services),
    some("as", agents),
    some("from", addresses),
    max_amount && `${money(max_amount)} at once`,
    budget && `${spent ?? money(budget.amount)} ${PERIODS[budget.period]}`,
  ]
  return parts.filter((part) => part !== undefined).join("; ")
}

/** Returns who has issued a key, or which program a person gave it to. */
const originOf = ({ minted_by, oauth }: ApiKey, keys: ReadonlyArray<ApiKey>): string => {
  const minter = keys.find(({ id }) => id === minted_by)
  const by = minted_by === null ? "first key" : `by ${minter?.hint ?? brief(minted_by)}…`
  return oauth === null ? by : `${by}, for “${oauth.client_name}”`
}

const rollOf = (key: ApiKey, show: (key: string) => void): Deed => ({
  label: "Roll",
  text: "A new key takes its place; the old one goes on for an hour.",
  act: async (options) =>
    show((await api.keys.roll(key.id, { grace_period_seconds: 3600 }, options)).key),
})

const cascadeOf = (key: ApiKey): Deed => ({
  label: "Revoke all",
  text: "It ends at once, with the keys that it has issued and those that these have.",
  tone: "danger",
  act: (options) => api.keys.revoke(key.id, { cascade: true }, options),
})

const deedsOf = (key: ApiKey, own: boolean, show: (key: string) => void): ReadonlyArray<Deed> => [
  // A program renews its own key.
  ...(key.oauth === null ? [rollOf(key, show)] : []),
  {
    label: "Revoke",
    text: own
      ? "You are signed in with this key: your session and its programs end with it."
      : "Every program and session that uses it is refused at once. This cannot be undone.",
    tone: "danger",
    act: (options) => api.keys.revoke(key.id, {}, options),
  },
  // A program issues no keys.
  ...(key.oauth === null ? [cascadeOf(key)] : []),
]

const Log = ({ entries }: { readonly entries: ReadonlyArray<LogEntry> }) => (
  <Table
    label="Log"
    head={["When", "What", "By", "About"]}
    rows={entries.map(({ action, actor, at, id, target }) => ({
      id,
      cells: [
        <time title={full(at)}>{short(at)}</time>,
        <code>{action}</code>,
        <span class="soft">{actor.length > 24 ? brief(actor) : actor}</span>,
        <code class="soft">{brief(target)}</code>,
      ],
    }))}
  />
)

interface KeyTableProps {
  readonly keys: ReadonlyArray<ApiKey>
  readonly now: number
  /** The id of the key of this session. */
  readonly own: string
  readonly show: (key: string) => void
  readonly again: () => void
}

const KeyTable = ({ again, keys, now, own, show }: KeyTableProps) => (
  <Table
    label="Keys"
    head={["Key", "State", "May", "Issued", "Created", "Expires", ""]}
    rows={keys.map((key) => {
      const state = stateOf(key, now)
      return {
        id: key.id,
        cells: [
          <span class="titled">
            <code>{key.hint}…</code>
            {key.id === own && <Badge status="this session" tone="plain" />}
          </span>,
          <Badge status={state} tone={state === "active" ? "good" : "plain"} />,
          limitsOf(key),
          originOf(key, keys),
          day(key.created_at),
          key.expires_at === null ? "never" : day(key.expires_at),
          state === "active" && (
            <Acts about={key.hint} deeds={deedsOf(key, key.id === own, show)} onDone={again} />
          ),
        ],
      }
    })}
  />
)

/** The account's keys, and the changes of its secrets. */
export const Keys = ({ session }: { readonly session: Session }) => {
  const { again, error, value } = useAsked(ask, "")
  const [secret, setSecret] = useState<string>()
  const [isNew, setNew] = useState(false)
  const own = session.role === "operator" ? "" : session.api_key_id
  const made = () => {
    setNew(false)
    again()
  }
  const show = (key: string) => {
    setSecret(key)
    again()
  }
  return (
    <>
      <Head title="API keys" text="A key is shown once, when it is issued.">
        <button type="button" class="act primary" onClick={() => setNew(true)}>
          New key
        </button>
      </Head>
      {error !== undefined && <Problem text={error} again={again} />}
      {value === undefined && error === undefined && <Loading />}
      {value !== undefined && (
        <>
          <Part
            title="Keys"
            text={value.keys.length < MOST ? undefined : `The newest ${count(MOST, "key")}.`}
          >
            <KeyTable {...value} own={own} show={show} again={again} />
          </Part>
          <Part title="Log" text="Every key, secret, endpoint and limit that changed.">
            <Log entries={value.log} />
          </Part>
        </>
      )}
      {isNew && <NewKey onClose={() => setNew(false)} onMade={setSecret} onDone={made} />}
      {secret !== undefined && (
        <Secret
          title="The new key"
          text="Keep it where your program finds it: it is shown this once."
          value={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  )
}

const GROUPS = ["read", "pay", "refund", "manage"] as const

const NewKey = ({
  onClose,
  onDone,
  onMade,
}: {
  readonly onClose: () => void
  readonly onDone: () => void
  readonly onMade: (key: string) => void
}) => {
  const [routes, setRoutes] = useState<ReadonlyArray<(typeof GROUPS)[number]>>(GROUPS)
  const [typed, setTyped] = useState(noLimits(""))
  // Its end is counted from here, so that each try asks for the same.
  const now = useMemo(serviceNow, [])
  const limits = restrictionsOf(typed, now)
  const isAll = routes.length === GROUPS.length
  return (
    <Confirm
      title="Issue a key"
      label="Issue"
      isReady={routes.length > 0 && limits !== undefined}
      act={async (options) => {
        const restrictions = { ...limits, ...(!isAll && { routes }) }
        const input = Object.keys(restrictions).length === 0 ? {} : { restrictions }
        onMade((await api.keys.create(input, options)).key)
      }}
      onClose={onClose}
      onDone={onDone}
    >
      <fieldset class="form">
        <legend class="field-name">What it may do</legend>
        {GROUPS.map((group) => (
          <label key={group} class="check">
            <input
              type="checkbox"
              checked={routes.includes(group)}
              onChange={({ currentTarget: { checked } }) =>
                setRoutes(GROUPS.filter((one) => (one === group ? checked : routes.includes(one))))
              }
            />
            <span>{group}</span>
          </label>
        ))}
      </fieldset>
      <KeyLimits typed={typed} onChange={setTyped} mayStay />
    </Confirm>
  )
}
