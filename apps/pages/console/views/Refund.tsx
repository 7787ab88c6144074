import { useState } from "preact/hooks"
import type {
  PaymentIntent,
  Refund as RefundShown,
} from "../../../../adapters/http/client/Resources.ts"
import { api } from "../data/api.ts"
import { Confirm } from "../parts/Confirm.tsx"
import { minorOf, money, typable } from "../show/money.ts"

interface RefundProps {
  readonly payment: PaymentIntent
  readonly refunds: ReadonlyArray<RefundShown>
  readonly onClose: () => void
  readonly onDone: () => void
}

/** What has not gone back and is not on its way. */
const leftOf = ({ amount }: PaymentIntent, refunds: RefundProps["refunds"]): number =>
  refunds.reduce(
    (left, refund) => left - (refund.status === "failed" ? 0 : refund.amount.value),
    amount.value,
  )

/** `access_token tok_8F3a read:detail`, a line a target. */
const targetsOf = (typed: string) =>
  typed
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([type]) => type !== "" && type !== undefined)
    .map(([type = "", id = "", scope]) => ({ type, id, ...(scope !== undefined && { scope }) }))

/** Gives money back, and takes the access that it bought. */
export const Refund = ({ onClose, onDone, payment, refunds }: RefundProps) => {
  const { currency } = payment.amount
  const left = { currency, value: leftOf(payment, refunds) }
  const [amount, setAmount] = useState(typable(left))
  const [reason, setReason] = useState("")
  const [targets, setTargets] = useState("")
  const [isAutomatic, setAutomatic] = useState(true)
  const value = minorOf(amount, currency)
  const isReady = value !== undefined && value <= left.value
  const list = targetsOf(targets)
  const isPart = value !== left.value || left.value !== payment.amount.value
  return (
    <Confirm
      title="Refund this payment"
      label={isReady ? `Refund ${money({ currency, value })}` : "Refund"}
      tone="danger"
      isReady={isReady}
      onClose={onClose}
      onDone={onDone}
      act={(options) =>
        api.refunds.create(
          {
            payment_intent: payment.id,
            ...(isPart && value !== undefined && { amount: { currency, value } }),
            ...(reason.trim() !== "" && { reason: reason.trim() }),
            revoke: {
              webhook_notify: true,
              ...(list.length > 0 ? { targets: list } : { auto_revoke: isAutomatic }),
            },
          },
          options,
        )
      }
    >
      <p class="soft small">
        {money(left)} of {money(payment.amount)} can be refunded. The channel has to confirm it; the
        money then goes back by the way it came.
      </p>
      <label class="field">
        <span>Amount in {currency}</span>
        <input
          inputMode="decimal"
          value={amount}
          aria-invalid={!isReady}
          onInput={(event) => setAmount(event.currentTarget.value)}
        />
      </label>
      <label class="field">
        <span>Reason</span>
        <input
          value={reason}
          maxLength={256}
          placeholder="Not delivered"
          onInput={(event) => setReason(event.currentTarget.value)}
        />
      </label>
      <label class="field">
        <span>Access to take back: type, id and scope, a line each</span>
        <textarea
          rows={3}
          value={targets}
          placeholder={"access_token tok_8F3a read:detail\nsession s_17"}
          spellcheck={false}
          onInput={(event) => setTargets(event.currentTarget.value)}
        />
      </label>
      {list.length === 0 && (
        <label class="check">
          <input
            type="checkbox"
            checked={isAutomatic}
            onChange={(event) => setAutomatic(event.currentTarget.checked)}
          />
          <span>Take back what the service's policy names</span>
        </label>
      )}
    </Confirm>
  )
}
