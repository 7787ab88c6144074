/** The problem of a credential, by the names of the "Payment" scheme (Error Codes). */
export type ProblemName =
  | "payment-required"
  | "payment-expired"
  | "verification-failed"
  | "method-unsupported"
  | "malformed-credential"
  | "invalid-challenge"

const TITLES: { readonly [N in ProblemName]: string } = {
  "payment-required": "Payment Required",
  "payment-expired": "Payment Expired",
  "verification-failed": "Verification Failed",
  "method-unsupported": "Method Unsupported",
  "malformed-credential": "Malformed Credential",
  "invalid-challenge": "Invalid Challenge",
}

/** Problem Details (RFC 9457). */
export interface MppProblem {
  readonly type: string
  readonly title: string
  readonly status: number
  /** What was wrong, and what to do. */
  readonly detail: string
}

/** The media type of {@link MppProblem}. */
export const PROBLEM_TYPE = "application/problem+json"

/** Returns the problem with that name. */
export const problem = (name: ProblemName, detail: string): MppProblem => ({
  type: `https://paymentauth.org/problems/${name}`,
  title: TITLES[name],
  status: name === "method-unsupported" ? 400 : 402,
  detail,
})
