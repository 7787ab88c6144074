import { Effect, Layer } from "effect"
import { QrWriter } from "../../core/ports/QrWriter.ts"

/** Loaded by the first code that is drawn. */
const loaded = () => import("qrcode")

/** Four modules of quiet around the code, which readers ask for. */
const OPTIONS = { errorCorrectionLevel: "M", margin: 4 } as const

/** Pixels of a side. */
const WIDTH = 512

/** Draws codes with the package of that name. */
export const layer: Layer.Layer<QrWriter> = Layer.succeed(QrWriter, {
  svg: (content) =>
    Effect.promise(async () => (await loaded()).toString(content, { ...OPTIONS, type: "svg" })),
  png: (content) =>
    Effect.promise(async () =>
      (await loaded()).toBuffer(content, { ...OPTIONS, type: "png", width: WIDTH }),
    ),
})
