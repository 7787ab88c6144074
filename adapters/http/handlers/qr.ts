import { Effect } from "effect"
import { answerBatch, answerQuery } from "../../../core/language/answerQuery.ts"
import { QrWriter } from "../../../core/ports/QrWriter.ts"
import { scanQr } from "../../../core/qr/scanQr.ts"
import type { QrView } from "../../../core/qr/showQr.ts"
import type { ai } from "../contract/ai.ts"
import { wanted } from "./accept.ts"
import type { CoreHandlers } from "./Core.ts"

/** Returns the code in the accepted form: an SVG, a PNG, or its content as JSON. */
export const drawn = Effect.fnUntraced(function* <View extends QrView>(
  view: View,
  accept: string | ReadonlyArray<string> | undefined,
) {
  const type = wanted(accept, ["image/svg+xml", "image/png"])
  if (type === undefined) return view
  const writer = yield* QrWriter
  return type === "image/png" ? yield* writer.png(view.qr_data) : yield* writer.svg(view.qr_data)
})

export const aiHandlers = {
  scanQr: ({ caller, payload }) => scanQr(caller, payload),
  nlpPayment: ({ caller, payload }) => answerQuery(caller, payload),
  nlpBatch: ({ caller, payload }) => answerBatch(caller, payload),
} satisfies CoreHandlers<typeof ai>
