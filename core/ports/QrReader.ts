import { Context, type Effect } from "effect"
import type { Failure } from "../shared/Failure.ts"

/** A code that was read off an image. */
export interface ReadCode {
  readonly text: string
  /** The symbol's own version, 1 to 40; null where it has none. */
  readonly version: number | null
}

/** What an image turned out to be, and the codes on it from top to bottom; none is no failure. */
export interface ReadImage {
  readonly format: "png" | "jpeg" | "webp" | "gif"
  readonly codes: ReadonlyArray<ReadCode>
}

/** Reads QR codes off images. It reaches for nothing that a code or an image names. */
export class QrReader extends Context.Service<
  QrReader,
  {
    /**
     * Reads all codes of an image, given in base64, for an account. Accounts take turns.
     *
     * Fails with `INVALID_IMAGE` for what is no PNG, JPEG, WebP or GIF, with `PAYLOAD_TOO_LARGE`
     * for one with too many bytes or pixels, and with `TEMPORARILY_UNAVAILABLE` when too many
     * images wait already, of this account or of all.
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
