import { find } from "../../../core/channels/Channel.ts"
import type { Mandate } from "../../../core/installs/Mandate.ts"
import type { Installation } from "../../../core/ports/Installation.ts"
import type { PageRequest } from "../Page.ts"
import { showMoney } from "../shared/showMoney.ts"
import { Links } from "./Links.ts"
import { walletTexts } from "./messages.ts"
import { Facts, Payee, Verdict, WalletFrame } from "./WalletFrame.tsx"

/** The properties of a mandate in the wallet. */
export interface MandateProps {
  readonly request: PageRequest
  readonly installation: Pick<Installation["Service"], "catalog" | "currencies">
  readonly mandate: Mandate
  /** The name of the service that would be paid. */
  readonly payee: string
}

const Terms = ({ installation, mandate, request }: MandateProps) => {
  const texts = walletTexts[request.language]
  const { catalog, currencies } = installation
  const { agent_id, auto_pay_limit, channel, spend_cap } = mandate
  const cap =
    spend_cap === null
      ? texts.mandate.noCap
      : `${showMoney(spend_cap.amount, currencies, request.locale)} ` +
        texts.mandate.periods[spend_cap.period]
  return (
    <Facts
      rows={[
        [texts.mandate.upTo, showMoney(auto_pay_limit, currencies, request.locale)],
        [texts.mandate.cap, cap],
        [texts.pay.with, find(catalog, channel)?.label ?? channel],
        [texts.mandate.agent, <bdi key="agent">{agent_id}</bdi>],
      ]}
    />
  )
}

const Decision = ({ mandate, request }: MandateProps) => {
  const texts = walletTexts[request.language].mandate
  return (
    <form class="actions" method="post" action={new Links(request).mandate(mandate.id)}>
      {mandate.status === "pending" ? (
        <>
          <button class="button" name="decision" value="approve">
            {texts.allow}
          </button>
          <button class="button quiet" name="decision" value="reject">
            {texts.refuse}
          </button>
        </>
      ) : (
        <button class="button quiet" name="decision" value="end">
          {texts.end}
        </button>
      )}
    </form>
  )
}

/** The requested mandate, and the person's decision. */
export const MandateView = (props: MandateProps) => {
  const { mandate, payee, request } = props
  const texts = walletTexts[request.language]
  const { active, asks, revoked, text, title } = texts.mandate
  return (
    <WalletFrame request={request} title={title} isInner isLive={mandate.status === "pending"}>
      {mandate.status === "pending" && (
        <Verdict icon="repeat" tone="calm" title={asks} text={text} />
      )}
      {mandate.status === "active" && <Verdict icon="tick" tone="good" {...active} />}
      {mandate.status === "revoked" && <Verdict icon="cross" tone="bad" {...revoked} />}
      <section class="slip">
        <Payee name={payee} text="" />
        <Terms {...props} />
      </section>
      {mandate.status === "revoked" ? (
        <a class="button quiet" href={new Links(request).home}>
          {texts.pay.again}
        </a>
      ) : (
        <Decision {...props} />
      )}
    </WalletFrame>
  )
}
