import { Cause } from "effect"
import { expect, test } from "vitest"
import { failureOf } from "../../../adapters/shared/failureOf.ts"
import { StoreUnavailable } from "../../../core/ports/Store.ts"
import { Failure } from "../../../core/shared/Failure.ts"

const shown = (error: unknown) => failureOf(Cause.fail(error))

test("a refusal of ours is shown as it is", () => {
  const failure = new Failure({ code: "NOT_FOUND", message: "There is none." })
  expect(shown(failure)).toBe(failure)
})

test("a store that stored nothing may be asked again", () => {
  const { code, retry_after } = shown(new StoreUnavailable({ outcome: "not_stored", cause: "cut" }))
  expect([code, retry_after]).toStrictEqual(["TEMPORARILY_UNAVAILABLE", 1])
})

test("an audit log that cannot grow is told of", () => {
  const broken = { outcome: "not_stored", cause: "cut", trouble: "audit" } as const
  const { code, details, message } = shown(new StoreUnavailable(broken))
  expect({ code, details }).toStrictEqual({
    code: "TEMPORARILY_UNAVAILABLE",
    details: { reason: "audit" },
  })
  expect(message).toContain("payport doctor")
})

test("an unknown outcome names what to look for, and says what a repetition would be", () => {
  const lost = { outcome: "unknown", cause: "cut" } as const
  const { code, details, message } = shown(new StoreUnavailable({ ...lost, subject: "ref_1" }))
  expect({ code, details }).toStrictEqual({ code: "OUTCOME_UNKNOWN", details: { id: "ref_1" } })
  expect(message).toContain("Look for ref_1 before you repeat the request.")
  expect(message).toContain("Without a key, it may take effect twice")
  expect(shown(new StoreUnavailable(lost))).toMatchObject({ code: "OUTCOME_UNKNOWN" })
})

test("of anything else nothing is shown", () => {
  const { code, message } = failureOf(Cause.die(new Error("the cat is out")))
  expect(code).toBe("INTERNAL_ERROR")
  expect(message).not.toContain("cat")
})
