import { describe, expect, test } from "vitest"
import {
  codeWait,
  locked,
  lockWait,
  MOST_CODES,
  newAllowance,
  withCode,
} from "../../../core/kyc/codes/Allowance.ts"
import { type Challenge, codeOf, judgeOtp, MOST_ATTEMPTS } from "../../../core/kyc/codes/Otp.ts"
import { HOUR, MINUTE } from "../../../core/shared/Timestamp.ts"
import { anAllowance, T0 } from "../../support/records.ts"

const challenge: Challenge = {
  number: 1,
  code_hash: "right",
  expires_at: T0 + 10 * MINUTE,
  attempts: 0,
  allowances: [],
}
const right = (hash: string) => hash === "right"
const wrong = () => false

describe("an answer to a code", () => {
  test.each([
    ["without a challenge", null, T0, right, { type: "over" }],
    ["at its end", challenge, T0 + 10 * MINUTE, right, { type: "over" }],
    ["after the last attempt", { ...challenge, attempts: 5 }, T0, right, { type: "over" }],
    ["that is wrong", challenge, T0, wrong, { type: "wrong", left: 4 }],
    ["that is wrong at last", { ...challenge, attempts: 4 }, T0, wrong, { type: "wrong", left: 0 }],
    ["that is right at last", { ...challenge, attempts: 4 }, T0, right, { type: "right" }],
    ["just before its end", challenge, T0 + 10 * MINUTE - 1, right, { type: "right" }],
  ] as const)("%s", (_name, given, at, matches, verdict) => {
    expect(judgeOtp(given, at, matches)).toEqual(verdict)
    expect(MOST_ATTEMPTS).toBe(5)
  })

  test("is of six digits, whatever chance says", () => {
    expect(codeOf("0".repeat(64))).toBe("000000")
    expect(codeOf("00000000002a".padEnd(64, "f"))).toBe("000042")
    expect(codeOf("f".repeat(64))).toMatch(/^\d{6}$/)
  })
})

describe("an allowance", () => {
  const after = (...minutes: ReadonlyArray<number>) =>
    minutes.reduce((held, minute) => withCode(held, T0 + minute * MINUTE), newAllowance("otpa_"))

  test.each([
    ["nothing sent", after(), T0, 0],
    ["four sent", after(0, 1, 2, 3), T0 + 4 * MINUTE, 0],
    ["five sent", after(0, 1, 2, 3, 4), T0 + 4 * MINUTE, 56 * MINUTE],
    ["an instant too soon", after(0, 1, 2, 3, 4), T0 + HOUR - 1, 1],
    ["an hour after the first", after(0, 1, 2, 3, 4), T0 + HOUR, 0],
    ["five more since", after(0, 1, 2, 3, 4, 60), T0 + HOUR, MINUTE],
    ["a lock", locked(after(0), T0), T0, 15 * MINUTE],
    ["a lock that is over", locked(after(0), T0), T0 + 15 * MINUTE, 0],
    ["a lock and five sent", locked(after(0, 1, 2, 3, 4), T0 + 50 * MINUTE), T0 + HOUR, 5 * MINUTE],
  ])("with %s makes wait", (_name, held, at, wait) => {
    expect(codeWait(held, at)).toBe(wait)
    expect(MOST_CODES).toBe(5)
  })

  test("is of no more use when neither codes nor a lock hold anybody back", () => {
    expect(after(0, 7).due_at).toBe(T0 + 67 * MINUTE)
    expect(locked(after(0), T0 + 55 * MINUTE).due_at).toBe(T0 + 70 * MINUTE)
    expect(lockWait(anAllowance(), T0)).toBe(0)
  })
})
