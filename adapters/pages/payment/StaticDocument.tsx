import type { OpenAmount } from "../../../core/registry/Pricing.ts"
import type { StaticCode } from "../../../core/hosted/StaticCode.ts"
import type { CurrencyTable } from "../../../core/shared/Currency.ts"
import { toMajor } from "../../../core/shared/Money.ts"
import type { PageRequest } from "../Page.ts"
import { Money } from "../shared/Money.tsx"
import { Qr } from "../shared/Qr.tsx"
import { showMoney } from "../shared/showMoney.ts"
import { Frame } from "./Frame.tsx"
import { Icon } from "./Icon.tsx"
import { codeQuery } from "./languageQuery.ts"
import { paymentTexts } from "./messages.ts"
import { priceText } from "./priceText.ts"

/** A printed code, and the name of the next request. */
export interface Scanned {
  readonly request: PageRequest
  readonly code: StaticCode
  readonly currencies: CurrencyTable
  readonly attempt: string
  /** Whether a payment was requested and could not be made. */
  readonly failed: boolean
  /** The typed text, if it is no amount that the seller accepts. */
  readonly refused?: string | undefined
}

/** The form of a decimal in major units, which browsers check before the service does. */
const decimalOf = (exponent: number): string =>
  exponent === 0 ? "[0-9]{1,12}" : `[0-9]{1,12}([.][0-9]{1,${exponent}})?`

/** Returns an accepted amount as it is typed: 12 and a half, or the nearest bound. */
const exampleOf = ({ currency, maximum, minimum = 1 }: OpenAmount, exponent: number): string => {
  const usual = Math.floor(12.5 * 10 ** exponent)
  const value = Math.min(Math.max(usual, minimum), maximum ?? Number.MAX_SAFE_INTEGER)
  return toMajor({ currency, value }, { code: currency, exponent })
}

/** The field for an amount that the payer chooses. */
const Typed = ({
  currencies,
  open,
  refused,
  request,
}: Pick<Scanned, "currencies" | "refused" | "request"> & { readonly open: OpenAmount }) => {
  const texts = paymentTexts[request.language]
  const { maximum, minimum } = open
  const show = (value: number | undefined) =>
    value === undefined
      ? ""
      : showMoney({ currency: open.currency, value }, currencies, request.locale)
  const [least, most] = [show(minimum), show(maximum)]
  const exponent = currencies.get(open.currency)?.exponent ?? 0
  const hint = texts.typeOne(least, most, exampleOf(open, exponent))
  return (
    <div class="choice typed">
      <label class="pick">
        <input type="radio" name="price" value="open" checked={refused !== undefined} />
        <span>{texts.other}</span>
      </label>
      <span class="own">
        <input
          class="amount"
          name="amount"
          inputMode="decimal"
          autoComplete="off"
          pattern={decimalOf(exponent)}
          maxLength={16}
          placeholder={exponent === 0 ? "0" : `0.${"0".repeat(exponent)}`}
          aria-label={texts.otherIn(open.currency)}
          title={hint}
          value={refused}
          aria-invalid={refused === undefined ? undefined : true}
          aria-describedby={refused === undefined ? undefined : "flaw"}
        />
        <span class="code">{open.currency}</span>
      </span>
      {refused !== undefined && (
        <span class="small bounds flaw" id="flaw" role="alert">
          {hint}
        </span>
      )}
      {refused === undefined && (least !== "" || most !== "") && (
        <span class="soft small bounds">{`${least} – ${most}`}</span>
      )}
    </div>
  )
}

const Prices = ({ code, currencies, refused, request }: Scanned) => (
  <fieldset class="prices">
    <legend>
      <h2>{paymentTexts[request.language].pick}</h2>
    </legend>
    {code.prices.map(({ amount: value, currency, label }, n) => (
      <label key={n} class="choice">
        <input
          type="radio"
          name="price"
          value={priceText({ label, amount: { currency, value } })}
          checked={n === 0 && refused === undefined}
          required
        />
        <span dir="auto">{label}</span>
        <Money amount={{ currency, value }} currencies={currencies} locale={request.locale} />
      </label>
    ))}
    {code.open !== null && <Typed {...{ request, currencies, refused }} open={code.open} />}
  </fieldset>
)

