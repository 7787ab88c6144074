import type { EmvProblem } from "./Emv.ts"
import type { QrContent } from "./QrContent.ts"

/** What is wrong with a code, or why nothing can be paid by it. */
export interface ScanProblem {
  readonly code: EmvProblem["code"] | "bad_link" | "unknown_link" | "not_payable" | "no_price"
  readonly tag: string | null
  readonly at: number | null
  readonly message: string
}

/** The account of a merchant code, and the scheme and channel that it belongs to. */
export interface AccountInfo {
  readonly tag: string
  readonly vendor: string | null
  readonly channel: string | null
  readonly globally_unique_identifier: string | null
  readonly value: string | null
  readonly fields: { readonly [path: string]: string }
}

/** The fields of a merchant code as EMV names them; null for what it does not hold. */
export interface ParsedPayload {
  readonly vendor: string | null
  readonly payload_format_indicator: string | null
  readonly point_of_initiation_method: string | null
  readonly merchant_account_info: ReadonlyArray<AccountInfo>
  readonly merchant_category_code: string | null
  readonly transaction_currency: string | null
  readonly transaction_amount: string | null
  readonly country_code: string | null
  readonly merchant_name: string | null
  readonly merchant_city: string | null
  readonly postal_code: string | null
  readonly tip_or_convenience_indicator: string | null
  readonly convenience_fee_fixed: string | null
  readonly convenience_fee_percentage: string | null
  readonly additional_data: { readonly [field: string]: string }
  readonly merchant_information_language: { readonly [field: string]: string }
  readonly crc: string | null
  readonly crc_valid: boolean
}

/** One code of a scanned image (ScanResult). Amounts are numbers in major units. */
export interface ScanItem {
  readonly channel: string | null
  readonly confidence: number
  readonly qr_type: "dynamic" | "static" | null
  readonly qr_version: number | null
  readonly amount: number | null
  readonly currency: string | null
  readonly merchant: {
    readonly id: string | null
    readonly name: string | null
    readonly category: string | null
  }
  readonly payment_url: string | null
  readonly format: QrContent["format"]
  readonly content: string
  readonly problems: ReadonlyArray<ScanProblem>
  readonly parsed_payload: ParsedPayload | null
}

/** What to do with the scanned code. `request` is what does it, where one request does. */
export interface RecommendedAction {
  readonly type: "create_payment_intent" | "pay_payment_intent"
  readonly channel: string | null
  readonly amount: number | null
  readonly currency: string | null
  readonly merchant_id: string | null
  readonly payment_intent_id?: string
  readonly request?: {
    readonly method: "POST"
    readonly path: string
    readonly body: { readonly [field: string]: unknown }
  }
}

/** What a scanned image holds (ScanResult). */
export interface ScanResult {
  readonly scan_id: string
  readonly status: "recognized"
  readonly source: "image"
  readonly image_format: string
  readonly raw_format: QrContent["format"]
  readonly detected_items: ReadonlyArray<ScanItem>
  readonly alternative_channels_possible: ReadonlyArray<string>
  readonly parsed_payload: ParsedPayload | null
  readonly recommended_action: RecommendedAction | null
}

/** A code that has been made sense of. */
export interface Understood {
  readonly item: ScanItem
  /** Other channels that it can be paid through. */
  readonly alternatives: ReadonlyArray<string>
  readonly action: RecommendedAction | null
}

const HIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]|\p{Cs}/gu

/** A text off a code, with what could hide or reorder a part of it replaced by U+FFFD. */
export const visible = (text: string): string => text.replace(HIDDEN, "\ufffd")

/** An item of which nothing is known but what it holds. */
export const bareItem = (
  format: QrContent["format"],
  content: string,
  version: number | null,
): ScanItem => ({
  channel: null,
  confidence: 0.5,
  qr_type: null,
  qr_version: version,
  amount: null,
  currency: null,
  merchant: { id: null, name: null, category: null },
  payment_url: null,
  format,
  content: visible(content),
  problems: [],
  parsed_payload: null,
})

/**
 * The answer for the codes of an image, in their order. The first that something can be done with
 * is the one that the whole speaks of; without any, the first.
 */
export const assemble = (
  scan: Pick<ScanResult, "scan_id" | "image_format">,
  codes: readonly [Understood, ...ReadonlyArray<Understood>],
): ScanResult => {
  const main = codes.find(({ action }) => action !== null) ?? codes[0]
  return {
    scan_id: scan.scan_id,
    status: "recognized",
    source: "image",
    image_format: scan.image_format,
    raw_format: main.item.format,
    detected_items: codes.map(({ item }) => item),
    alternative_channels_possible: main.alternatives,
    parsed_payload: main.item.parsed_payload,
    recommended_action: main.action,
  }
}
