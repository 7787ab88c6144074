import { Array, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { meterAnswer } from "../billing/meterAnswer.ts"
import { Ids } from "../ports/Ids.ts"
import { Installation } from "../ports/Installation.ts"
import { QrReader, type ReadCode } from "../ports/QrReader.ts"
import { Failure } from "../shared/Failure.ts"
import { understandEmv } from "./EmvItem.ts"
import { contentOf } from "./QrContent.ts"
import { base64Of, type ScanInput } from "./ScanInput.ts"
import { assemble, bareItem } from "./ScanResult.ts"
import { understandLink } from "./understandLink.ts"

const notFound = () =>
  new Failure({
    code: "QR_NOT_FOUND",
    message: "No QR code was found in the image. A larger or sharper image may help.",
    field: "image",
  })

/** The most codes that are shown; with more, the response would be larger than its image. */
const MOST_CODES = 50

const understand = Effect.fnUntraced(function* (caller: Caller, code: ReadCode) {
  const installation = yield* Installation
  const content = contentOf(code.text, installation)
  if (content.format === "svc") return yield* understandLink(caller, content.link, code)
  if (content.format === "emv") return understandEmv(content.emv, code, installation.catalog)
  const item = bareItem(content.format, code.text, code.version)
  return {
    item: content.format === "url" ? { ...item, payment_url: content.url } : item,
    alternatives: [],
    action: null,
  }
})

/**
 * Reads all QR codes of an image and returns what can be done with them (AI-native endpoints). URLs
 * in codes are shown and never fetched. A scan that reads a code is metered.
 */
export const scanQr = Effect.fn("scanQr")(function* (caller: Caller, input: ScanInput) {
  const base64 = yield* Effect.fromResult(base64Of(input))
  const image = yield* (yield* QrReader).read(base64, caller.account.id)
  const codes = image.codes.slice(0, MOST_CODES)
  if (!Array.isReadonlyArrayNonEmpty(codes)) return yield* notFound()
  const understood = yield* Effect.forEach(codes, (code) => understand(caller, code))
  const scan_id = `scan_${(yield* Ids).uuid()}`
  const result = assemble({ scan_id, image_format: image.format }, understood)
  return yield* meterAnswer(caller, "scan-qr", result)
})
