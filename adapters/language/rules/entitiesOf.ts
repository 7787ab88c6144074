import { amountsIn, type FoundAmount } from "../../../core/language/grammar/AmountText.ts"
import { intervalIn } from "../../../core/language/grammar/IntervalText.ts"
import { normal } from "../../../core/language/grammar/Normal.ts"
import { pattern } from "../../../core/language/grammar/Pattern.ts"
import type { Entities, Intent } from "../../../core/language/Understanding.ts"
import type { Invoice } from "../../../core/invoices/Invoice.ts"
import { planName, withoutPlan } from "./planName.ts"
import { serviceName } from "./serviceName.ts"
import { firstOf } from "./words.ts"

const PAYMENT_INTENT = /\bpi_[0-9a-z-]{6,64}/i
const UUID = /(?<![\w-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\w-])/i

const STATUSES: ReadonlyArray<readonly [RegExp, Invoice["status"]]> = [
  [/\buncollectible\b|\bwritten off\b|\bbad debts?\b|坏账|呆账|无法收/iu, "uncollectible"],
  [/\bvoid(?:ed)?\b|\bcancell?ed\b|\bannulled\b|作废|已取消|取消的|被取消/iu, "void"],
  [
    pattern("iu")`
      \bunpaid\b|\bopen\b(?! (?:my|the|all|up|an?)\b)|\boutstanding\b|\bdue\b|\boverdue\b
      |\bpending\b|\bunsettled\b|\bow(?:e|es|ed|ing)\b|\bnot (?:yet )?(?:been )?paid\b
      |\b(?:still )?(?:need|have) to pay\b|\bawaiting payment\b|\bwaiting (?:for|on) payment\b
      |未付|未支付|未缴|没付|没有付|还没|待付|待支付|待缴|欠|未结|逾期|应付
    `,
    "open",
  ],
  [
    /\bpaid\b|\bsettled\b|\bcleared\b|已付|已支付|已经付|已缴|付过|付了|缴过|已结|付清|结清|支付过|支付完/iu,
    "paid",
  ],
]

/** Words before an amount that mean nothing without it. */
const BEFORE = /\b(?:for|at|of|it'?s|costs?|worth)\s*$/i

const withoutAmounts = (text: string, amounts: ReadonlyArray<FoundAmount>): string =>
  amounts.reduceRight((left, { currency, end, start }) => {
    if (currency === undefined) return left
    return `${left.slice(0, start).replace(BEFORE, "")} ; ${left.slice(end)}`
  }, normal(text))

const REASON = pattern("iu")`
  (?:\bbecause(?: of)?\b|\bsince\b|\breason(?: is|:)?|\bas\b(?= (?:it|the|they|i|we|he|she|you
  |this|that|customer)\b)|因为|由于|原因是|原因[:：]|理由是|理由[:：])\s*([^.。!！?？\n]{2,200})
`

/** Returns the main amount: the first with a currency, else the first. */
const mainAmount = (amounts: ReadonlyArray<FoundAmount>): FoundAmount | undefined =>
  amounts.find(({ currency }) => currency !== undefined) ?? amounts[0]

const WITH_AMOUNT: ReadonlySet<Intent> = new Set(["pay", "refund"])
const WITH_SERVICE: ReadonlySet<Intent> = new Set(["pay", "subscribe", "query_invoice"])

const given = <K extends string, V>(key: K, value: V | undefined): { readonly [_ in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [_ in K]?: V }

/** Returns the entities of a text. `codes` are all ISO 4217 codes. */
export const entitiesOf = (text: string, intent: Intent, codes: ReadonlySet<string>): Entities => {
  const amounts = amountsIn(text, codes)
  const amount = WITH_AMOUNT.has(intent) ? mainAmount(amounts) : undefined
  const payment = PAYMENT_INTENT.exec(text)?.[0].toLowerCase()
  const id = UUID.exec(text)?.[0].toLowerCase()
  const plain = withoutAmounts(text, amounts).replace(PAYMENT_INTENT, " ").replace(/ {2,}/g, " ")
  const service =
    WITH_SERVICE.has(intent) && id === undefined
      ? serviceName(intent === "subscribe" ? withoutPlan(plain) : plain, intent)
      : undefined
  // A service's name may contain words for intervals or plans: Daily Forecast, Weather Pro.
  const rest = service === undefined ? text : text.replace(service, " ")
  const plan = intent === "subscribe" ? planName(rest) : undefined
  const reason = intent === "refund" ? REASON.exec(text)?.[1]?.trim() : undefined
  return {
    ...given("amount", amount?.value),
    ...given("currency", amount?.currency),
    ...given("service", service),
    ...given("service_id", WITH_SERVICE.has(intent) ? id : undefined),
    ...given("plan", plan),
    ...given("interval", intent === "subscribe" ? intervalIn(rest) : undefined),
    ...given("status", intent === "query_invoice" ? firstOf(rest, STATUSES) : undefined),
    ...given("payment_intent", intent === "refund" || intent === "void" ? payment : undefined),
    ...given("reason", reason),
  }
}
