import { Effect, Layer } from "effect"
import { QrReader } from "../../core/ports/QrReader.ts"
import { Failure } from "../../core/shared/Failure.ts"

/** Reads no pictures, since a decoder is native code. A host can provide its own `QrReader`. */
export const noQrReader: Layer.Layer<QrReader> = Layer.succeed(QrReader, {
  read: () =>
    Effect.fail(
      new Failure({
        code: "INVALID_IMAGE",
        message: "This installation cannot read images. Send the code's text as qr_data.",
        field: "image",
      }),
    ),
})
