import { useState } from "preact/hooks"
import type {
  AuditChain,
  AuditEntry,
  AuditListQuery,
} from "../../../../adapters/http/client/Resources.ts"
import { api } from "../data/api.ts"
import { useAct, useAsked, useListed } from "../data/hooks.ts"
import { go, Link, usePlace } from "../data/router.tsx"
import { Facts, Head, Id, Json, Loading, Part, Problem } from "../parts/basics.tsx"
import { type Column, List } from "../parts/List.tsx"
import { brief, everyOne, full, sentence, short } from "../show/words.ts"

type Action = NonNullable<AuditListQuery["action"]>

const ACTIONS = everyOne<Action>({
  "account.created": true,
  "account.plan_changed": true,
  "account.suspended": true,
  "account.resumed": true,
  "api_key.created": true,
  "api_key.suspended": true,
  "api_key.resumed": true,
  "verification.opened": true,
  "verification.approval_proposed": true,
  "verification.approved": true,
  "verification.rejected": true,
  "appeal.opened": true,
  "appeal.upheld": true,
  "appeal.overturn_proposed": true,
  "appeal.overturned": true,
})

const COLUMNS: ReadonlyArray<Column<AuditEntry>> = [
  {
    name: "What",
    width: "minmax(180px, 1.6fr)",
    place: "start",
    show: ({ action }) => <strong>{sentence(action)}</strong>,
  },
  {
    name: "Who",
    width: "minmax(110px, 1fr)",
    place: "below",
    show: ({ actor }) => <span class="clip">{actor.replace(/^operator:/, "")}</span>,
  },
  {
    name: "To what",
    width: "minmax(130px, 1fr)",
    place: "end",
    show: ({ target }) => <code class="soft">{brief(target)}</code>,
  },
  { name: "Place", width: "64px", align: "right", show: ({ sequence }) => sequence },
  {
    name: "Hash",
    width: "100px",
    show: ({ hash }) => <code class="soft">{hash.slice(0, 10)}</code>,
  },
  {
    name: "When",
    width: "128px",
    place: "under",
    align: "right",
    show: ({ at }) => <time class="soft">{short(at)}</time>,
  },
]

/** Hashes the whole log again, and shows the result. */
const Check = () => {
  const [chain, setChain] = useState<AuditChain>()
  const { act, isActing, refusal } = useAct()
  const check = () =>
    act(async () => setChain((await api.audit.list({ verify: true, limit: 1 })).chain))
  return (
    <>
      <button type="button" class="act" disabled={isActing} onClick={() => void check()}>
        {isActing ? "Hashing…" : "Check the whole log"}
      </button>
      {refusal !== undefined && <Problem text={refusal} />}
      {chain !== undefined && (
        <output class={chain.whole ? "secret" : "problem"}>
          {chain.whole
            ? `All ${chain.sequence} entries follow each other, to ${chain.hash.slice(0, 12)}…`
            : `The log does not hold at place ${chain.broken_at ?? 0}.`}
        </output>
      )}
    </>
  )
}

/** One entry, and the hash of the entry before it. */
const Entry = ({ entry }: { readonly entry: AuditEntry }) => (
  <Part title={`${entry.sequence}. ${sentence(entry.action)}`} text={full(entry.at)}>
    <Facts
      of={[
        ["Who", entry.actor],
        ["To what", <Id value={entry.target} whole />],
        ["Request", <Id value={entry.request_id} whole />],
        ["Before", <Id value={entry.previous_hash} whole />],
        ["Hash", <Id value={entry.hash} whole />],
        ["Signature", <Id value={entry.signature} whole />],
      ]}
    />
    <Json value={entry.details} />
  </Part>
)

/** The log's signed heads. Copies kept elsewhere reveal a truncated log. */
const Heads = () => {
  const { again, error, value } = useAsked(() => api.audit.listHeads({ limit: 100 }), "")
  if (value === undefined) {
    return error === undefined ? <Loading /> : <Problem text={error} again={again} />
  }
  const heads = value.data.toReversed()
  return (
    <Part title="Signed heads" text="Where the log ended, once a UTC day. Keep them elsewhere.">
      {heads.length === 0 ? (
        <p class="soft">The first one is signed at the end of the day.</p>
      ) : (
        <div class="scroll">
          <table class="plain">
            <thead>
              <tr>
                <th>When</th>
                <th class="right">Entries</th>
                <th>Hash</th>
              </tr>
            </thead>
            <tbody>
              {heads.map(({ at, hash, sequence }) => (
                <tr key={at}>
                  <td>{short(at)}</td>
                  <td class="right">{sequence}</td>
                  <td>
                    <Id value={hash} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Part>
  )
}

/** The log of operators' actions, newest first, as a chain that entries are only added to. */
export const Audit = ({ id }: { readonly id: string | undefined }) => {
  const { query } = usePlace()
  const target = query.get("target") ?? undefined
  const action = ACTIONS.find((known) => known === query.get("action"))
  const list = useListed<AuditEntry>(
    (page) =>
      api.audit.list({
        ...(target !== undefined && { target }),
        ...(action !== undefined && { action }),
        ...page,
      }),
    `${target ?? ""} ${action ?? ""}`,
  )
  const entry = list.rows.find((row) => row.id === id)
  return (
    <>
      {id !== undefined && (
        <p class="crumb">
          <Link to="/audit">Audit log</Link>
        </p>
      )}
      <Head title="Audit log" text="What operators have done and opened, kept for ever.">
        <Check />
      </Head>
      {entry !== undefined && <Entry entry={entry} />}
      {id === "heads" ? (
        <Heads />
      ) : (
        <List
          label="Entries of the audit log"
          list={list}
          columns={COLUMNS}
          to={(row) => `/audit/${row.id}${target === undefined ? "" : `?target=${target}`}`}
          empty="Nothing was done that is like that."
        >
          <div class="filters">
            <select
              aria-label="What was done"
              value={action ?? ""}
              onChange={({ currentTarget: { value } }) =>
                go(value === "" ? "/audit" : `/audit?action=${value}`, "replace")
              }
            >
              <option value="">Everything that was done</option>
              {ACTIONS.map((known) => (
                <option key={known} value={known}>
                  {sentence(known)}
                </option>
              ))}
            </select>
            {target !== undefined && (
              <button type="button" class="act" onClick={() => go("/audit", "replace")}>
                Only {brief(target)} ×
              </button>
            )}
            <Link to="/audit/heads">Signed heads</Link>
          </div>
        </List>
      )}
    </>
  )
}
