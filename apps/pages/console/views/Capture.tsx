import { useId, useState } from "preact/hooks"
import type { PaymentIntent } from "../../../../adapters/http/client/Resources.ts"
import { api } from "../data/api.ts"
import { Confirm } from "../parts/Confirm.tsx"
import { minorOf, money, typable } from "../show/money.ts"
import { captureOf } from "./captureDraft.ts"

interface CaptureProps {
  readonly payment: PaymentIntent
  /** Whether the payment's channel can capture parts; undefined if unknown. */
  readonly inPart: boolean | undefined
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Captures the authorized amount, or a part of it if the channel can. */
export const Capture = ({ inPart, onClose, onDone, payment }: CaptureProps) => {
  const id = useId()
  const { currency } = payment.amount
  const [typed, setTyped] = useState(typable(payment.amount))
  const read = captureOf(payment, inPart, minorOf(typed, currency))
  const isReady = read.problem === undefined
  return (
    <Confirm
      title={`Capture ${money(payment.amount)}?`}
      label={isReady ? `Capture ${money(read.taken)}` : "Capture"}
      isReady={isReady}
      onClose={onClose}
      onDone={onDone}
      act={(options) => api.intents.capture(payment.id, read.input, options)}
    >
      <p>The money that the payer has authorized is taken. It settles by the channel's rules.</p>
      <div class="field amount">
        <label for={id}>Amount in {currency}</label>
        <input
          id={id}
          inputMode="decimal"
          value={typed}
          readOnly={inPart === false}
          aria-invalid={!isReady}
          aria-describedby={`${id}-note`}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <p id={`${id}-note`} class={`small ${isReady ? "soft" : "flaw"}`} aria-live="polite">
          {read.problem ?? read.note}
        </p>
      </div>
    </Confirm>
  )
}
