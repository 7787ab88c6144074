import { Context, type Effect } from "effect"
import type { IdentityData } from "../kyc/verifications/Submission.ts"
import type { Rejection } from "../kyc/verifications/VerificationMachine.ts"

/** What is to be checked, under a number that stays the same when it is asked again. */
export interface IdentityCheck {
  readonly verification_id: string
  readonly data: IdentityData
}

/** The answer of a check. `unavailable` decides nothing: it is asked again later. */
export type CheckOutcome =
  | { readonly type: "passed" }
  | { readonly type: "failed"; readonly rejection: Rejection }
  | { readonly type: "unavailable"; readonly message: string }

/** A name that a channel has for its user, and whom it is claimed for. */
export interface Credential {
  readonly channel: string
  readonly credential: string
  readonly agent_id: string
}

/**
 * Who finds out whether people are who they say. Every question may be asked again, and none of
 * them changes anything. Messages never hold what was asked about.
 */
export class IdentityVerifier extends Context.Service<
  IdentityVerifier,
  {
    /** Whether a channel knows the credential as its verified user's; false where it is silent. */
    readonly confirmsCredential: (credential: Credential) => Effect.Effect<boolean>
    /** Whether the document's number has the form of its kind. */
    readonly checkFormat: (check: IdentityCheck) => Effect.Effect<CheckOutcome>
    /** What the authority says that issued the document. */
    readonly askAuthority: (check: IdentityCheck) => Effect.Effect<CheckOutcome>
    /** Whether name, date of birth and face are the document's. */
    readonly matchIdentity: (check: IdentityCheck) => Effect.Effect<CheckOutcome>
  }
>()("payport/core/ports/IdentityVerifier") {}
