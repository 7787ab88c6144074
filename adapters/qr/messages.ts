import type { ReadImage } from "../../core/ports/QrReader.ts"

/** Why an image is not read. */
export type Refusal =
  | "not_base64"
  | "not_image"
  | "broken_image"
  | "slow_image"
  | "too_many_bytes"
  | "too_many_pixels"
  | "too_long_side"

/** A request to the process. */
export interface Question {
  readonly number: number
  /** The characters of the base64, a byte each. */
  readonly base64: Uint8Array
}

/**
 * A message of the process: first that it has started, then an answer to each request. It reports a
 * decoded image at once, in case the search for codes takes too long.
 */
export type Word =
  | { readonly type: "ready" }
  | { readonly type: "decoded"; readonly number: number; readonly format: ReadImage["format"] }
  | { readonly type: "read"; readonly number: number; readonly image: ReadImage }
  | { readonly type: "refused"; readonly number: number; readonly refusal: Refusal }
