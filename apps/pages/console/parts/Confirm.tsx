import type { ComponentChildren } from "preact"
import { useMemo } from "preact/hooks"
import { useAct } from "../data/hooks.ts"
import { say } from "../data/said.ts"
import { Dialog, Problem } from "./basics.tsx"

interface ConfirmProps {
  readonly title: string
  /** The action in a few words, such as `Refund 6.99 USD`. */
  readonly label: string
  readonly tone?: "danger" | "usual"
  readonly isReady?: boolean
  readonly children?: ComponentChildren
  /** Runs the action with a key that is the same for each try of this dialog. */
  readonly act: (options: { readonly idempotencyKey: string }) => Promise<unknown>
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Asks for a confirmation, and runs the action once, however often it is tried. */
export const Confirm = (props: ConfirmProps) => {
  const { act, children, isReady = true, label, onClose, onDone, title, tone = "usual" } = props
  const acting = useAct()
  const idempotencyKey = useMemo(() => crypto.randomUUID(), [])
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (acting.isActing || !isReady) return
          void acting
            .act(() => act({ idempotencyKey }))
            .then((isDone) => {
              if (!isDone) return
              say(`${label}: done.`)
              onDone()
            })
        }}
      >
        {children}
        {acting.refusal !== undefined && <Problem text={acting.refusal} />}
        <div class="acts end">
          <button type="button" class="act" onClick={onClose}>
            Not now
          </button>
          <button
            type="submit"
            class={`act ${tone === "danger" ? "danger" : "primary"}`}
            disabled={acting.isActing || !isReady}
          >
            {acting.isActing ? "Working…" : label}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
