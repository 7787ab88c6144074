import { useState } from "preact/hooks"
import type { PaymentIntent, RefundRequest } from "../../../../adapters/http/client/Resources.ts"
import { CreateRefundRequestInput } from "../../../../core/refundRequests/RefundRequestInput.ts"
import { api } from "../data/api.ts"
import { paidOf } from "../data/count.ts"
import { useListed } from "../data/hooks.ts"
import type { Session } from "../data/session.ts"
import { Acts, type Deed } from "../parts/Acts.tsx"
import { amountAt, type Draft, type Read, typedAt } from "../forms/Draft.ts"
import { Area, Text } from "../forms/fields.tsx"
import { FormDialog } from "../forms/FormDialog.tsx"
import { readBy } from "../forms/issues.ts"
import { Badge, Facts, Head, Id, Part } from "../parts/basics.tsx"
import { Confirm } from "../parts/Confirm.tsx"
import { type Column, List } from "../parts/List.tsx"
import { money, typable } from "../show/money.ts"
import { count, full } from "../show/words.ts"
import { AMOUNT, PAYMENT, STATE, timeColumn } from "../show/columns.tsx"
import { Refresh } from "../parts/filters.tsx"

const COLUMNS: ReadonlyArray<Column<RefundRequest>> = [
  AMOUNT,
  STATE,
  {
    name: "Reason",
    width: "minmax(140px, 2fr)",
    place: "below",
    show: ({ reason }) => <span class="clip">{reason}</span>,
  },
  PAYMENT,
  timeColumn("Expires", ({ expires_at }) => expires_at),
]

/** Refund requests of buyers, newest first. Each is decided on its payment's page. */
export const RefundRequests = () => {
  const list = useListed<RefundRequest>((page) => api.refundRequests.list(page), "")
  return (
    <>
      <Head title="Refund requests" text={count(list.rows.length, "request")}>
        <Refresh again={list.again} />
      </Head>
      <List
        label="Refund requests"
        list={list}
        columns={COLUMNS}
        to={({ payment_intent }) => `/payments/${payment_intent}`}
        empty="A buyer asks on the page of a payment; its seller has seven days to decide."
      />
    </>
  )
}

interface WordsProps {
  readonly title: string
  readonly label: string
  readonly text: string
  readonly act: (reason: string, options: { readonly idempotencyKey: string }) => Promise<unknown>
  readonly onClose: () => void
  readonly onDone: () => void
}

/** An action with a reason. */
const WithWords = ({ act, label, onClose, onDone, text, title }: WordsProps) => {
  const [reason, setReason] = useState("")
  return (
    <Confirm
      title={title}
      label={label}
      isReady={reason.trim() !== ""}
      act={(options) => act(reason.trim(), options)}
      onClose={onClose}
      onDone={onDone}
    >
      <p class="soft">{text}</p>
      <label class="field">
        <span>Reason</span>
        <input
          value={reason}
          maxLength={256}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
      </label>
    </Confirm>
  )
}

/** Returns each side's actions on an open request that need no reason. */
const deedsOf = ({ amount, id, status }: RefundRequest, { role }: Session): ReadonlyArray<Deed> => {
  if (status !== "open") return []
  if (role === "buyer") {
    const withdraw: Deed["act"] = (options) => api.refundRequests.withdraw(id, options)
    const text = "The seller has nothing to decide any more."
    return [{ label: "Withdraw", text, act: withdraw }]
  }
  const approve: Deed["act"] = (options) => api.refundRequests.approve(id, {}, options)
  const text = `${money(amount)} go back to the payer.`
  return [{ label: "Approve", text, tone: "danger", act: approve }]
}

interface RequestProps {
  readonly request: RefundRequest
  readonly session: Session
  readonly onDone: () => void
}

/** One request, on its payment's page. */
export const Request = ({ onDone, request, session }: RequestProps) => {
  const [isDeclining, setDeclining] = useState(false)
  const close = () => setDeclining(false)
  const mayDecline = request.status === "open" && session.role === "seller"
  const deeds = deedsOf(request, session)
  return (
    <Part
      title={
        <span class="titled">
          Refund request <Badge status={request.status} />
        </span>
      }
    >
      <Facts
        of={[
          ["Amount", money(request.amount)],
          ["Reason", request.reason],
          ["Declined", request.decline_reason],
          ["Refund", request.refund === undefined ? null : <Id value={request.refund} />],
          ["Expires", request.status === "open" ? full(request.expires_at) : null],
        ]}
      />
      {deeds.length > 0 && (
        <p class="part-acts">
          <Acts about="this request" deeds={deeds} onDone={onDone}>
            {mayDecline && (
              <button type="button" class="act" onClick={() => setDeclining(true)}>
                Decline
              </button>
            )}
          </Acts>
        </p>
      )}
      {isDeclining && (
        <WithWords
          title="Decline this request?"
          label="Decline"
          text="The buyer reads your reason. No money moves."
          act={(reason, options) => api.refundRequests.decline(request.id, { reason }, options)}
          onClose={close}
          onDone={() => {
            close()
            onDone()
          }}
        />
      )}
    </Part>
  )
}

interface AskProps {
  readonly payment: PaymentIntent
  readonly onClose: () => void
  readonly onDone: () => void
}

const decode = readBy(CreateRefundRequestInput)

/** Reads the typed request; at most the paid amount. */
const readRequest =
  (payment: PaymentIntent) =>
  (draft: Draft): Read<unknown> => {
    const paid = paidOf(payment)
    const { currency } = paid
    const [value, issues] = amountAt(draft, "amount", currency)
    const most = `must be at most ${money(paid)}, which was paid`
    return {
      body: {
        payment_intent: payment.id,
        amount: { currency, value },
        reason: typedAt(draft, "reason"),
      },
      issues: value > paid.value ? [{ field: "amount", reason: most }] : issues,
    }
  }

/** A form to request a refund from the seller. */
export const AskForRefund = ({ onClose, onDone, payment }: AskProps) => (
  <FormDialog
    title="Ask for a refund"
    initial={{ amount: typable(paidOf(payment)), reason: "" }}
    fixed={{ payment_intent: payment.id }}
    read={readRequest(payment)}
    decode={decode}
    send={(input, options) => api.refundRequests.create(input, options)}
    label="Ask the seller"
    onDone={onDone}
    onClose={onClose}
  >
    <p class="soft">The seller has seven days to approve or decline. No money moves before.</p>
    <Text name="amount" label={`Amount in ${payment.amount.currency}`} look="amount" isRequired />
    <Area name="reason" label="Reason" isRequired hint="The seller reads it." />
  </FormDialog>
)
