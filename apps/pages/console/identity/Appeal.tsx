import { AppealInput } from "../../../../core/kyc/reviews/Appeal.ts"
import { api } from "../data/api.ts"
import { useAsked } from "../data/hooks.ts"
import { typedAt } from "../forms/Draft.ts"
import { Area } from "../forms/fields.tsx"
import { FormDialog } from "../forms/FormDialog.tsx"
import { readBy } from "../forms/issues.ts"
import { Badge, Problem } from "../parts/basics.tsx"
import { day, short } from "../show/words.ts"

const decode = readBy(AppealInput)

interface AppealProps {
  readonly verification_id: string
  readonly agent: string
  readonly onClose: () => void
  readonly onDone: () => void
}

/** A form for an appeal against a rejection. */
export const AskAgain = ({ agent, onClose, onDone, verification_id }: AppealProps) => (
  <FormDialog
    title={`Appeal for ${agent}`}
    initial={{ reason: "" }}
    fixed={{ verification_id }}
    read={(draft) => ({
      body: { verification_id, reason: typedAt(draft, "reason") },
      issues: [],
    })}
    decode={decode}
    send={(input, options) => api.kyc.appeal(input, options)}
    label="Appeal"
    onDone={onDone}
    onClose={onClose}
  >
    <p class="soft">
      A reviewer looks at what was submitted, and at your reason, within 48 hours. Where a document
      was wrong, verify again with the right one instead: that needs no appeal.
    </p>
    <Area name="reason" label="Why the rejection is wrong" isRequired rows={5} />
  </FormDialog>
)

/** Shows the state of an appeal. */
export const AppealState = ({ id }: { readonly id: string }) => {
  const { again, error, value } = useAsked(() => api.kyc.getAppeal(id), id)
  if (error !== undefined) return <Problem text={error} again={again} />
  if (value === undefined) return null
  const { estimated_resolution, message, resolved_at, status } = value
  return (
    <div class="line">
      <Badge status={status} tone={status === "overturned" ? "good" : "plain"} />
      <span>Appeal</span>
      <span class="soft">
        {resolved_at === undefined
          ? `decided by ${short(estimated_resolution)}`
          : `decided ${day(resolved_at)}`}
      </span>
      <p class="soft small line-note">{message}</p>
    </div>
  )
}
