import type { ReadImage } from "../../core/ports/QrReader.ts"

/** Why an image is not read. */
export type Refusal =
  | "not_base64"
  | "not_image"
  | "broken_image"
  | "slow_image"
  | "too_many_bytes"
  | "too_many_pixels"

/** What the process is asked. */
export interface Question {
  readonly number: number
  readonly base64: string
}

/**
 * What the process says: once that it has begun, then an answer to each question. That an image is
 * one is said as soon as that is known, for when the search for codes on it takes too long.
 */
export type Word =
  | { readonly type: "ready" }
  | { readonly type: "decoded"; readonly number: number; readonly format: ReadImage["format"] }
  | { readonly type: "read"; readonly number: number; readonly image: ReadImage }
  | { readonly type: "refused"; readonly number: number; readonly refusal: Refusal }
