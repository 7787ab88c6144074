import { useState } from "preact/hooks"
import type {
  Account,
  AccountInput,
  NewAccount,
} from "../../../../adapters/http/client/Resources.ts"
import { api } from "../data/api.ts"
import { useListed } from "../data/hooks.ts"
import { Badge, Head, Id } from "../parts/basics.tsx"
import { Confirm } from "../parts/Confirm.tsx"
import { type Column, List } from "../parts/List.tsx"
import { day, sentence } from "../show/words.ts"
import { Refresh } from "../parts/filters.tsx"

const COLUMNS: ReadonlyArray<Column<Account>> = [
  {
    name: "Name",
    width: "minmax(160px, 2fr)",
    place: "start",
    show: ({ name }) => <strong class="clip">{name}</strong>,
  },
  {
    name: "State",
    width: "112px",
    place: "end",
    show: ({ suspended_at }) => <Badge status={suspended_at === null ? "active" : "suspended"} />,
  },
  {
    name: "Agent",
    width: "minmax(120px, 1fr)",
    place: "below",
    show: ({ agent_id }) => <span class="clip soft">{agent_id}</span>,
  },
  { name: "Kind", width: "80px", show: ({ kind }) => sentence(kind) },
  { name: "Plan", width: "96px", show: ({ plan }) => sentence(plan) },
  {
    name: "Opened",
    width: "112px",
    place: "under",
    align: "right",
    show: ({ created_at }) => <time class="soft">{day(created_at)}</time>,
  },
]

const NOBODY: AccountInput = { name: "", kind: "seller", agent_id: "", plan: "starter" }

interface OpenAccountProps {
  readonly onOpened: (account: NewAccount) => void
  readonly onDone: () => void
  readonly onClose: () => void
}

/** A form that opens an account. Its first key is shown once. */
const OpenAccount = ({ onClose, onDone, onOpened }: OpenAccountProps) => {
  const [input, setInput] = useState(NOBODY)
  const change = (changed: Partial<AccountInput>) => setInput({ ...input, ...changed })
  return (
    <Confirm
      title="Open an account"
      label="Open the account"
      isReady={input.name.trim() !== "" && input.agent_id.trim() !== ""}
      act={async (options) => onOpened(await api.accounts.create(input, options))}
      onDone={onDone}
      onClose={onClose}
    >
      <label class="field">
        <span>Name</span>
        <input
          required
          value={input.name}
          onInput={({ currentTarget }) => change({ name: currentTarget.value })}
        />
      </label>
      <label class="field">
        <span>Agent</span>
        <input
          required
          placeholder="agent_weather"
          value={input.agent_id}
          onInput={({ currentTarget }) => change({ agent_id: currentTarget.value })}
        />
      </label>
      <label class="field">
        <span>Kind</span>
        <select
          value={input.kind}
          onChange={({ currentTarget: { value } }) =>
            change({ kind: value === "buyer" ? "buyer" : "seller" })
          }
        >
          <option value="seller">Seller</option>
          <option value="buyer">Buyer</option>
        </select>
      </label>
    </Confirm>
  )
}

/** Every account, newest first. */
export const Accounts = () => {
  const [kind, setKind] = useState<"" | "seller" | "buyer">("")
  const [isOpening, setOpening] = useState(false)
  const [opened, setOpened] = useState<NewAccount>()
  const list = useListed<Account>(
    (page) =>
      api.accounts.list({
        ...(kind !== "" && { kind }),
        ...page,
      }),
    kind,
  )
  return (
    <>
      <Head title="Accounts" text="Sellers and buyers, their plans and keys.">
        <button type="button" class="act primary" onClick={() => setOpening(true)}>
          Open an account
        </button>
      </Head>
      {opened !== undefined && (
        <div class="secret" role="alert">
          <p>
            {opened.name} is open. Its first key is shown this once: hand it over on a safe way.
          </p>
          <Id value={opened.api_key.key} whole />
        </div>
      )}
      <List
        label="Accounts"
        list={list}
        columns={COLUMNS}
        to={({ id }) => `/accounts/${id}`}
        empty="No account is like that."
      >
        <div class="filters">
          <select
            aria-label="Kind"
            value={kind}
            onChange={({ currentTarget: { value } }) =>
              setKind(value === "seller" || value === "buyer" ? value : "")
            }
          >
            <option value="">Sellers and buyers</option>
            <option value="seller">Sellers</option>
            <option value="buyer">Buyers</option>
          </select>
          <Refresh again={list.again} />
        </div>
      </List>
      {isOpening && (
        <OpenAccount
          onOpened={setOpened}
          onDone={() => {
            setOpening(false)
            list.again()
          }}
          onClose={() => setOpening(false)}
        />
      )}
    </>
  )
}
