import { find } from "../../../core/channels/Channel.ts"
import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import type { Installation } from "../../../core/ports/Installation.ts"
import { toIso } from "../../../core/shared/Timestamp.ts"
import type { PageRequest } from "../Page.ts"
import { languageQuery } from "../payment/languageQuery.ts"
import { expiryText } from "../shared/expiryText.ts"
import { showMoney } from "../shared/showMoney.ts"
import type { IconName } from "./icons.tsx"
import { Links } from "./Links.ts"
import { walletTexts } from "./messages.ts"
import { isLive, type Phase, phaseOf } from "./Phase.ts"
import { Facts, Payee, Verdict, WalletFrame } from "./WalletFrame.tsx"

/** The properties of a payment in the wallet. */
export interface PaymentProps {
  readonly request: PageRequest
  readonly installation: Pick<Installation["Service"], "catalog" | "currencies">
  readonly intent: PaymentIntent
  /** The name of the paid service. */
  readonly payee: string
  /** The channel of the code, if it names one. */
  readonly channel: string | undefined
  /** The service's time. */
  readonly now: number
}

type Shown = Exclude<Phase, "ask" | "choose">

const LOOKS: {
  readonly [P in Shown]: { readonly icon: IconName; readonly tone: "good" | "bad" | "calm" }
} = {
  elsewhere: { icon: "clock", tone: "calm" },
  approved: { icon: "tick", tone: "calm" },
  paying: { icon: "clock", tone: "calm" },
  paid: { icon: "tick", tone: "good" },
  rejected: { icon: "cross", tone: "bad" },
  poor: { icon: "cross", tone: "bad" },
  failed: { icon: "cross", tone: "bad" },
  expired: { icon: "clock", tone: "bad" },
  cancelled: { icon: "cross", tone: "bad" },
}

/** The seconds after which a browser without scripts reloads, while there is no choice to make. */
const LOOK_AGAIN = 2

const labelOf = ({ catalog }: PaymentProps["installation"], channel: string): string =>
  find(catalog, channel)?.label ?? channel

/** Returns the steps of a payment that is in progress or done, each with whether it is done. */
const stepsOf = (intent: PaymentIntent, phase: Phase) => {
  const facts = intent as { readonly captured_at?: number; readonly succeeded_at?: number }
  const isPaid = phase === "paid"
  const approved = ["approved", isPaid || phase === "paying" || phase === "approved"] as const
  return [
    ["asked", true] as const,
    ...(intent.flow === "request_payment"
      ? [approved, ["taken", isPaid || facts.captured_at !== undefined] as const]
      : []),
    ["paid", isPaid] as const,
  ]
}

const Steps = (props: PaymentProps & { readonly phase: Phase }) => {
  const { pay } = walletTexts[props.request.language]
  return (
    <ol class="steps" aria-label={pay.progress}>
      {stepsOf(props.intent, props.phase).map(([name, isDone]) => (
        <li key={name} class={isDone ? "done" : ""}>
          {pay.steps[name]}
        </li>
      ))}
    </ol>
  )
}

const Terms = (props: PaymentProps) => {
  const { channel, installation, intent, request } = props
  const { pay } = walletTexts[request.language]
  const by = channel ?? intent.channel
  const until = toIso(intent.expires_at)
  const isOpen = phaseOf(intent, channel) === "ask" || phaseOf(intent, channel) === "choose"
  return (
    <Facts
      rows={[
        ...(by === null ? [] : [[pay.with, labelOf(installation, by)] as const]),
        ...(isOpen
          ? [
              [
                pay.before,
                <time key="until" dateTime={until} data-left={pay.left}>
                  {pay.until(expiryText(intent.expires_at, props.now))}
                </time>,
              ] as const,
            ]
          : []),
        [pay.reference, <code key="id">{intent.id.slice(-12)}</code>],
      ]}
    />
  )
}

const Decision = ({ channel, installation, intent, request }: PaymentProps) => {
  const { pay } = walletTexts[request.language]
  const amount = showMoney(intent.amount, installation.currencies, request.locale)
  return (
    <form class="actions" method="post" action={new Links(request).payment(intent.id, channel)}>
      <button class="button" name="action" value="approve">
        {pay.approve(amount)}
      </button>
      <div class="pair">
        <button class="button quiet" name="action" value="reject">
          {pay.reject}
        </button>
        <button class="button quiet" name="action" value="insufficient_balance">
          {pay.poor}
        </button>
      </div>
    </form>
  )
}

const Choice = ({ installation, intent, request }: PaymentProps) => {
  const { pay } = walletTexts[request.language]
  const links = new Links(request)
  return (
    <nav class="choice" aria-labelledby="choose">
      <h2 id="choose">{pay.choose}</h2>
      <p class="soft small">{pay.chooseText}</p>
      <ul>
        {intent.offers.map(({ channel }) => (
          <li key={channel}>
            <a class="button quiet" href={links.payment(intent.id, channel)}>
              {labelOf(installation, channel)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const Sum = ({ installation, intent, request }: PaymentProps) => (
  <div class="sum">
    <p class="amount">{showMoney(intent.amount, installation.currencies, request.locale)}</p>
    <p class="what">
      <bdi>{intent.description}</bdi>
    </p>
  </div>
)

/** The payment that the wallet is asked for, and its state. */
export const PaymentView = (props: PaymentProps) => {
  const { channel, intent, now, payee, request } = props
  const { pay } = walletTexts[request.language]
  const phase = phaseOf(intent, channel)
  const isOpen = phase === "ask" || phase === "choose"
  const said = isOpen ? undefined : pay.phases[phase]
  return (
    <WalletFrame
      request={request}
      title={said?.title ?? pay.title}
      isInner
      isLive={isLive(intent)}
      now={now}
      events={`${request.site.root}/pay/${intent.id}/events`}
      refresh={!isOpen && isLive(intent) ? LOOK_AGAIN : undefined}
    >
      {isOpen || said === undefined ? (
        <h1 class="hidden" tabIndex={-1}>
          {pay.title}
        </h1>
      ) : (
        <Verdict {...LOOKS[phase]} {...said} />
      )}
      <section class="slip">
        <Payee name={payee} text={isOpen ? pay.asks : ""} />
        <Sum {...props} />
        <Terms {...props} />
      </section>
      {phase === "ask" && <Decision {...props} />}
      {phase === "choose" && <Choice {...props} />}
      {(phase === "approved" || phase === "paying" || phase === "paid") && (
        <Steps {...props} phase={phase} />
      )}
      {!isOpen && (
        <a
          class="button quiet"
          href={`${request.site.root}/pay/${intent.id}${languageQuery(request)}`}
        >
          {pay.page}
        </a>
      )}
      {!isLive(intent) && (
        <a class="button quiet" href={new Links(request).home}>
          {pay.again}
        </a>
      )}
    </WalletFrame>
  )
}
