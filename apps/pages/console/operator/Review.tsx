import { useState } from "preact/hooks"
import type { KycOpenedVerification } from "../../../../adapters/http/client/Resources.ts"
import { api } from "../data/api.ts"
import { useAsked } from "../data/hooks.ts"
import { Link } from "../data/router.tsx"
import type { Session } from "../data/session.ts"
import { Badge, Head, Loading, Part, Problem } from "../parts/basics.tsx"
import { Confirm } from "../parts/Confirm.tsx"
import { sentence, short } from "../show/words.ts"
import { About, Submitted } from "./Submitted.tsx"

/** Returns who has proposed higher limits, which needs a second operator. */
export const useProposal = (target: string, action: "approval" | "overturn", about: string) =>
  useAsked(async () => {
    const proposed =
      action === "approval" ? "verification.approval_proposed" : "appeal.overturn_proposed"
    const { data } = await api.audit.list({ target, action: proposed, limit: 1 })
    return data[0] ?? null
  }, about)

/** Says that one operator has approved, and that another has to approve, too. */
export const Proposal = ({
  proposal,
}: {
  readonly proposal: ReturnType<typeof useProposal>["value"]
}) =>
  proposal === null || proposal === undefined ? null : (
    <output class="told">
      {proposal.actor.replace(/^operator:/, "")} has approved on {short(proposal.at)}. What raises
      limits takes two operators: another one has to approve as well.
    </output>
  )

type Decision = "approve" | "reject"

interface DecideProps {
  readonly decision: Decision
  readonly verification: KycOpenedVerification
  readonly onClose: () => void
  readonly onDone: () => void
}

const Decide = ({ decision, onClose, onDone, verification }: DecideProps) => {
  const [reason, setReason] = useState("")
  const { agent_id, level, verification_id } = verification
  const isRejection = decision === "reject"
  return (
    <Confirm
      title={isRejection ? "Reject the verification?" : "Approve the verification?"}
      label={isRejection ? "Reject" : "Approve"}
      tone={isRejection ? "danger" : "usual"}
      isReady={!isRejection || reason.trim() !== ""}
      act={() =>
        api.reviews.decide(verification_id, {
          decision,
          ...(reason.trim() !== "" && { reason: reason.trim() }),
        })
      }
      onClose={onClose}
      onDone={onDone}
    >
      <p>
        {isRejection
          ? `${agent_id} stays where it is. Its account is told why, and may appeal.`
          : `${agent_id} reaches the level ${sentence(level)} with its limits and channels.`}
      </p>
      <label class="field">
        <span>{isRejection ? "Reason, which the account is told" : "Reason, for the log"}</span>
        <textarea
          rows={3}
          required={isRejection}
          value={reason}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </label>
    </Confirm>
  )
}

const UNDECIDED = new Set(["pending", "unverified"])

/** A verification with the submitted data, and the decision about it. */
export const Review = ({ id, session }: { readonly id: string; readonly session: Session }) => {
  const [decision, setDecision] = useState<Decision>()
  const { again, error, value } = useAsked(() => api.reviews.open(id), id)
  const proposal = useProposal(id, "approval", `${id} ${value?.updated_at ?? ""}`)
  if (value === undefined) {
    return error === undefined ? <Loading rows={8} /> : <Problem text={error} again={again} />
  }
  const mayDecide =
    session.role === "operator" && session.roles.includes("review") && UNDECIDED.has(value.status)
  const close = () => setDecision(undefined)
  return (
    <div class="page">
      <p class="crumb">
        <Link to="/reviews">Reviews</Link>
      </p>
      <Head
        title={
          <span class="titled">
            {value.agent_id} <Badge status={value.status} />
          </span>
        }
        text={`To be verified for the level ${sentence(value.level)}`}
      >
        {mayDecide && (
          <>
            <button type="button" class="act danger" onClick={() => setDecision("reject")}>
              Reject
            </button>
            <button type="button" class="act primary" onClick={() => setDecision("approve")}>
              Approve
            </button>
          </>
        )}
      </Head>
      {mayDecide && <Proposal proposal={proposal.value} />}
      <div class="columns">
        <Submitted of={value} />
        <div class="aside">
          <About of={value} />
          {value.appeal_id !== undefined && (
            <Part title="Appeal">
              <Link to={`/appeals/${value.appeal_id}`}>{value.appeal_id}</Link>
            </Part>
          )}
        </div>
      </div>
      {decision !== undefined && (
        <Decide
          decision={decision}
          verification={value}
          onClose={close}
          onDone={() => {
            close()
            again()
            proposal.again()
          }}
        />
      )}
    </div>
  )
}
