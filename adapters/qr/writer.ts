import { Effect, Layer } from "effect"
import { QrWriter } from "../../core/ports/QrWriter.ts"

/** Loaded for the first code that is drawn. */
const loaded = () => import("qrcode")

/** The quiet zone of four modules around the code, which readers need. */
const OPTIONS = { errorCorrectionLevel: "M", margin: 4 } as const

/** Pixels per side. */
const WIDTH = 512

/** Draws codes with the package `qrcode`. */
export const layer: Layer.Layer<QrWriter> = Layer.succeed(QrWriter, {
  svg: (content) =>
    Effect.promise(async () => (await loaded()).toString(content, { ...OPTIONS, type: "svg" })),
  png: (content) =>
    Effect.promise(async () =>
      (await loaded()).toBuffer(content, { ...OPTIONS, type: "png", width: WIDTH }),
    ),
})
