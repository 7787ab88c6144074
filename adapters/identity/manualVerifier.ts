import { Effect, Layer } from "effect"
import { type CheckOutcome, IdentityVerifier } from "../../core/ports/IdentityVerifier.ts"

const away: CheckOutcome = {
  type: "unavailable",
  message: "No authority is connected; a reviewer has to decide.",
}

/** Decides nothing: identities wait for a reviewer. For installations without a verifier. */
export const layer: Layer.Layer<IdentityVerifier> = Layer.succeed(IdentityVerifier, {
  confirmsCredential: () => Effect.succeed(false),
  checkFormat: () => Effect.succeed(away),
  askAuthority: () => Effect.succeed(away),
  matchIdentity: () => Effect.succeed(away),
})
