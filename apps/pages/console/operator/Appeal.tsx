import { useState } from "preact/hooks"
import { api } from "../data/api.ts"
import { useAsked } from "../data/hooks.ts"
import { Link } from "../data/router.tsx"
import type { Session } from "../data/session.ts"
import { Badge, Head, Loading, Part, Problem } from "../parts/basics.tsx"
import { Confirm } from "../parts/Confirm.tsx"
import { sentence, short } from "../show/words.ts"
import { Proposal, useProposal } from "./Review.tsx"
import { About, Submitted } from "./Submitted.tsx"

type Decision = "upheld" | "overturned"

const SAID = {
  upheld: "The rejection stands. The account is told.",
  overturned: "The rejection was wrong: the verification passes, with its limits and channels.",
} as const

/** An appeal with its reason, the verification, and the decision about it. */
export const Appeal = ({ id, session }: { readonly id: string; readonly session: Session }) => {
  const [decision, setDecision] = useState<Decision>()
  const { again, error, value } = useAsked(() => api.reviews.openAppeal(id), id)
  const proposal = useProposal(id, "overturn", `${id} ${value?.updated_at ?? ""}`)
  if (value === undefined) {
    return error === undefined ? <Loading rows={8} /> : <Problem text={error} again={again} />
  }
  const { estimated_resolution, reason, status, verification } = value
  const mayDecide =
    session.role === "operator" && session.roles.includes("review") && status === "under_review"
  const close = () => setDecision(undefined)
  return (
    <div class="page">
      <p class="crumb">
        <Link to="/appeals">Appeals</Link>
      </p>
      <Head
        title={
          <span class="titled">
            {verification.agent_id} <Badge status={status} />
          </span>
        }
        text={`To be decided by ${short(estimated_resolution)}`}
      >
        {mayDecide && (
          <>
            <button type="button" class="act danger" onClick={() => setDecision("upheld")}>
              The rejection stands
            </button>
            <button type="button" class="act primary" onClick={() => setDecision("overturned")}>
              Overturn it
            </button>
          </>
        )}
      </Head>
      {mayDecide && <Proposal proposal={proposal.value} />}
      <div class="columns">
        <div>
          <Part title="Why the rejection is wrong">
            <p class="quoted">{reason ?? "The reason has been erased."}</p>
          </Part>
          <Submitted of={verification} />
        </div>
        <div class="aside">
          <About of={verification} />
        </div>
      </div>
      {decision !== undefined && (
        <Confirm
          title={`${sentence(decision)}?`}
          label={decision === "upheld" ? "The rejection stands" : "Overturn it"}
          tone={decision === "upheld" ? "danger" : "usual"}
          act={() => api.reviews.decideAppeal(id, { decision })}
          onClose={close}
          onDone={() => {
            close()
            again()
            proposal.again()
          }}
        >
          <p>{SAID[decision]}</p>
        </Confirm>
      )}
    </div>
  )
}
