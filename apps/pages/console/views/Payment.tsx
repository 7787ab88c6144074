import { useState } from "preact/hooks"
import type {
  PaymentIntent,
  PaymentTimeline,
  Refund as RefundShown,
  RefundRequest,
} from "../../../../adapters/http/client/Resources.ts"
import { api } from "../data/api.ts"
import { useAsked } from "../data/hooks.ts"
import { Link } from "../data/router.tsx"
import type { Session } from "../data/session.ts"
import { Badge, Facts, Head, Id, Json, Loading, Part, Problem } from "../parts/basics.tsx"
import { Confirm } from "../parts/Confirm.tsx"
import { money } from "../show/money.ts"
import { full } from "../show/words.ts"
import { Capture } from "./Capture.tsx"
import { Refund } from "./Refund.tsx"
import { AskForRefund, Request } from "./RefundRequests.tsx"
import { Timeline } from "./Timeline.tsx"
import { Refresh } from "../parts/filters.tsx"

type Act = "ask" | "cancel" | "capture" | "refund" | "void"

const REFUNDABLE = new Set(["captured", "succeeded", "completed"])
const UNPAID = new Set(["pending", "qr_generated", "scanning", "authorized"])

/** Returns the actions of the signed-in party on the payment in its state. */
const actsFor = ({ status }: PaymentIntent, { role }: Session): ReadonlyArray<Act> => {
  const isSeller = role === "seller"
  return [
    ...(isSeller && status === "authorized" ? (["capture"] as const) : []),
    ...(isSeller && REFUNDABLE.has(status) ? (["refund"] as const) : []),
    ...(isSeller && UNPAID.has(status) && status !== "authorized" ? (["cancel"] as const) : []),
    ...(UNPAID.has(status) ? (["void"] as const) : []),
    ...(role === "buyer" && REFUNDABLE.has(status) ? (["ask"] as const) : []),
  ]
}

const LABELS = {
  ask: "Ask for a refund",
  capture: "Capture",
  void: "Void",
  cancel: "Cancel",
  refund: "Refund",
} as const

const SAID = {
  void: "The payment ends unpaid. What the payer has authorized is released.",
  cancel: "The payment ends unpaid, and its code can no longer be paid.",
} as const

const feesOf = ({ fees }: PaymentIntent) => {
  if (fees === undefined) return undefined
  return fees === null ? "known once the payer has chosen a channel" : undefined
}

const Overview = ({ payment }: { readonly payment: PaymentIntent }) => (
  <Facts
    of={[
      ["Payment", <Id value={payment.id} whole />],
      ["Captured", payment.captured_amount && money(payment.captured_amount)],
      ["Settlement", `${money(payment.settlement)}, rate ${payment.settlement.rate}`],
      ["Payer", payment.payer.agent_id ?? "anybody"],
      ["Person", payment.payer.human_id],
      ["Payee", payment.payee.agent_id],
      ["Channel", payment.channel === null ? "not chosen yet" : <code>{payment.channel}</code>],
      [
        "Trade",
        payment.channel_txn_id === undefined ? null : <Id value={payment.channel_txn_id} />,
      ],
      ["Service", <Id value={payment.service_id} whole />],
      ["Invoice", payment.invoice],
      ["Fees", feesOf(payment)],
      ["Created", full(payment.created_at)],
      ["Expires", UNPAID.has(payment.status) ? full(payment.expires_at) : null],
      [
        "Failure",
        payment.failure_code === undefined
          ? null
          : `${payment.failure_code}: ${payment.failure_message ?? ""}`,
      ],
    ]}
  />
)

const Fees = ({ payment: { fees } }: { readonly payment: PaymentIntent }) =>
  fees === undefined || fees === null ? null : (
    <Part title="Fees" text="Taken once the payment has succeeded.">
      <Facts
        of={[
          ["Service", money(fees.service)],
          ["Exchange", money(fees.fx_spread)],
          ["Channel", money(fees.channel)],
          ["Together", <strong class="figure">{money(fees.total)}</strong>],
        ]}
      />
    </Part>
  )

