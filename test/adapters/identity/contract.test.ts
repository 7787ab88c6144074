import { Effect, Layer } from "effect"
import * as manualVerifier from "../../../adapters/identity/manualVerifier.ts"
import * as sandbox from "../../../adapters/identity/sandbox/sandboxVerifier.ts"
import {
  identityVerifierContract,
  type IdentityVerifierUnderTest,
} from "../../../apps/payport/testing/identityVerifierContract.ts"
import { type CheckOutcome, IdentityVerifier } from "../../../core/ports/IdentityVerifier.ts"
import { type Flaws, noticesMutants } from "../../support/mutation.ts"
import { runContract } from "../../support/runContract.ts"

type Service = IdentityVerifier["Service"]

const person = (document_number: string) => ({
  full_name: "Ada Lovelace",
  date_of_birth: "1990-12-10",
  document_type: "passport" as const,
  document_number,
})

const UNISSUED = "K00000007"

/** The sandbox's verifier, with an authority that knows one document that it never issued. */
const verifier = (change = (sound: Service) => sound): IdentityVerifierUnderTest => ({
  open: () =>
    Layer.succeed(
      IdentityVerifier,
      change({
        ...sandbox.sandboxVerifier,
        askAuthority: (check) =>
          check.data.document_number === UNISSUED
            ? Effect.succeed({
                type: "failed",
                rejection: { code: "document_unknown", message: "No such document.", details: {} },
              })
            : sandbox.sandboxVerifier.askAuthority(check),
      }),
    ),
  people: {
    genuine: person("K12345678"),
    malformed: person("K-1"),
    unissued: person(UNISSUED),
    unanswered: person("K12349999"),
    mismatched: person("K12340000"),
  },
  credential: { channel: "wallet_a", credential: "ok_ada", agent_id: "ada" },
  stranger: { channel: "wallet_a", credential: "2088-7", agent_id: "eve" },
})

const { people, ...sandboxed } = verifier()
const { unissued: _, ...known } = people

runContract(
  "the sandbox's verifier",
  identityVerifierContract({ ...sandboxed, open: () => sandbox.layer, people: known }),
)

runContract(
  "reviewers in the place of a verifier",
  identityVerifierContract({
    open: () => manualVerifier.layer,
    people: {},
    stranger: sandboxed.stranger,
  }),
)

const QUESTIONS = ["checkFormat", "askAuthority", "matchIdentity"] as const

/** What goes wrong with any of the questions about documents. */
const wrongAnswers = (of: (typeof QUESTIONS)[number]) => {
  const outcomes =
    (change: (outcome: CheckOutcome, told: string) => unknown) => (sound: Service) => ({
      [of]: (check: Parameters<Service[typeof of]>[0]) =>
        Effect.map(
          sound[of](check),
          (outcome) => change(outcome, check.data.full_name ?? "") as CheckOutcome,
        ),
    })
  return {
    "passes everybody": outcomes(() => ({ type: "passed" })),
    "passes nobody": outcomes(() => ({ type: "unavailable", message: "Later." })),
    "tells of the person": outcomes((outcome, told) =>
      outcome.type === "passed" ? { type: "passed", told } : outcome,
    ),
    "breaks where it does not pass": outcomes((outcome) => {
      if (outcome.type !== "passed") throw new Error("No.")
      return outcome
    }),
    "tells in the message whom it is about": outcomes((outcome, told) => {
      if (outcome.type === "unavailable") return { ...outcome, message: told }
      if (outcome.type === "passed") return outcome
      return { ...outcome, rejection: { ...outcome.rejection, message: told } }
    }),
    "has no words": outcomes((outcome) => {
      if (outcome.type === "unavailable") return { ...outcome, message: "" }
      if (outcome.type === "passed") return outcome
      return { ...outcome, rejection: { ...outcome.rejection, message: "" } }
    }),
    "passes who is asked about again": (sound: Service) => {
      const asked = new Set<string>()
      return {
        [of]: (check: Parameters<Service[typeof of]>[0]) =>
          Effect.suspend(() => {
            if (asked.has(check.verification_id)) return Effect.succeed({ type: "passed" } as const)
            asked.add(check.verification_id)
            return sound[of](check)
          }),
      }
    },
  }
}

const flaws: Flaws<Service> = {
  checkFormat: wrongAnswers("checkFormat"),
  askAuthority: wrongAnswers("askAuthority"),
  matchIdentity: wrongAnswers("matchIdentity"),
  confirmsCredential: {
    "confirms everybody": () => ({ confirmsCredential: () => Effect.succeed(true) }),
    "confirms nobody": () => ({ confirmsCredential: () => Effect.succeed(false) }),
  },
}

noticesMutants<Service>((change) => identityVerifierContract(verifier(change)), flaws, [
  // A verifier may identify an agent or a channel's user by any of these.
  /^confirmsCredential does not heed (agent_id|channel)/,
  /does not heed verification_id/,
])
