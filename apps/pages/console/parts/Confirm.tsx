import type { ComponentChildren } from "preact"
import { useRef } from "preact/hooks"
import { isOpen } from "../forms/issues.ts"
import { type Keyed, useAct, useKeys } from "../data/hooks.ts"
import { say } from "../data/said.ts"
import { Dialog, Problem } from "./basics.tsx"

interface ConfirmProps {
  readonly title: string
  /** The action in a few words, such as `Refund 6.99 USD`. */
  readonly label: string
  readonly tone?: "danger" | "usual"
  readonly isReady?: boolean
  readonly children?: ComponentChildren
  /** Runs the action, with the same key for each try of this dialog until it has an answer. */
  readonly act: (options: Keyed) => Promise<unknown>
  /**
   * Called after the action, and if the dialog is closed while its outcome is unknown, or before it
   * becomes so.
   */
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Asks for a confirmation, and runs the action once, however often it is tried. */
export const Confirm = (props: ConfirmProps) => {
  const { act, children, isReady = true, label, onClose, onDone, title, tone = "usual" } = props
  const acting = useAct()
  const sendOnce = useKeys()
  const isUnknown = useRef(false)
  const isClosed = useRef(false)
  const close = () => {
    isClosed.current = true
    return isUnknown.current ? onDone() : onClose()
  }
  const send = async () => {
    try {
      return await sendOnce(title, act)
    } catch (error) {
      isUnknown.current ||= isOpen(error)
      throw error
    }
  }
  return (
    <Dialog title={title} onClose={close}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (acting.isActing || !isReady) return
          void acting.act(send).then((isDone) => {
            if (isDone) say(`${label}: done.`)
            // A request whose answer is lost after the dialog was closed may have acted.
            if (isDone || (isClosed.current && isUnknown.current)) onDone()
          })
        }}
      >
        {children}
        {acting.refusal !== undefined && <Problem text={acting.refusal} />}
        <div class="acts end">
          <button type="button" class="act" onClick={close}>
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
