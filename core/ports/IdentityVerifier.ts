import { Context, type Effect } from "effect"
import type { IdentityData } from "../kyc/verifications/Submission.ts"
import type { Rejection } from "../kyc/verifications/VerificationMachine.ts"

/** The data to check. The number stays the same when the check is repeated. */
export interface IdentityCheck {
  readonly verification_id: string
  readonly data: IdentityData
}

/** The answer of a check. `unavailable` decides nothing: the check is repeated later. */
export type CheckOutcome =
  | { readonly type: "passed" }
  | { readonly type: "failed"; readonly rejection: Rejection }
  | { readonly type: "unavailable"; readonly message: string }

/** A channel's name for its user, and the agent it is claimed for. */
export interface Credential {
  readonly channel: string
  readonly credential: string
  readonly agent_id: string
}

/**
 * Checks whether people are who they say. Every question may be repeated, and none changes
 * anything. Messages never hold the data that was checked.
 */
export class IdentityVerifier extends Context.Service<
  IdentityVerifier,
  {
    /**
     * Returns whether a channel knows the credential as its verified user's; false without an
     * answer.
     */
    readonly confirmsCredential: (credential: Credential) => Effect.Effect<boolean>
    /** Checks whether the document's number has the form of its kind. */
    readonly checkFormat: (check: IdentityCheck) => Effect.Effect<CheckOutcome>
    /** Asks the authority that issued the document. */
    readonly askAuthority: (check: IdentityCheck) => Effect.Effect<CheckOutcome>
    /** Checks whether name, date of birth and face are the document's. */
    readonly matchIdentity: (check: IdentityCheck) => Effect.Effect<CheckOutcome>
  }
>()("payport/core/ports/IdentityVerifier") {}
