import { Context, type Effect } from "effect"
import type { Failure } from "../shared/Failure.ts"

/** A code that was read off an image. */
export interface ReadCode {
  readonly text: string
  /** The symbol's own version, 1 to 40; null where it has none. */
  readonly version: number | null
}

/**
 * An image's format and the codes on it from top to bottom. An image without codes is no failure.
 */
export interface ReadImage {
  readonly format: "png" | "jpeg" | "webp" | "gif"
  readonly codes: ReadonlyArray<ReadCode>
}

/** Reads QR codes from images. It opens no address that a code or an image names. */
export class QrReader extends Context.Service<
  QrReader,
  {
    /**
     * Reads all codes of an image, given in base64, for an account. Accounts take turns.
     *
     * Fails with `INVALID_IMAGE` for anything but a PNG, JPEG, WebP or GIF, with
     * `PAYLOAD_TOO_LARGE` for too many bytes or pixels, and with `TEMPORARILY_UNAVAILABLE` if too
     * many images of this account or of all accounts wait already.
     */
    readonly read: (
      base64: string,
      account_id: string,
    ) => Effect.Effect<
      ReadImage,
      Failure<"INVALID_IMAGE" | "PAYLOAD_TOO_LARGE" | "TEMPORARILY_UNAVAILABLE">
    >
  }
>()("payport/core/ports/QrReader") {}
