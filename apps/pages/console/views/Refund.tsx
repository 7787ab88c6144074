import { useState } from "preact/hooks"
import type {
  PaymentIntent,
  Refund as RefundShown,
} from "../../../../adapters/http/client/Resources.ts"
import { api } from "../data/api.ts"
import { paidOf } from "../data/count.ts"
import { Confirm } from "../parts/Confirm.tsx"
import { minorOf, money, typable } from "../show/money.ts"

interface RefundProps {
  readonly payment: PaymentIntent
  readonly refunds: ReadonlyArray<RefundShown>
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Returns the amount that is neither refunded nor being refunded. */
const leftOf = (payment: PaymentIntent, refunds: RefundProps["refunds"]): number =>
  refunds.reduce(
    (left, refund) => left - (refund.status === "failed" ? 0 : refund.amount.value),
    paidOf(payment).value,
  )

/** Parses `access_token tok_8F3a read:detail`, one target a line. */
const targetsOf = (typed: string) =>
  typed
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([type]) => type !== "" && type !== undefined)
    .map(([type = "", id = "", scope]) => ({ type, id, ...(scope !== undefined && { scope }) }))

/** The typed values of a refund. */
interface Typed {
  readonly amount: string
  readonly reason: string
  readonly targets: string
  readonly isAutomatic: boolean
}

interface FieldsProps {
  readonly typed: Typed
  readonly currency: string
  readonly isReady: boolean
  readonly change: (said: Partial<Typed>) => void
}

const Fields = ({ change, currency, isReady, typed }: FieldsProps) => (
  <>
    <label class="field">
      <span>Amount in {currency}</span>
      <input
        inputMode="decimal"
        value={typed.amount}
        aria-invalid={!isReady}
        onInput={(event) => change({ amount: event.currentTarget.value })}
      />
    </label>
    <label class="field">
      <span>Reason</span>
      <input
        value={typed.reason}
        maxLength={256}
        placeholder="Not delivered"
        onInput={(event) => change({ reason: event.currentTarget.value })}
      />
    </label>
    <label class="field">
      <span>Access to take back: type, id and scope, a line each</span>
      <textarea
        rows={3}
        value={typed.targets}
        placeholder={"access_token tok_8F3a read:detail\nsession s_17"}
        spellcheck={false}
        onInput={(event) => change({ targets: event.currentTarget.value })}
      />
    </label>
    {typed.targets.trim() === "" && (
      <label class="check">
        <input
          type="checkbox"
          checked={typed.isAutomatic}
          onChange={(event) => change({ isAutomatic: event.currentTarget.checked })}
        />
        <span>Take back what the service's policy names</span>
      </label>
    )}
  </>
)

/** Refunds money, and revokes the access that it bought. */
export const Refund = ({ onClose, onDone, payment, refunds }: RefundProps) => {
  const { currency } = payment.amount
  const left = { currency, value: leftOf(payment, refunds) }
  const [typed, setTyped] = useState<Typed>({
    amount: typable(left),
    reason: "",
    targets: "",
    isAutomatic: true,
  })
  const value = minorOf(typed.amount, currency)
  const isReady = value !== undefined && value <= left.value
  const targets = targetsOf(typed.targets)
  const isPart = value !== paidOf(payment).value
  const input = {
    payment_intent: payment.id,
    ...(isPart && value !== undefined && { amount: { currency, value } }),
    ...(typed.reason.trim() !== "" && { reason: typed.reason.trim() }),
    // Targets given here replace the policy, so none are sent if the policy decides.
    ...(targets.length > 0
      ? { revoke: { webhook_notify: true, targets } }
      : !typed.isAutomatic && { revoke: { auto_revoke: false } }),
  }
  return (
    <Confirm
      title="Refund this payment"
      label={isReady ? `Refund ${money({ currency, value })}` : "Refund"}
      tone="danger"
      isReady={isReady}
      onClose={onClose}
      onDone={onDone}
      act={(options) => api.refunds.create(input, options)}
    >
      <p class="soft small">
        {money(left)} of {money(paidOf(payment))} can be refunded. The channel has to confirm it;
        the money then goes back by the way it came.
      </p>
      <Fields
        typed={typed}
        currency={currency}
        isReady={isReady}
        change={(said) => setTyped((was) => ({ ...was, ...said }))}
      />
    </Confirm>
  )
}
