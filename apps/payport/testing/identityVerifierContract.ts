import { randomUUID } from "node:crypto"
import { Effect, type Layer } from "effect"
import {
  type CheckOutcome,
  type Credential,
  IdentityVerifier,
} from "../../../core/ports/IdentityVerifier.ts"
import type { IdentityData } from "../../../core/kyc/verifications/Submission.ts"
import type { Check, Contract, MethodsCovered } from "./Contract.ts"
import { expect } from "./expect.ts"
import { portContract } from "./portContract.ts"

/** The people of a verifier's test mode. A kind that it does not have is left out. */
export interface TestPeople {
  /** Every check of this person passes. */
  readonly genuine?: IdentityData
  /** The document's number does not have the form of its kind. */
  readonly malformed?: IdentityData
  /** The form is right, but the authority knows no such document. */
  readonly unissued?: IdentityData
  /** The form is right, but the authority does not answer. */
  readonly unanswered?: IdentityData
  /** The form is right, but the document is another person's. */
  readonly mismatched?: IdentityData
}

/** The verifier to be checked, with its test mode. */
export interface IdentityVerifierUnderTest {
  /** Makes a layer of the adapter; called once for each check, which closes the layer. */
  readonly open: () => Layer.Layer<IdentityVerifier, unknown>
  readonly people: TestPeople
  /** A channel's credential for a verified user; without it, confirmation is not checked. */
  readonly credential?: Credential
  /** A credential that no channel knows. */
  readonly stranger: Credential
}

type Question = "askAuthority" | "checkFormat" | "matchIdentity"
type Outcome = CheckOutcome["type"]

const QUESTIONS: ReadonlyArray<Question> = ["checkFormat", "askAuthority", "matchIdentity"]

/** The question about each person, and the expected outcome. */
const EXPECTED: {
  readonly [P in keyof TestPeople]-?: { readonly [Q in Question]?: Outcome }
} = {
  genuine: { checkFormat: "passed", askAuthority: "passed", matchIdentity: "passed" },
  malformed: { checkFormat: "failed" },
  unissued: { checkFormat: "passed", askAuthority: "failed" },
  unanswered: { checkFormat: "passed", askAuthority: "unavailable" },
  mismatched: { checkFormat: "passed", matchIdentity: "failed" },
}

/** Data that must not be revealed about a person, in logs or in responses to others. */
const secretsOf = (data: IdentityData): ReadonlyArray<string> =>
  [data.document_number, data.full_name, data.date_of_birth, data.email, data.phone].filter(
    (secret) => secret !== undefined && secret.length > 3,
  ) as ReadonlyArray<string>

const isText = (value: unknown): boolean => typeof value === "string" && value.length > 0

/** Checks the form of an outcome, and that it reveals no data of the person. */
const hold = (outcome: CheckOutcome, data: IdentityData): void => {
  const told = JSON.stringify(outcome)
  for (const secret of secretsOf(data)) expect(told.includes(secret), "tells a secret").toBe(false)
  if (outcome.type === "passed") return expect(outcome).toStrictEqual({ type: "passed" })
  if (outcome.type === "unavailable") {
    expect(Object.keys(outcome).toSorted()).toStrictEqual(["message", "type"])
    return expect(isText(outcome.message), "a message").toBe(true)
  }
  const { code, details, message } = outcome.rejection
  expect(isText(code) && isText(message), "a code and a message").toBe(true)
  expect(Object.values(details).every((detail) => typeof detail === "string")).toBe(true)
}

const answers =
  ({ credential, people, stranger }: IdentityVerifierUnderTest) =>
  (check: Check<IdentityVerifier>): void => {
    const ask = (question: Question, data: IdentityData, verification_id: string) =>
      Effect.flatMap(IdentityVerifier, (verifier) => verifier[question]({ verification_id, data }))

    for (const [who, data] of Object.entries(people) as Array<[keyof TestPeople, IdentityData]>) {
      for (const question of QUESTIONS) {
        const expected = EXPECTED[who][question]
        if (expected === undefined) continue
        check(`${question} of somebody ${who}: ${expected}, however often it is asked`, () =>
          Effect.gen(function* () {
            const own = `kyc_${randomUUID()}`
            for (const id of [own, own, `kyc_${randomUUID()}`]) {
              const outcome = yield* ask(question, data, id)
              expect(outcome.type).toBe(expected)
              hold(outcome, data)
            }
            const asked = Array.from({ length: 8 }, () => ask(question, data, own))
            for (const { type } of yield* Effect.all(asked, { concurrency: "unbounded" })) {
              expect(type).toBe(expected)
            }
          }),
        )
      }
    }

    check("each of the people is asked about by themselves", () =>
      Effect.gen(function* () {
        const known = Object.entries(people) as Array<[keyof TestPeople, IdentityData]>
        for (const question of QUESTIONS) {
          for (const [who, data] of [...known, ...known.toReversed()]) {
            const expected = EXPECTED[who][question]
            if (expected === undefined) continue
            const { type } = yield* ask(question, data, `kyc_${randomUUID()}`)
            expect(type, `${question} of ${who}`).toBe(expected)
          }
        }
      }),
    )

    check("a credential is confirmed where a channel knows it, and else it is not", () =>
      Effect.gen(function* () {
        const { confirmsCredential } = yield* IdentityVerifier
        expect(yield* confirmsCredential(stranger)).toBe(false)
        if (credential === undefined) return
        expect(yield* confirmsCredential(credential)).toBe(true)
        expect(yield* confirmsCredential(stranger)).toBe(false)
        expect(yield* confirmsCredential(credential)).toBe(true)
      }),
    )
  }

/** Checks what every verifier of identities does. */
export const identityVerifierContract = (
  verifier: IdentityVerifierUnderTest,
): Contract<MethodsCovered> =>
  portContract(
    IdentityVerifier,
    { confirmsCredential: 0, checkFormat: 0, askAuthority: 0, matchIdentity: 0 },
    verifier.open,
    [answers(verifier)],
  )
