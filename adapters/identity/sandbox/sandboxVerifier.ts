import { Effect, Layer } from "effect"
import {
  type CheckOutcome,
  type IdentityCheck,
  IdentityVerifier,
} from "../../../core/ports/IdentityVerifier.ts"

const failed = (code: string, message: string, check: string): CheckOutcome => ({
  type: "failed",
  rejection: { code, message, details: { check, field: "data.document_number" } },
})

const passed: CheckOutcome = { type: "passed" }

const numberOf = ({ data }: IdentityCheck): string => data.document_number ?? ""

const formatOf = (check: IdentityCheck): CheckOutcome =>
  /^[\p{L}\p{Nd}]{6,20}$/u.test(numberOf(check))
    ? passed
    : failed(
        "document_format_invalid",
        "The document's number is not 6 to 20 letters and digits.",
        "document_format",
      )

/**
 * The sandbox's verifier. The end of the document's number decides: `0000` fails as another
 * person's document, and for `9999` the authority does not answer.
 */
export const sandboxVerifier: IdentityVerifier["Service"] = {
  confirmsCredential: ({ credential }) => Effect.succeed(credential.startsWith("ok_")),
  checkFormat: (check) => Effect.succeed(formatOf(check)),
  askAuthority: (check) =>
    Effect.succeed(
      numberOf(check).endsWith("9999")
        ? { type: "unavailable", message: "The issuing authority does not answer." }
        : passed,
    ),
  matchIdentity: (check) =>
    Effect.succeed(
      numberOf(check).endsWith("0000")
        ? failed(
            "document_mismatch",
            "The document is not that of the person who was described.",
            "identity_match",
          )
        : passed,
    ),
}

/** The verifier of the sandbox. */
export const layer: Layer.Layer<IdentityVerifier> = Layer.succeed(IdentityVerifier, sandboxVerifier)
