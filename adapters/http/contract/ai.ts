import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ScanInput } from "../../../core/qr/ScanInput.ts"
import { AccountKey } from "./Access.ts"
import { ANY, BODY, KEYED, ONCE, refusals } from "./Errors.ts"
import { BodyLimit, Idempotency } from "./Route.ts"
import { ScanResult } from "./ScanResult.ts"

/** An image of 8 MiB in base64, and some room for line breaks and the rest of the body. */
const IMAGE_BODY = 12 * 1024 * 1024

/** A black dot. */
const DOT =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4" +
  "nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="

/** What agents are helped with (AI-native endpoints). */
export const ai = HttpApiGroup.make("ai")
  .add(
    HttpApiEndpoint.post("scanQr", "/v1/ai/scan-qr", {
      disableCodecs: true,
      payload: ScanInput.annotate({
        identifier: "ScanInput",
        description:
          "A PNG, JPEG, WebP or GIF of at most 8 MiB and 40 megapixels, in base64 or as a" +
          " data URL.",
        examples: [{ image: DOT }],
      }),
      success: ScanResult,
      error: refusals(ANY, KEYED, BODY, ONCE, ["INVALID_IMAGE", "QR_NOT_FOUND"]),
    })
      .annotate(BodyLimit, IMAGE_BODY)
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Read the QR codes of an image")
      .annotate(
        OpenApi.Description,
        "Links of payport, merchant codes after EMV of any country and addresses of the web are " +
          "told apart, and what to do is recommended. Nothing that a code names is fetched.",
      ),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "AI")
