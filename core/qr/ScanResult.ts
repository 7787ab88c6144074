import { Schema } from "effect"
import type { QrContent } from "./QrContent.ts"
import { visible } from "./ScannedText.ts"

const text = Schema.NullOr(Schema.String)
const texts = Schema.Record(Schema.String, Schema.String)
const Format = Schema.Literals(["svc", "emv", "url", "text"]).annotate({
  description:
    "`svc`: a payport link; `emv`: a merchant code; `url`: a web address; `text`: other text.",
})
const major = Schema.NullOr(Schema.Finite).annotate({
  description: "The amount in major units of the currency; null if the code leaves it open.",
})

const payload = {
  vendor: "promptpay",
  payload_format_indicator: "01",
  point_of_initiation_method: "12",
  merchant_account_info: [
    {
      tag: "29",
      vendor: "promptpay",
      channel: "wallet_e",
      globally_unique_identifier: "A000000677010111",
      value: null,
      fields: { "00": "A000000677010111", "01": "0066912345678" },
    },
  ],
  merchant_category_code: null,
  transaction_currency: "764",
  transaction_amount: "100.00",
  country_code: "TH",
  merchant_name: null,
  merchant_city: null,
  postal_code: null,
  tip_or_convenience_indicator: null,
  convenience_fee_fixed: null,
  convenience_fee_percentage: null,
  additional_data: {},
  merchant_information_language: {},
  crc: "92CB",
  crc_valid: true,
} as const

/** The fields of a merchant code under their EMV names; null for missing fields. */
const ParsedPayload = Schema.Struct({
  vendor: text.annotate({ description: "The scheme, such as `promptpay`; null if unknown." }),
  payload_format_indicator: text.annotateKey({ description: "Tag 00: `01`." }),
  point_of_initiation_method: text.annotate({ description: "Tag 01: `11` static, `12` dynamic." }),
  merchant_account_info: Schema.Array(
    Schema.Struct({
      tag: Schema.String.annotateKey({ description: "The tag's number." }),
      vendor: text.annotateKey({ description: "The scheme; null if unknown." }),
      channel: text.annotateKey({
        description: "The channel that pays such a code; null for none.",
      }),
      globally_unique_identifier: text.annotateKey({ description: "The scheme's own identifier." }),
      value: text.annotateKey({ description: "The value of a tag without parts." }),
      fields: texts.annotateKey({ description: "The parts of the tag, by their numbers." }),
    }),
  ).annotateKey({ description: "Tags 02 to 51: the payee's account in each scheme." }),
  merchant_category_code: text.annotateKey({
    description: "Tag 52: the line of business, by ISO 18245.",
  }),
  transaction_currency: text.annotate({ description: "Tag 53: the currency's ISO 4217 number." }),
  transaction_amount: text.annotate({ description: "Tag 54: the amount, as in the code." }),
  country_code: text.annotateKey({ description: "Tag 58: the country, by ISO 3166." }),
  merchant_name: text.annotateKey({ description: "Tag 59: the merchant's name." }),
  merchant_city: text.annotateKey({ description: "Tag 60: the merchant's city." }),
  postal_code: text.annotateKey({ description: "Tag 61: the postal code." }),
  tip_or_convenience_indicator: text.annotateKey({
    description: "Tag 55: whether a tip or a fee is added to the amount.",
  }),
  convenience_fee_fixed: text.annotateKey({
    description: "Tag 56: the fee, as in the code.",
  }),
  convenience_fee_percentage: text.annotateKey({
    description: "Tag 57: the fee in percent, as in the code.",
  }),
  additional_data: texts.annotateKey({ description: "Tag 62: its parts, by their numbers." }),
  merchant_information_language: texts.annotateKey({
    description: "Tag 64: its parts, by their numbers.",
  }),
  crc: text.annotateKey({ description: "Tag 63: the checksum, as in the code." }),
  crc_valid: Schema.Boolean.annotateKey({ description: "Whether the code's checksum is correct." }),
}).annotate({
  identifier: "EmvPayload",
  description: "The fields of a merchant code under their EMV names.",
  examples: [payload],
})

const ScanProblem = Schema.Struct({
  code: Schema.Literals([
    "bad_tag",
    "bad_length",
    "too_short",
    "duplicate_tag",
    "missing_tag",
    "bad_value",
    "bad_crc",
    "crc_not_last",
    "bad_link",
    "unknown_link",
    "not_payable",
    "no_price",
  ]).annotateKey({ description: "The problem's code, for programs." }),
  tag: text.annotate({ description: "The tag's path in a merchant code, such as `29.01`." }),
  at: Schema.NullOr(Schema.Int).annotate({
    description: "The position of the tag's first character.",
  }),
  message: Schema.String.annotateKey({ description: "The problem, for people." }),
})

