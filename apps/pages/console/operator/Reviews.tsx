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
import { brief, sentence } from "../show/words.ts"
import { timeColumn } from "../show/columns.tsx"
import { Refresh, States } from "../parts/filters.tsx"

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
  timeColumn("Submitted", ({ created_at }) => created_at, "128px"),
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
  timeColumn("To be decided by", ({ estimated_resolution }) => estimated_resolution, "140px"),
]

const VERIFICATION_STATES = ["pending", "verified", "rejected", "expired"] as const
const APPEAL_STATES = ["under_review", "upheld", "overturned"] as const

/** Verifications of all accounts, those that wait for a decision first. */
export const Reviews = () => {
  const [status, setStatus] = useState<ReviewsListQuery["status"]>("pending")
  const list = useListed<Verification>(async (page) => {
    const { data, has_more } = await api.reviews.list({
      ...(status !== undefined && { status }),
      ...page,
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
        <div class="filters">
          <States
            states={VERIFICATION_STATES}
            status={status}
            onStatus={setStatus}
            show={sentence}
          />
          <Refresh again={list.again} />
        </div>
      </List>
    </>
  )
}

/** Appeals against rejections. */
export const Appeals = () => {
  const [status, setStatus] = useState<ReviewsListAppealsQuery["status"]>("under_review")
  const list = useListed<Appeal>(async (page) => {
    const { data, has_more } = await api.reviews.listAppeals({
      ...(status !== undefined && { status }),
      ...page,
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
        <div class="filters">
          <States states={APPEAL_STATES} status={status} onStatus={setStatus} show={sentence} />
          <Refresh again={list.again} />
        </div>
      </List>
    </>
  )
}
