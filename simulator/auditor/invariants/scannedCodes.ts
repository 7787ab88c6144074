// Written independently of core/qr on purpose: see Model.ts.

import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import type { RecommendedAction, ScanItem, ScanResult } from "../../../core/qr/ScanResult.ts"
import type { ServiceManifest } from "../../../core/registry/ServiceManifest.ts"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import type { Model } from "../Model.ts"
import type { Finding, Rule, Rulebook } from "../Observation.ts"
import { difference } from "../saysTheSame.ts"
import { registry } from "./registry.ts"
import { shownFrom } from "./state.ts"

/** What a merchant code says. Amounts are in major units. */
export interface MerchantCode {
  readonly type: "merchant"
  /** Whether nothing is wrong with it; of a damaged code only that is known. */
  readonly isSound: boolean
  readonly vendor: string | null
  /** The schemes of all its accounts. */
  readonly vendors: ReadonlyArray<string | null>
  readonly payment_url: string | null
  readonly channel: string | null
  readonly currency: string
  readonly amount: number | null
  /** The amount with the fee that the code adds. */
  readonly due: number | null
  readonly isPayable: boolean
  readonly merchant_id: string
  readonly name: string
  readonly qr_type: "static" | "dynamic"
}

/** A code of an image, and what it says. */
export interface PrintedCode {
  readonly text: string
  readonly says:
    | MerchantCode
    | { readonly type: "payment"; readonly id: string; readonly channel: string | null }
    | { readonly type: "service"; readonly id: string; readonly channel: string | null }
    | { readonly type: "url"; readonly url: string }
    | { readonly type: "text" | "broken_link" }
}

interface Scanned {
  readonly account: string
  readonly codes: ReadonlyArray<PrintedCode>
  /** The model's step and the time when the image was sent first. */
  readonly since: number
  readonly asked: Timestamp
  readonly at: Timestamp
  readonly result: ScanResult
}

declare module "../Observation.ts" {
  interface Observations {
    /** The answer to the scan of an image. */
    readonly scanned: Scanned
  }
}

/** What may be recommended for a code; null for nothing. */
type Action = RecommendedAction | null

/** What a code's item has to show, as far as it is known, and what may be recommended for it. */
interface Possible {
  readonly item: Partial<ScanItem>
  readonly hasProblems: boolean
  readonly action: Action
}

const SOUND = { item: {}, hasProblems: false, action: null } as const

const merchant = (says: MerchantCode): Possible => {
  if (!says.isSound) return { item: { confidence: 0.3 }, hasProblems: true, action: null }
  const { amount, channel, currency, due, isPayable, merchant_id, name, payment_url } = says
  return {
    item: {
      channel,
      confidence: says.vendor === null ? 0.9 : 1,
      qr_type: says.qr_type,
      amount,
      currency,
      merchant: { id: merchant_id, name, category: "5812" },
      payment_url,
    },
    hasProblems: false,
    action:
      channel === null || !isPayable
        ? null
        : { type: "create_payment_intent", channel, amount: due, currency, merchant_id },
  }
}

/** The decimals of the currencies in which the world's services are paid. */
const DECIMALS: { readonly [currency: string]: number } = { JPY: 0, KWD: 3 }

const major = ({ currency, value }: { readonly currency: string; readonly value: number }) =>
  value / 10 ** (DECIMALS[currency] ?? 2)

const HIDDEN: Possible = {
  item: { amount: null, currency: null, merchant: { id: null, name: null, category: null } },
  hasProblems: true,
  action: null,
}

const OPEN: ReadonlyArray<string> = ["pending", "qr_generated", "scanning"]

