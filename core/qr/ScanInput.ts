import { Result, Schema } from "effect"
import { Failure } from "../shared/Failure.ts"

/** How many characters from the start are searched for content and for a data URL's header. */
const MOST_HEADER = 256

/** The body of `POST /v1/ai/scan-qr` (AI-native endpoints): base64, or a data URL of it. */
export const ScanInput = Schema.Struct({
  image: Schema.String.check(
    Schema.makeFilter((image: string) =>
      image.slice(0, MOST_HEADER).trim() === "" ? "must be an image in base64" : undefined,
    ),
  ).annotateKey({ description: "A PNG, JPEG, WebP or GIF in base64, plain or as a data URL." }),
})
export type ScanInput = typeof ScanInput.Type

/**
 * Returns the base64 of an image. Ignores the media type of a data URL, since the bytes determine
 * the format.
 *
 * Fails with `INVALID_IMAGE` for a data URL that is not base64.
 */
export const base64Of = ({ image }: ScanInput): Result.Result<string, Failure<"INVALID_IMAGE">> => {
  if (!/^\s*data:/i.test(image.slice(0, MOST_HEADER))) return Result.succeed(image)
  const comma = image.slice(0, MOST_HEADER).indexOf(",")
  if (comma > 0 && /;\s*base64\s*$/i.test(image.slice(0, comma))) {
    return Result.succeed(image.slice(comma + 1))
  }
  return Result.fail(
    new Failure({
      code: "INVALID_IMAGE",
      message: "The data URL is not in base64. Send data:image/png;base64,… or the base64 alone.",
      field: "image",
    }),
  )
}