interface Known {
  readonly payment: PaymentIntent
  readonly timeline: PaymentTimeline
  readonly refunds: ReadonlyArray<RefundShown>
  readonly requests: ReadonlyArray<RefundRequest>
  /** Whether its channel can capture parts; undefined if nothing can be captured. */
  readonly inPart: boolean | undefined
}

/** Whether the channel of a capturable payment can capture parts. */
const findInPart = async ({ channel, status }: PaymentIntent): Promise<boolean | undefined> => {
  if (status !== "authorized" || channel === null) return undefined
  const { data } = await api.channels.list()
  return data.find((one) => one.channel === channel)?.partial_capture
}

const ask = async (id: string): Promise<Known> => {
  const [payment, timeline, { data: refunds }, { data: requests }] = await Promise.all([
    api.intents.get(id),
    api.intents.timeline(id),
    api.refunds.list({ payment_intent: id, limit: 100 }),
    api.refundRequests.list({ payment_intent: id, limit: 100 }),
  ])
  return { payment, timeline, refunds, requests, inPart: await findInPart(payment) }
}

interface BodyProps extends Known {
  readonly session: Session
  readonly onDone: () => void
}

const Body = ({ onDone, payment, requests, session, timeline }: BodyProps) => (
  <div class="columns">
    <Part title="Timeline" text={timeline.complete ? undefined : "The oldest 200 of each sort."}>
      <Timeline entries={timeline.data} />
    </Part>
    <div class="aside">
      <Part title="Payment">
        <Overview payment={payment} />
      </Part>
      {requests.map((request) => (
        <Request key={request.id} request={request} session={session} onDone={onDone} />
      ))}
      <Fees payment={payment} />
      {payment.metadata !== null && (
        <Part title="Metadata">
          <Json value={payment.metadata} />
        </Part>
      )}
    </div>
  </div>
)

interface ActingProps extends Known {
  readonly act: Act | undefined
  readonly onClose: () => void
  readonly onDone: () => void
}

/** The dialog of an action, which asks for a confirmation. */
const Acting = ({ act, inPart, onClose, onDone, payment, refunds }: ActingProps) => {
  if (act === undefined) return null
  if (act === "refund") {
    return <Refund payment={payment} refunds={refunds} onClose={onClose} onDone={onDone} />
  }
  if (act === "capture") {
    return <Capture payment={payment} inPart={inPart} onClose={onClose} onDone={onDone} />
  }
  if (act === "ask") return <AskForRefund payment={payment} onClose={onClose} onDone={onDone} />
  const label = `${LABELS[act]} ${money(payment.amount)}`
  return (
    <Confirm
      title={`${label}?`}
      label={label}
      tone="danger"
      act={(options) => api.intents[act](payment.id, options)}
      onClose={onClose}
      onDone={onDone}
    >
      <p>{SAID[act]}</p>
    </Confirm>
  )
}

/** A payment and its history. */
export const Payment = ({ id, session }: { readonly id: string; readonly session: Session }) => {
  const [act, setAct] = useState<Act>()
  const { again, error, value } = useAsked(() => ask(id), id)
  if (value === undefined) {
    return error === undefined ? <Loading rows={8} /> : <Problem text={error} again={again} />
  }
  const { payment } = value
  const close = () => setAct(undefined)
  const done = () => {
    close()
    again()
  }
  return (
    <div class="page">
      <p class="crumb">
        <Link to="/payments">Payments</Link>
      </p>
      <Head
        title={
          <span class="titled">
            <span class="figure">{money(payment.amount)}</span> <Badge status={payment.status} />
          </span>
        }
        text={payment.description}
      >
        <Refresh again={again} />
        {actsFor(payment, session).map((possible) => (
          <button
            key={possible}
            type="button"
            class={`act ${possible === "capture" ? "primary" : ""}`}
            onClick={() => setAct(possible)}
          >
            {LABELS[possible]}
          </button>
        ))}
      </Head>
      {error !== undefined && <Problem text={error} again={again} />}
      <Body {...value} session={session} onDone={again} />
      <Acting {...value} act={act} onClose={close} onDone={done} />
    </div>
  )
}