/** Returns what the link of a payment may show: to its parties, by its states meanwhile. */
const payment = (
  { account, asked, at, since }: Scanned,
  { channel, id }: { readonly channel: string | null; readonly id: string },
  model: Model,
): ReadonlyArray<Possible> => {
  const known = model.intents.get(id)
  const payment_url = `https://payport.example/pay/${id}`
  const hidden: Possible = { ...HIDDEN, item: { ...HIDDEN.item, payment_url } }
  if (known === undefined) return [hidden]
  const { history, record } = known
  const parties = [record.account_id, record.payee_account_id, record.payer_account_id]
  if (!parties.includes(account)) return [hidden]
  const first = history.findLastIndex(({ step }) => step <= since)
  const [from, to] = [asked - model.clocksOff, at + model.clocksOff]
  const states = history
    .slice(Math.max(first, 0))
    // Nobody can pay by hand what is being charged, although it is shown as pending.
    .flatMap(({ status }) =>
      status === "debiting" ? [status] : shownFrom(status, record.expires_at, from, to),
    )
  const { currency } = record.amount
  const terms = { amount: major(record.amount), currency }
  const merchant_id = record.payee.merchant_account ?? record.payee.agent_id
  // The payer may choose a channel meanwhile.
  const channels = new Set([record.channel ?? channel, channel])
  return [...new Set(states)].flatMap((status) =>
    [...channels].map((by) =>
      OPEN.includes(status)
        ? {
            item: { ...terms, channel: by, payment_url },
            hasProblems: false,
            action: {
              type: "pay_payment_intent" as const,
              channel: by,
              ...terms,
              merchant_id,
              payment_intent_id: id,
            },
          }
        : { item: { ...terms, channel: by, payment_url }, hasProblems: true, action: null },
    ),
  )
}

/** Whether a channel takes payments in a currency. */
const takes = (id: string | null | undefined, currency: string): boolean => {
  const { currencies = [] } = defaultCatalog.find((channel) => channel.id === id) ?? {}
  return currencies === "every" || currencies.includes(currency)
}

/** Returns what the printed code of a service in one version shows to an account. */
const printed = (
  account: string,
  channel: string | null,
  manifest: ServiceManifest | undefined,
): Possible => {
  const { account_id, accepted_channels, default_channel, pricing, status } = manifest ?? {}
  const isSeen = account_id === account || status === "active" || status === "deprecated"
  if (manifest === undefined || !isSeen) return HIDDEN
  const [price] = pricing?.one_time ?? []
  if (price === undefined) return { ...SOUND, hasProblems: true }
  const money = { currency: price.currency, value: price.amount }
  const usual = takes(default_channel, price.currency) ? default_channel : null
  const by = channel ?? usual ?? null
  const terms = { channel: by, amount: major(money), currency: price.currency }
  const isTaken = accepted_channels?.includes(channel ?? "") && takes(channel, price.currency)
  const isSold = status === "active" && (channel === null || isTaken === true)
  if (!isSold) return { item: terms, hasProblems: true, action: null }
  const body = {
    service_id: manifest.id,
    type: "one_time",
    amount: money,
    description: price.label,
    ...(by !== null && { payer_channel: by }),
  }
  const request = { method: "POST" as const, path: "/v1/payment-intents", body }
  return {
    item: terms,
    hasProblems: false,
    action: { type: "create_payment_intent", ...terms, merchant_id: null, request },
  }
}

const FORMATS = {
  merchant: "emv",
  payment: "svc",
  service: "svc",
  broken_link: "svc",
  url: "url",
  text: "text",
} as const

const possible = (
  scanned: Scanned,
  { says }: PrintedCode,
  model: Model,
): ReadonlyArray<Possible> => {
  switch (says.type) {
    case "merchant":
      return [merchant(says)]
    case "payment":
      return payment(scanned, says, model)
    case "service": {
      const spans = model.know(registry).since(scanned.since)
      const records = spans.find(({ id }) => id === says.id)?.records ?? [undefined]
      return records.map((manifest) => printed(scanned.account, says.channel, manifest))
    }
    case "broken_link":
      return [{ ...SOUND, item: { confidence: 0.2, payment_url: null }, hasProblems: true }]
    case "url":
      return [{ ...SOUND, item: { confidence: 0.5, payment_url: says.url } }]
    default:
      return [{ ...SOUND, item: { confidence: 0.5, payment_url: null } }]
  }
}

