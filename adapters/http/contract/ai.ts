import { HttpApiGroup, OpenApi } from "effect/http-api"
import { BatchInput, QueryInput } from "../../../core/language/QueryInput.ts"
import { ScanInput } from "../../../core/qr/ScanInput.ts"
import { AccountKey } from "./Access.ts"
import { Audiences, BodyLimit, Group, Unscoped } from "./Route.ts"
import { CREATION } from "./paymentIntents.ts"
import { AnsweredQueryView, QueryBatchView } from "../../../core/language/QueryView.ts"
import { ScanResult } from "../../../core/qr/ScanResult.ts"
import { account } from "./Endpoint.ts"

/** An image of 8 MiB in base64, and some room for line breaks and the rest of the body. */
const IMAGE_BODY = 12 * 1024 * 1024

/** A QR code with the content https://example.com/pay. */
const CODE =
  "data:image/png;base64," +
  "iVBORw0KGgoAAAANSUhEUgAAAEIAAABCAQMAAADZmpKrAAAABlBMVEX///8AAABVwtN+AAAACXBI" +
  "WXMAAAPoAAAD6AG1e1JrAAAAlklEQVQoz63QMQoEMQiFYSGt4FWEaQNzdcFW8CqBtIKbYrd4s+38" +
  "1Vc+JXq7rhHSBjKeMwiVQcH1lK3409KnjEcwoboislFEIvbd9dO6L6WFyrF6NyqKb78MNFwjFeW9" +
  "PQkVruKDUJUu20C5he+JCrlmB4HOnSdUV88wAxlbmhMog7vTHlKt8ZQ4TZTxPkNR57sVinq3D0kv" +
  "x9vhlJivAAAAAElFTkSuQmCC"

/** The refusals of the other requests that a text can make. */
const EXECUTED = [
  "ALREADY_SUBSCRIBED",
  "INVALID_PAYER",
  { code: "INVALID_TRANSITION", subject: "payment_intent" },
  "REFUND_NOT_ALLOWED",
  "REFUND_WINDOW_EXPIRED",
  "REFUND_EXCEEDS_PAYMENT",
  "REFUND_LIMIT_EXCEEDED",
  "REFUND_CHANNEL_REJECTED",
  "revocation_limit_exceeded",
  "INVALID_METADATA",
] as const

/** Help for agents (AI-native endpoints). */
export const ai = HttpApiGroup.make("ai")
  .add(
    account.post("scanQr", "/v1/ai/scan-qr", {
      summary: "Read the QR codes of an image",
      description:
        "Tells apart payport links, EMV merchant codes of any country and web addresses, " +
        "and recommends what to do. It fetches nothing that a code names. Use it for a " +
        "picture. A link needs no scan: open it.",
      payload: ScanInput.annotate({
        identifier: "ScanInput",
        description:
          "A PNG, JPEG, WebP or GIF of at most 8 MiB and 40 megapixels, in base64 or as a" +
          " data URL.",
        examples: [{ image: CODE }],
      }),
      annotations: BodyLimit.context(IMAGE_BODY),
      success: ScanResult,
      refusals: ["INVALID_IMAGE", "QR_NOT_FOUND"],
    }),
    account.post("nlpPayment", "/v1/ai/nlp-payment", {
      summary: "Understand a request in words, and carry it out on demand",
      description:
        "The answer has the API request that does it, or one question about a missing " +
        "detail. Amounts and identifiers count only if the text itself contains them. A " +
        "text about the rules of payments is never carried out. Use it for a person's own " +
        "words. An agent that knows what it wants calls that API request itself.",
      payload: QueryInput.annotate({
        identifier: "QueryInput",
        description:
          "A request in a person's own words, in English or Chinese. With `execute`, it is " +
          "carried out under the caller's key if nothing is missing.",
        examples: [{ query: "Pay $4.99 to Weather report" }],
      }),
      success: AnsweredQueryView,
      refusals: [...CREATION, ...EXECUTED],
    }),
    account.post("nlpBatch", "/v1/ai/nlp-batch", {
      summary: "Understand up to 100 texts",
      description:
        "Use it to understand many texts at once. None is carried out: for that, use `POST " +
        "/v1/ai/nlp-payment`.",
      payload: BatchInput.annotate({
        identifier: "BatchInput",
        description: "Up to 100 texts, each alone or with its context. None is carried out.",
        examples: [{ queries: ["Show my unpaid invoices", "退款 5 美元"] }],
      }),
      success: QueryBatchView,
    }),
  )
  .middleware(AccountKey)
  .annotate(Group, "pay")
  .annotate(Unscoped, true)
  .annotate(Audiences, ["assistant"])
  .annotate(OpenApi.Title, "AI")
