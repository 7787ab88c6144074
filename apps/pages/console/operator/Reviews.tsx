import { useState } from "preact/hooks"
import type {
  KycReviewedAppeal,
  KycReviewedVerification,
  ReviewsListAppealsQuery,
  ReviewsListQuery,
} from "../../../../adapters/http/client/Resources.ts"
import { api } from "../data/api.ts"
import { useListed } from "../data/hooks.ts"
import { Badge, Head } from "../parts/basics.tsx"
import { type Column, List } from "../parts/List.tsx"
import { brief, sentence, short } from "../show/words.ts"

type Verification = KycReviewedVerification & { readonly id: string }
type Appeal = KycReviewedAppeal & { readonly id: string }

const VERIFICATIONS: ReadonlyArray<Column<Verification>> = [
  {
    name: "Agent",
    width: "minmax(160px, 1.6fr)",
    place: "start",
    show: ({ agent_id }) => <strong class="clip">{agent_id}</strong>,
  },
  { name: "State", width: "120px", place: "end", show: ({ status }) => <Badge status={status} /> },
  {
    name: "Level",
    width: "112px",
    place: "below",
    show: ({ compliance_review_required, level }) =>
      `${sentence(level)}${compliance_review_required === true ? " · review" : ""}`,
  },
  {
    name: "Account",
    width: "132px",
    show: (row) => <code class="soft">{brief(row.account_id)}</code>,
  },
  {
    name: "Submitted",
    width: "128px",
    place: "under",
    align: "right",
    show: ({ created_at }) => <time class="soft">{short(created_at)}</time>,
  },
]

const APPEALS: ReadonlyArray<Column<Appeal>> = [
  {
    name: "Appeal",
    width: "minmax(140px, 1fr)",
    place: "start",
    show: ({ appeal_id }) => <code>{brief(appeal_id)}</code>,
  },
  { name: "State", width: "132px", place: "end", show: ({ status }) => <Badge status={status} /> },
  {
    name: "Verification",
    width: "minmax(140px, 1fr)",
    place: "below",
    show: ({ verification_id }) => <code class="soft">{brief(verification_id)}</code>,
  },
  {
    name: "To be decided by",
    width: "140px",
    place: "under",
    align: "right",
    show: ({ estimated_resolution }) => <time class="soft">{short(estimated_resolution)}</time>,
  },
]

const VERIFICATION_STATES = ["pending", "verified", "rejected", "expired"] as const
const APPEAL_STATES = ["under_review", "upheld", "overturned"] as const

interface StatesProps<S extends string> {
  readonly states: ReadonlyArray<S>
  readonly status: S | undefined
  readonly onStatus: (status: S | undefined) => void
  readonly again: () => void
}

const States = <S extends string>({ again, onStatus, states, status }: StatesProps<S>) => (
  <div class="filters">
    <select
      aria-label="State"
      value={status ?? ""}
      onChange={({ currentTarget: { value } }) => onStatus(states.find((known) => known === value))}
    >
      <option value="">Every state</option>
      {states.map((known) => (
        <option key={known} value={known}>
          {sentence(known)}
        </option>
      ))}
    </select>
    <button type="button" class="act" onClick={again}>
      Refresh
    </button>
  </div>
)

/** Verifications of every account, those that wait for a decision first. */
export const Reviews = () => {
  const [status, setStatus] = useState<ReviewsListQuery["status"]>("pending")
  const list = useListed<Verification>(async (starting_after) => {
    const { data, has_more } = await api.reviews.list({
      limit: 100,
      ...(status !== undefined && { status }),
      ...(starting_after !== undefined && { starting_after }),
    })
    return { data: data.map((row) => ({ ...row, id: row.verification_id })), has_more }
  }, status ?? "")
  return (
    <>
      <Head title="Reviews" text="Who agents act for. Opening one is entered in the audit log." />
      <List
        label="Verifications"
        list={list}
        columns={VERIFICATIONS}
        to={({ id }) => `/reviews/${id}`}
        empty="Nobody waits to be verified."
      >
        <States
          states={VERIFICATION_STATES}
          status={status}
          onStatus={setStatus}
          again={list.again}
        />
      </List>
    </>
  )
}

/** Appeals against rejections. */
export const Appeals = () => {
  const [status, setStatus] = useState<ReviewsListAppealsQuery["status"]>("under_review")
  const list = useListed<Appeal>(async (starting_after) => {
    const { data, has_more } = await api.reviews.listAppeals({
      limit: 100,
      ...(status !== undefined && { status }),
      ...(starting_after !== undefined && { starting_after }),
    })
    return { data: data.map((row) => ({ ...row, id: row.appeal_id })), has_more }
  }, status ?? "")
  return (
    <>
      <Head title="Appeals" text="Against rejections. Opening one is entered in the audit log." />
      <List
        label="Appeals"
        list={list}
        columns={APPEALS}
        to={({ id }) => `/appeals/${id}`}
        empty="No appeal waits to be decided."
      >
        <States states={APPEAL_STATES} status={status} onStatus={setStatus} again={list.again} />
      </List>
    </>
  )
}
