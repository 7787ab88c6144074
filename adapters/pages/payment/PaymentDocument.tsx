import type { HostedCode, HostedPayment } from "../../../core/hosted/HostedPayment.ts"
import type { CurrencyTable } from "../../../core/shared/Currency.ts"
import { toIso } from "../../../core/shared/Timestamp.ts"
import type { PageRequest } from "../Page.ts"
import { expiryText } from "../shared/expiryText.ts"
import { Money } from "../shared/Money.tsx"
import { Qr } from "../shared/Qr.tsx"
import { showMoney } from "../shared/showMoney.ts"
import { DemoNext } from "./DemoNext.tsx"
import { Frame } from "./Frame.tsx"
import { Icon } from "./Icon.tsx"
import { isOpenable } from "../shared/isOpenable.ts"
import { cameByCode, languageQuery, paymentQuery } from "./languageQuery.ts"
import { endingOf, paymentTexts } from "./messages.ts"
import { wayBack } from "./wayBack.ts"

/** A payment with its drawn code, if there is one to scan. */
export interface Drawn {
  readonly request: PageRequest
  readonly payment: HostedPayment
  readonly currencies: CurrencyTable
  readonly svg: string | undefined
  /** Whether it is a payment of a sandbox's demo, which also shows what happens behind the page. */
  readonly isDemo: boolean
}

/** How often the page reloads without a script, in seconds. */
const REFRESH = 10

/** Returns `14:32`, or `1:02:05` with hours. */
const clock = (milliseconds: number): string => {
  const seconds = Math.ceil(milliseconds / 1_000)
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60]
  const hours = Math.floor(seconds / 3_600)
  const [minutes = "", rest = ""] = parts.map((part) => String(part).padStart(2, "0"))
  return hours > 0 ? `${hours}:${minutes}:${rest}` : `${minutes}:${rest}`
}

const Countdown = ({ payment, request }: Drawn) => {
  const texts = paymentTexts[request.language]
  const [before, behind] = texts.left
  const iso = toIso(payment.expires_at)
  return (
    <p class="countdown soft small">
      <span class="scripted" hidden>
        {before}
        <span data-left={String(payment.left)}>{clock(payment.left)}</span>
        {behind}
      </span>
      <time class="unscripted" dateTime={iso}>
        {texts.until(expiryText(payment.expires_at, payment.expires_at - payment.left))}
      </time>
    </p>
  )
}

const walletLink = ({ site }: PageRequest, { content }: HostedCode): string =>
  `${site.root}/sandbox/wallet?code=${encodeURIComponent(content)}`

/** One channel's code: to be scanned from another screen, or opened on the same phone. */
const Scan = (drawn: Drawn & { readonly code: HostedCode; readonly svg: string }) => {
  const { code, request, svg } = drawn
  const isSandbox = request.site.mode === "sandbox"
  const texts = paymentTexts[request.language]
  return (
    <section class="step scan">
      <h2 id="step">{texts.scanWith(code.label)}</h2>
      <Qr svg={svg} label={texts.code(code.label)} />
      <Countdown {...drawn} />
      <div class="actions">
        {isSandbox && (
          <a class="button" href={walletLink(request, code)}>
            {texts.wallet}
          </a>
        )}
        {isOpenable(code.content) && (
          <a class={isSandbox ? "button open quiet" : "button open"} href={code.content}>
            {texts.open(code.label)}
          </a>
        )}
        <button
          class="button plain scripted"
          type="button"
          hidden
          data-copy={code.content}
          data-copied={texts.copied}
        >
          {texts.copy}
        </button>
      </div>
    </section>
  )
}

/** The choice among the payment's channels. */
const Choice = (drawn: Drawn) => {
  const { payment, request } = drawn
  const texts = paymentTexts[request.language]
  const action = `${request.site.root}/pay/${payment.id}/channel${paymentQuery(request)}`
  return (
    <section class="step">
      <h2 id="step">{texts.choose}</h2>
      <form class="choices" method="post" action={action}>
        {payment.codes.map(({ channel, label }) => (
          <button key={channel} class="choice" name="channel" value={channel}>
            <span class="mark" aria-hidden="true">
              {label.slice(0, 1)}
            </span>
            <span>{texts.choice(label)}</span>
            <span class="arrow" aria-hidden="true">
              ›
            </span>
          </button>
        ))}
      </form>
      <p class="soft small">{texts.chooseText}</p>
      <Countdown {...drawn} />
    </section>
  )
}