/** The page of a printed code. No payment is made before the payer confirms. */
export const StaticDocument = (scanned: Scanned) => {
  const { attempt, code, currencies, failed, request } = scanned
  const { language, locale, path, query, site } = request
  const texts = paymentTexts[language]
  const [only, other] = code.prices
  const single = other === undefined && only !== undefined && code.open === null
  const offer = single
    ? { label: only.label, amount: { currency: only.currency, value: only.amount } }
    : undefined
  const price = offer?.amount
  const action = `${site.root}${path}${codeQuery(request)}`
  return (
    <Frame request={request} title={`${texts.pay} · ${code.service}`} script={code.open !== null}>
      <main class="pay" id="payment">
        <form class="card sheet" method="post" action={action}>
          <header class="summary">
            <h1 class="service" dir="auto">
              {code.service}
            </h1>
            {price !== undefined && (
              <p class="total">
                <Money amount={price} currencies={currencies} locale={locale} />
              </p>
            )}
            <p class="what" dir="auto">
              {single ? only.label : code.description}
            </p>
            <dl class="facts small">
              <dt>{texts.to}</dt>
              <dd dir="auto">{code.payee}</dd>
            </dl>
          </header>
          <section class="step">
            {failed && (
              <p class="problem" role="alert">
                {texts.notNow}
              </p>
            )}
            {offer === undefined ? (
              <Prices {...scanned} />
            ) : (
              <input type="hidden" name="price" value={priceText(offer)} />
            )}
            <input type="hidden" name="attempt" value={attempt} />
            {query.get("channel") !== null && (
              <input type="hidden" name="channel" value={query.get("channel") ?? ""} />
            )}
            <button class="button wide">
              {price === undefined
                ? texts.continue
                : texts.payNow(showMoney(price, currencies, locale))}
            </button>
            <p class="soft small">{texts.making}</p>
          </section>
        </form>
      </main>
    </Frame>
  )
}

/** The page of a code with so many open payments that the payer must wait. */
export const BusyDocument = ({
  code,
  minutes,
  request,
}: Pick<Scanned, "code" | "request"> & { readonly minutes: number }) => {
  const { busy } = paymentTexts[request.language]
  const { path, site } = request
  return (
    <Frame request={request} title={`${busy.title} · ${code.service}`}>
      <main class="pay" id="payment">
        <div class="card sheet printed">
          <Icon kind="wait" />
          <h1>{busy.title}</h1>
          <p>{busy.text(code.service)}</p>
          <p class="soft">{busy.wait(minutes)}</p>
          <a class="button wide" href={`${site.root}${path}${codeQuery(request)}`}>
            {busy.again}
          </a>
        </div>
      </main>
    </Frame>
  )
}

/** The page of a paused service. It says nothing of the service, which is not public meanwhile. */
export const PausedDocument = ({ request }: Pick<Scanned, "request">) => {
  const { paused } = paymentTexts[request.language]
  return (
    <Frame request={request} title={paused.title}>
      <main class="pay" id="payment">
        <div class="card sheet printed">
          <Icon kind="wait" />
          <h1>{paused.title}</h1>
          <p>{paused.text}</p>
        </div>
      </main>
    </Frame>
  )
}

/** A printed code on its sheet, large enough to be read by a phone across a counter. */
export const PrintedDocument = ({
  code,
  request,
  svg,
}: Pick<Scanned, "code" | "request"> & { readonly svg: string }) => {
  const texts = paymentTexts[request.language]
  return (
    <Frame request={request} title={`${texts.scanToPay} · ${code.service}`} script>
      <main class="pay" id="payment">
        <div class="card sheet printed">
          <h1 dir="auto">{code.service}</h1>
          <Qr svg={svg} label={texts.scanToPay} />
          <p class="total">{texts.scanToPay}</p>
          <p class="soft">{texts.scanHow}</p>
          <p class="soft small" dir="auto">
            {code.payee}
          </p>
          <button class="button quiet scripted" type="button" hidden data-print>
            {texts.print}
          </button>
        </div>
      </main>
    </Frame>
  )
}
