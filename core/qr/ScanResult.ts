import { Schema } from "effect"
import type { QrContent } from "./QrContent.ts"
import { visible } from "./ScannedText.ts"

const text = Schema.NullOr(Schema.String)
const texts = Schema.Record(Schema.String, Schema.String)
const Format = Schema.Literals(["svc", "emv", "url", "text"]).annotate({
  description:
    "`svc`: a link of payport; `emv`: a merchant code; `url`: an address of the web; `text`.",
})
const major = Schema.NullOr(Schema.Finite).annotate({
  description: "In major units of the currency; null where the code leaves it open.",
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
  point_of_initiation_method: text.annotate({ description: "`11` static, `12` dynamic." }),
  merchant_account_info: Schema.Array(
    Schema.Struct({
      tag: Schema.String.annotateKey({ description: "The tag's number." }),
      vendor: text.annotateKey({ description: "The scheme; null if unknown." }),
      channel: text.annotateKey({ description: "The channel that pays it; null without one." }),
      globally_unique_identifier: text.annotateKey({ description: "The scheme's own identifier." }),
      value: text.annotateKey({ description: "What a tag without parts holds." }),
      fields: texts.annotateKey({ description: "The parts of the tag, by their numbers." }),
    }),
  ).annotateKey({ description: "Tags 02 to 51: whom each scheme pays." }),
  merchant_category_code: text.annotateKey({
    description: "Tag 52: the line of business, by ISO 18245.",
  }),
  transaction_currency: text.annotate({ description: "The number of ISO 4217." }),
  transaction_amount: text.annotate({ description: "As the code writes it." }),
  country_code: text.annotateKey({ description: "Tag 58: the country, by ISO 3166." }),
  merchant_name: text.annotateKey({ description: "Tag 59: the merchant's name." }),
  merchant_city: text.annotateKey({ description: "Tag 60: the merchant's city." }),
  postal_code: text.annotateKey({ description: "Tag 61: the postal code." }),
  tip_or_convenience_indicator: text.annotateKey({
    description: "Tag 55: whether a tip or a fee is added.",
  }),
  convenience_fee_fixed: text.annotateKey({
    description: "Tag 56: the fee, as the code writes it.",
  }),
  convenience_fee_percentage: text.annotateKey({
    description: "Tag 57: the fee in percent, as the code writes it.",
  }),
  additional_data: texts.annotateKey({ description: "Tag 62: its parts, by their numbers." }),
  merchant_information_language: texts.annotateKey({
    description: "Tag 64: its parts, by their numbers.",
  }),
  crc: text.annotateKey({ description: "Tag 63: the checksum, as the code has it." }),
  crc_valid: Schema.Boolean.annotateKey({ description: "Whether the code's checksum is right." }),
}).annotate({
  identifier: "EmvPayload",
  description: "The fields of a merchant code, as EMV names them.",
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
  ]).annotateKey({ description: "What is wrong, for programs." }),
  tag: text.annotate({ description: "The tag's path in a merchant code, such as `29.01`." }),
  at: Schema.NullOr(Schema.Int).annotate({ description: "The character that the tag begins at." }),
  message: Schema.String.annotateKey({ description: "What is wrong, for people." }),
})

const ScanItem = Schema.Struct({
  channel: text.annotate({ description: "The channel that pays it; null without one." }),
  confidence: Schema.Finite.annotate({
    description: "From 0 to 1: how sure it is that the code means what is shown.",
  }),
  qr_type: Schema.NullOr(Schema.Literals(["dynamic", "static"])).annotateKey({
    description: "Whether it is one payment's or printed once; null if unknown.",
  }),
  qr_version: Schema.NullOr(Schema.Int).annotate({ description: "The symbol's, 1 to 40." }),
  amount: major,
  currency: text.annotateKey({ description: "The currency of `amount`; null if unknown." }),
  merchant: Schema.Struct({
    id: text.annotateKey({ description: "The merchant's id with its scheme." }),
    name: text.annotateKey({ description: "The merchant's name." }),
    category: text.annotateKey({ description: "The merchant's line of business." }),
  }).annotateKey({ description: "Who is paid, as far as the code says." }),
  payment_url: text.annotate({ description: "Where it is paid on the web. It was not fetched." }),
  format: Format,
  content: Schema.String.annotate({
    description: "What the code holds; characters that hide or reorder text show as U+FFFD.",
  }),
  problems: Schema.Array(ScanProblem).annotate({
    description: "What is damaged or keeps the code from being paid, and where.",
  }),
  parsed_payload: Schema.NullOr(ParsedPayload).annotateKey({
    description: "The fields of a merchant code; null for other codes.",
  }),
})

const RecommendedAction = Schema.Struct({
  type: Schema.Literals(["create_payment_intent", "pay_payment_intent"]).annotateKey({
    description: "Whether to make a payment or to pay one that is there.",
  }),
  channel: text.annotateKey({ description: "The channel to pay by; null for the payer's choice." }),
  amount: major,
  currency: text.annotateKey({ description: "The currency of `amount`; null if unknown." }),
  merchant_id: text.annotateKey({ description: "Who is paid; null if unknown." }),
  payment_intent_id: Schema.optionalKey(Schema.String).annotateKey({
    description: "The payment's id.",
  }),
  request: Schema.optionalKey(
    Schema.Struct({
      method: Schema.Literal("POST").annotateKey({ description: "The request's method." }),
      path: Schema.String.annotateKey({ description: "The request's path." }),
      body: Schema.Record(Schema.String, Schema.Unknown).annotateKey({
        description: "The request's body; null without one.",
      }),
    }),
  ).annotate({ description: "The request that does it, where one does." }),
})

const terms = { channel: "wallet_e", amount: 100, currency: "THB" } as const

/** The result of a scanned image (ScanResult). */
export const ScanResult = Schema.Struct({
  scan_id: Schema.String.annotateKey({ description: "Names the reading of this picture." }),
  status: Schema.Literal("recognized").annotateKey({
    description: "Always `recognized`: a picture without a code is refused.",
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
    description: "Other channels that could pay it.",
  }),
  parsed_payload: Schema.NullOr(ParsedPayload).annotateKey({
    description: "The fields of the first merchant code; null without one.",
  }),
  recommended_action: Schema.NullOr(RecommendedAction).annotate({
    description: "Null where nothing can be paid, and for damaged codes.",
  }),
}).annotate({
  identifier: "ScanResult",
  description: "The QR codes of an image, and what to do with the first that can be paid.",
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
