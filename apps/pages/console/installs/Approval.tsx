import { useEffect } from "preact/hooks"
import type { Install } from "../../../../adapters/http/client/Resources.ts"
import { isOpenable } from "../../../../adapters/pages/shared/isOpenable.ts"
import { api } from "../data/api.ts"
import { say } from "../data/said.ts"
import { Id } from "../parts/basics.tsx"
import { Code } from "../parts/Code.tsx"
import { money } from "../show/money.ts"
import { sentence } from "../show/words.ts"

/** How often a pending mandate is read, in milliseconds. */
const LOOK_EVERY = 4_000

/** Calls `then` once the mandate has changed or is no longer pending. */
const useDecision = ({ id, mandate }: Install, then: () => void): void => {
  const asked = mandate?.id
  useEffect(() => {
    let isCurrent = true
    let timer: ReturnType<typeof setTimeout>
    const wait = () => {
      timer = setTimeout(() => void look(), LOOK_EVERY)
    }
    const look = async () => {
      const found = document.hidden ? undefined : await api.installs.get(id).catch(() => undefined)
      if (!isCurrent) return
      const now = found?.mandate
      if (found === undefined || (now?.id === asked && now?.status === "pending")) wait()
      else {
        say(`Automatic payments: ${now == null ? "none" : sentence(now.status)}.`)
        then()
      }
    }
    wait()
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [id, asked])
}

interface ApprovalProps {
  readonly install: Install
  readonly name: string
  /** Called once the person has decided. */
  readonly onDecided: () => void
}

/** Shows how a person approves the agent's payments, until the person has decided. */
export const Approval = ({ install, name, onDecided }: ApprovalProps) => {
  const { auto_pay_limit, mandate } = install
  useDecision(install, onDecided)
  const url = mandate?.approval_url
  return (
    <section class="approval" aria-label={`Approval for ${name}`}>
      {url !== undefined && <Code text={url} label={`QR code to approve payments to ${name}`} />}
      <div class="approval-text">
        <h3>Waits for a person</h3>
        <p>
          {auto_pay_limit === null
            ? "Payments without asking have to be approved in the wallet."
            : `Payments of up to ${money(auto_pay_limit)} without asking have to be approved in ` +
              `the wallet${mandate === null ? "" : ` (${mandate.channel})`}.`}{" "}
          {url === undefined
            ? "The wallet asks its person itself. Until then each payment is asked for."
            : "Scan the code with it, or open the link. Until then each payment is asked for."}
        </p>
        {url !== undefined && (
          <p class="acts">
            {isOpenable(url) && (
              <a class="act primary" href={url} target="_blank" rel="noreferrer">
                Approve<span class="hidden"> payments to {name}, in a new window</span>
              </a>
            )}
            <Id value={url} label="Copy the link" />
          </p>
        )}
      </div>
    </section>
  )
}
