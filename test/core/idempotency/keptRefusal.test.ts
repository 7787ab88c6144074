import { expect, test } from "vitest"
import { isKeptRefusal } from "../../../core/idempotency/Reply.ts"
import { type FailureCode, STATUSES } from "../../../core/shared/Failure.ts"

const CODES = Object.keys(STATUSES) as ReadonlyArray<FailureCode>

/** The statuses of those codes that are kept, or not. */
const statusesWhere = (kept: boolean) =>
  [
    ...new Set(
      CODES.flatMap((code) => {
        const status = STATUSES[code]
        return isKeptRefusal({ code, status }) === kept ? [status] : []
      }),
    ),
  ].toSorted((a, b) => a - b)

test("what the same request may be answered otherwise is not kept", () => {
  expect(statusesWhere(false)).toEqual([400, 401, 403, 404, 409, 413, 415, 429, 500, 502, 503])
})

test("everything else is", () => {
  expect(statusesWhere(true)).toEqual([402, 405, 409, 422])
})

test("of the conflicts only those of the keys themselves are not kept", () => {
  const free = CODES.filter(
    (code) => STATUSES[code] === 409 && !isKeptRefusal({ code, status: STATUSES[code] }),
  )
  expect(free).toEqual(["IDEMPOTENCY_KEY_USED", "IDEMPOTENCY_KEY_IN_PROGRESS"])
})

test("a refusal that says when to come back is not kept", () => {
  const refusal = { code: "PAYMENT_UNRESOLVED", status: 409 } as const
  expect([isKeptRefusal(refusal), isKeptRefusal({ ...refusal, retry_after: 5 })]).toEqual([
    true,
    false,
  ])
})