const ScanItem = Schema.Struct({
  channel: text.annotate({ description: "The channel that pays such a code; null for none." }),
  confidence: Schema.Finite.annotate({
    description: "How certain the interpretation of the code is, from 0 to 1.",
  }),
  qr_type: Schema.NullOr(Schema.Literals(["dynamic", "static"])).annotateKey({
    description: "`dynamic`: for one payment. `static`: printed once, for many. Null if unknown.",
  }),
  qr_version: Schema.NullOr(Schema.Int).annotate({
    description: "The version of the QR symbol, 1 to 40.",
  }),
  amount: major,
  currency: text.annotateKey({ description: "The currency of `amount`; null if unknown." }),
  merchant: Schema.Struct({
    id: text.annotateKey({ description: "The merchant's id with its scheme." }),
    name: text.annotateKey({ description: "The merchant's name." }),
    category: text.annotateKey({ description: "The merchant's line of business." }),
  }).annotateKey({ description: "The payee, as far as the code names it." }),
  payment_url: text.annotate({ description: "The web address for paying. It was not fetched." }),
  format: Format,
  content: Schema.String.annotate({
    description:
      "The content of the code. Characters that hide or reorder text are shown as U+FFFD.",
  }),
  problems: Schema.Array(ScanProblem).annotate({
    description: "The problems that damage the code or prevent its payment, with their places.",
  }),
  parsed_payload: Schema.NullOr(ParsedPayload).annotateKey({
    description: "The fields of a merchant code; null for other codes.",
  }),
})

const RecommendedAction = Schema.Struct({
  type: Schema.Literals(["create_payment_intent", "pay_payment_intent"]).annotateKey({
    description: "Whether to create a payment or to pay an existing one.",
  }),
  channel: text.annotateKey({ description: "The channel to pay by; null for the payer's choice." }),
  amount: major,
  currency: text.annotateKey({ description: "The currency of `amount`; null if unknown." }),
  merchant_id: text.annotateKey({ description: "The id of the merchant to pay; null if unknown." }),
  payment_intent_id: Schema.optionalKey(Schema.String).annotateKey({
    description: "The payment's id.",
  }),
  request: Schema.optionalKey(
    Schema.Struct({
      method: Schema.Literal("POST").annotateKey({ description: "The request's method." }),
      path: Schema.String.annotateKey({ description: "The request's path." }),
      body: Schema.Record(Schema.String, Schema.Unknown).annotateKey({
        description: "The request's body.",
      }),
    }),
  ).annotate({ description: "The API request for the action, if there is one." }),
})

const terms = { channel: "wallet_e", amount: 100, currency: "THB" } as const

/** The result of a scanned image (ScanResult). */
export const ScanResult = Schema.Struct({
  scan_id: Schema.String.annotateKey({ description: "The id of this scan." }),
  status: Schema.Literal("recognized").annotateKey({
    description: "Always `recognized`. A picture without a code gets an error.",
  }),
  source: Schema.Literal("image").annotateKey({ description: "Always `image`." }),
  image_format: Schema.String.annotateKey({
    description: "The format of the picture, such as `png`.",
  }),
  raw_format: Format,
  detected_items: Schema.Array(ScanItem).annotate({
    description: "Every code of the image, from top to bottom.",
  }),
  alternative_channels_possible: Schema.Array(Schema.String).annotateKey({
    description: "Other channels that could pay the code.",
  }),
  parsed_payload: Schema.NullOr(ParsedPayload).annotateKey({
    description: "The fields of the first merchant code; null if there is none.",
  }),
  recommended_action: Schema.NullOr(RecommendedAction).annotate({
    description:
      "The recommended action; null if nothing can be paid, and for damaged codes. Its amount " +
      "includes the fee that the code adds (tags 55 to 57).",
  }),
}).annotate({
  identifier: "ScanResult",
  description: "The QR codes of an image, and the recommended action for the first payable one.",
  examples: [
    {
      scan_id: "scan_01997d3e-8a00-7000-8000-000000000090",
      status: "recognized",
      source: "image",
      image_format: "png",
      raw_format: "emv",
      detected_items: [
        {
          ...terms,
          confidence: 1,
          qr_type: "dynamic",
          qr_version: 5,
          merchant: { id: "0066912345678", name: null, category: null },
          payment_url: null,
          format: "emv",
          content:
            "00020101021229370016A000000677010111011300669123456785802TH53037645406100.00630492CB",
          problems: [],
          parsed_payload: payload,
        },
      ],
      alternative_channels_possible: [],
      parsed_payload: payload,
      recommended_action: {
        type: "create_payment_intent",
        ...terms,
        merchant_id: "0066912345678",
      },
    },
  ],
})

/** A problem of a code, or why it cannot be paid. */
export type ScanProblem = typeof ScanProblem.Type

/** See {@link ParsedPayload}. */
export type ParsedPayload = typeof ParsedPayload.Type

/** One code of a scanned image (ScanResult). Amounts are numbers in major units. */
export type ScanItem = typeof ScanItem.Type

/** The recommended action for a scanned code. `request` carries it out, where one request can. */
export type RecommendedAction = typeof RecommendedAction.Type

/** See {@link ScanResult}. */
export type ScanResult = typeof ScanResult.Type

/** An interpreted code. */
export interface Understood {
  readonly item: ScanItem
  /** Other channels that can pay it. */
  readonly alternatives: ReadonlyArray<string>
  readonly action: RecommendedAction | null
}

/** Makes an item of which only the content is known. */
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
 * Makes the response for the codes of an image, in their order. It describes the first code with an
 * action, or the first code if there is none.
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
