import { useState } from "preact/hooks"
import type { Account, ApiKey } from "../../../../adapters/http/client/Resources.ts"
import { api } from "../data/api.ts"
import { serviceNow } from "../show/clock.ts"
import { type Keyed, useAsked } from "../data/hooks.ts"
import { Link } from "../data/router.tsx"
import { Badge, Facts, Head, Id, Loading, Part, Problem } from "../parts/basics.tsx"
import { Confirm } from "../parts/Confirm.tsx"
import { day, full, sentence } from "../show/words.ts"

const PLANS = ["starter", "pro", "enterprise"] as const

/** The operator's next action. */
type Deed =
  | { readonly type: "plan"; readonly plan: Account["plan"] }
  | { readonly type: "suspend" | "resume"; readonly key?: ApiKey }

const stateOf = ({ expires_at, revoked_at, suspended_at }: ApiKey): string => {
  if (revoked_at !== null) return "revoked"
  if (suspended_at !== null) return "suspended"
  return expires_at !== null && Date.parse(expires_at) <= serviceNow() ? "expired" : "active"
}

interface KeysProps {
  readonly keys: ReadonlyArray<ApiKey>
  readonly onDeed: (deed: Deed) => void
}

const Keys = ({ keys, onDeed }: KeysProps) => (
  <Part title="API keys" text="A key that is suspended opens nothing within a second.">
    <div class="scroll">
      <table class="plain">
        <thead>
          <tr>
            <th>Key</th>
            <th>State</th>
            <th>May</th>
            <th>Made</th>
            <th class="right">
              <span class="hidden">What can be done</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => {
            const state = stateOf(key)
            return (
              <tr key={key.id}>
                <td>
                  <code>{key.hint}…</code>
                </td>
                <td>
                  <Badge status={state} {...(state === "revoked" && { tone: "plain" })} />
                </td>
                <td>{key.restrictions?.routes?.join(", ") ?? "everything"}</td>
                <td>{day(key.created_at)}</td>
                <td class="right">
                  {state === "active" && (
                    <button
                      type="button"
                      class="act danger"
                      onClick={() => onDeed({ type: "suspend", key })}
                    >
                      Suspend
                    </button>
                  )}
                  {state === "suspended" && (
                    <button
                      type="button"
                      class="act"
                      onClick={() => onDeed({ type: "resume", key })}
                    >
                      Resume
                    </button>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  </Part>
)

/** Each try of a deed has its key, so that a late repetition does not undo what came after it. */
const perform = (id: string, deed: Deed, options: Keyed): Promise<unknown> => {
  if (deed.type === "plan") return api.accounts.changePlan(id, { plan: deed.plan })
  if (deed.key !== undefined) {
    return deed.type === "suspend"
      ? api.accounts.suspendKey(id, deed.key.id, {}, options)
      : api.accounts.resumeKey(id, deed.key.id, {}, options)
  }
  return deed.type === "suspend"
    ? api.accounts.suspend(id, options)
    : api.accounts.resume(id, options)
}

const wordsFor = (account: Account, deed: Deed): readonly [label: string, text: string] => {
  if (deed.type === "plan") {
    return [
      `Move to ${sentence(deed.plan)}`,
      `${account.name} moves to the plan at once: its limits and its price are those of the plan.`,
    ]
  }
  const what = deed.key === undefined ? account.name : `The key ${deed.key.hint}…`
  return deed.type === "suspend"
    ? ["Suspend", `${what} is refused within a second. Nothing else of it changes.`]
    : ["Resume", `${what} is let in again.`]
}

/** The account's facts, and the actions on all of it. */
const AccountHead = ({
  account,
  onDeed,
}: {
  readonly account: Account
  readonly onDeed: (deed: Deed) => void
}) => {
  const isSuspended = account.suspended_at !== null
  return (
    <Head
      title={
        <span class="titled">
          {account.name} <Badge status={isSuspended ? "suspended" : "active"} />
        </span>
      }
      text={`${sentence(account.kind)}, ${sentence(account.plan)} plan`}
    >
      <select
        aria-label="Plan"
        value={account.plan}
        onChange={({ currentTarget }) => {
          const plan = PLANS.find((known) => known === currentTarget.value)
          currentTarget.value = account.plan
          if (plan !== undefined) onDeed({ type: "plan", plan })
        }}
      >
        {PLANS.map((plan) => (
          <option key={plan} value={plan}>
            {sentence(plan)}
          </option>
        ))}
      </select>
      <button
        type="button"
        class={`act ${isSuspended ? "" : "danger"}`}
        onClick={() => onDeed({ type: isSuspended ? "resume" : "suspend" })}
      >
        {isSuspended ? "Resume the account" : "Suspend the account"}
      </button>
    </Head>
  )
}

/** An account with its plan and keys. */
export const AccountPage = ({ id }: { readonly id: string }) => {
  const [deed, setDeed] = useState<Deed>()
  const { again, error, value } = useAsked(async () => {
    const [account, keys] = await Promise.all([
      api.accounts.get(id),
      api.accounts.listKeys(id, { limit: 100 }),
    ])
    return { account, keys: keys.data }
  }, id)
  if (value === undefined) {
    return error === undefined ? <Loading rows={8} /> : <Problem text={error} again={again} />
  }
  const { account, keys } = value
  const close = () => setDeed(undefined)
  const [label, text] = deed === undefined ? ["", ""] : wordsFor(account, deed)
  return (
    <div class="page">
      <p class="crumb">
        <Link to="/accounts">Accounts</Link>
      </p>
      <AccountHead account={account} onDeed={setDeed} />
      <div class="columns">
        <Keys keys={keys} onDeed={setDeed} />
        <div class="aside">
          <Part title="Account">
            <Facts
              of={[
                ["Account", <Id value={account.id} whole />],
                ["Agent", account.agent_id],
                ["Merchant", account.merchant_account],
                ["Opened", full(account.created_at)],
                ["Suspended", account.suspended_at && full(account.suspended_at)],
                ["Log", <Link to={`/audit?target=${account.id}`}>What operators did to it</Link>],
              ]}
            />
          </Part>
        </div>
      </div>
      {deed !== undefined && (
        <Confirm
          title={`${label}?`}
          label={label}
          tone={deed.type === "suspend" ? "danger" : "usual"}
          act={(options) => perform(id, deed, options)}
          onClose={close}
          onDone={() => {
            close()
            again()
          }}
        >
          <p>{text}</p>
        </Confirm>
      )}
    </div>
  )
}