/** Checks the schemes of a sound merchant code, and that its checksum is called right. */
const payload = ({ parsed_payload: seen }: ScanItem, { says }: PrintedCode): Finding => {
  if (says.type !== "merchant" || !says.isSound) return undefined
  const vendors = seen?.merchant_account_info.map(({ vendor }) => vendor ?? "")
  const expected = says.vendors.map((vendor) => vendor ?? "")
  const wrong = difference(expected.toSorted(), vendors?.toSorted())
  if (wrong !== undefined) return `names the schemes ${wrong}`
  if (seen?.vendor !== says.vendor) return `names the scheme ${seen?.vendor}`
  return seen.crc_valid ? undefined : "calls a right checksum wrong"
}

/** Returns how an item differs from what its code may show. */
const differs = (item: ScanItem, code: PrintedCode, may: Possible): Finding => {
  const format = FORMATS[code.says.type]
  const hasProblems = item.problems.length > 0
  if (hasProblems !== may.hasProblems) {
    return hasProblems
      ? `finds ${item.problems.map((problem) => problem.code).join(", ")} in a sound code`
      : "finds nothing wrong with a code that cannot be paid"
  }
  const fields = Object.keys(may.item)
  const seen = Object.fromEntries(Object.entries(item).filter(([field]) => fields.includes(field)))
  const wrong = difference({ ...may.item, format }, { ...seen, format: item.format })
  return wrong === undefined ? payload(item, code) : `shows ${wrong}`
}

/** The ids of a service's payee are not compared: the model does not know accounts' names. */
const recommends = (action: Action, seen: Action): boolean => {
  if (action === null || seen === null) return action === seen
  const isService = action.request !== undefined
  return difference(action, seen, isService ? ["merchant_id"] : []) === undefined
}

const scan: Rule<"scanned"> = (scanned, model) => {
  const { codes, result } = scanned
  const { detected_items: items, recommended_action: action } = result
  if (items.length !== codes.length) return `shows ${items.length} of ${codes.length} codes`
  let isDue = false
  let isRight = false
  for (const [index, code] of codes.entries()) {
    const item = items[index]
    if (item === undefined) return `does not show code ${index}`
    const all = possible(scanned, code, model)
    const wrong = all.map((may) => differs(item, code, may))
    if (!wrong.includes(undefined)) return `${wrong[0]}, of ${JSON.stringify(code.text)}`
    const mayBe = all.filter((_, n) => wrong[n] === undefined).map((may) => may.action)
    if (isDue) continue
    isRight ||= action !== null && mayBe.some((one) => recommends(one, action))
    isDue = isRight || mayBe.every((one) => one !== null)
  }
  if (action === null) return isDue ? "recommends nothing of codes that can be paid" : undefined
  return isRight ? undefined : `recommends ${JSON.stringify(action)}`
}

/** Refusals of an image that say something about it. */
const ABOUT_IMAGES: ReadonlyArray<string> = [
  "INVALID_IMAGE",
  "INVALID_REQUEST",
  "NOT_FOUND",
  "PAYLOAD_TOO_LARGE",
  "QR_NOT_FOUND",
]

const refusedImage: Rule<"turned_away"> = ({ body, code, route }) => {
  if (route !== "POST /v1/ai/scan-qr" || !ABOUT_IMAGES.includes(code)) return undefined
  const { image } = body as { readonly image: string }
  return image.endsWith("[]") ? undefined : `refuses an image of codes with ${code}`
}

/** The rules about scanned codes. */
export const scannedCodeRules: Rulebook = { 123: { scanned: scan, turned_away: refusedImage } }