const Back = ({ payment, request }: Drawn) => {
  const back = wayBack(payment.return_url)
  return back === undefined ? null : (
    <a class="button quiet back" href={back.href} rel="noreferrer nofollow">
      {paymentTexts[request.language].back(back.host)}
    </a>
  )
}

/** Leads a payer who has paid nothing back to the printed code by which it came. */
const Again = ({ payment, request }: Drawn) => (
  <a class="button" href={`${request.site.root}/pay/s/${payment.code_of}${languageQuery(request)}`}>
    {paymentTexts[request.language].busy.again}
  </a>
)

const PAID: ReadonlyArray<string> = ["authorized", "captured", "paid"]

/** The outcome of the payment, and the payer's next step. */
const Outcome = (drawn: Drawn & { readonly ending: NonNullable<ReturnType<typeof endingOf>> }) => {
  const { currencies, ending, payment, request } = drawn
  const texts = paymentTexts[request.language]
  const { text, title } = texts.outcomes[ending]
  const isPaid = PAID.includes(ending)
  // Of a payment that could not be settled, the wallet shows first whether the money came back.
  const isUnpaid = !isPaid && payment.ended && ending !== "SETTLEMENT_FAILED"
  const canScan = isUnpaid && payment.code_of !== null && cameByCode(request)
  const next = isPaid ? texts.close : canScan ? texts.scanAgain : texts.again(payment.service)
  const { refunded } = payment
  return (
    <section class="step outcome">
      <Icon kind={ending === "scanning" ? "wait" : isPaid ? "good" : "bad"} />
      <h2 id="step" tabIndex={-1}>
        {title}
      </h2>
      <p>{text}</p>
      {refunded !== null && (
        <p>{texts.refunded(showMoney(refunded, currencies, request.locale))}</p>
      )}
      {ending === "scanning" ? <Countdown {...drawn} /> : <p class="soft small">{next}</p>}
      <div class="actions">
        {canScan && <Again {...drawn} />}
        <Back {...drawn} />
      </div>
      {drawn.isDemo && isPaid && <DemoNext request={request} id={payment.id} ending={ending} />}
    </section>
  )
}

const Step = (drawn: Drawn) => {
  const { payment, request, svg } = drawn
  const ending = endingOf(payment)
  if (ending !== undefined) return <Outcome {...drawn} ending={ending} />
  const [code] = payment.codes
  if (code === undefined) {
    return (
      <section class="step">
        <h2 id="step">{paymentTexts[request.language].preparing}</h2>
      </section>
    )
  }
  return svg === undefined ? <Choice {...drawn} /> : <Scan {...drawn} svg={svg} code={code} />
}

/** The page of a payment (Request Payment, `scan_url`). */
export const PaymentDocument = (drawn: Drawn) => {
  const { currencies, payment, request } = drawn
  const { language, locale } = request
  const texts = paymentTexts[language]
  const amount = showMoney(payment.amount, currencies, locale)
  return (
    <Frame
      request={request}
      title={`${amount} · ${payment.service}`}
      refresh={payment.ended ? undefined : REFRESH}
      script
    >
      <main
        class="pay"
        id="payment"
        data-version={String(payment.version)}
        data-live={payment.ended ? undefined : "true"}
      >
        <div class="card sheet">
          <header class="summary">
            <p class="service" dir="auto">
              {payment.service}
            </p>
            <h1>
              <span class="hidden">{texts.pay} </span>
              <Money amount={payment.amount} currencies={currencies} locale={locale} />
            </h1>
            <p class="what" dir="auto">
              {payment.description}
            </p>
            <dl class="facts small">
              <dt>{texts.to}</dt>
              <dd dir="auto">{payment.payee}</dd>
              <dt>{texts.reference}</dt>
              <dd>
                <code>{payment.id}</code>
              </dd>
            </dl>
          </header>
          <Step {...drawn} />
        </div>
      </main>
      <output class="hidden" id="said" />
    </Frame>
  )
}
