import { expect, test } from "vitest"
import { DAY } from "../../../../core/shared/Timestamp.ts"
import {
  afterOutcome,
  afterPatience,
  judgedAt,
} from "../../../../core/webhooks/endpoints/EndpointHealth.ts"
import { anEndpoint, T0 } from "../../../support/records.ts"

const since = (first_failure_at: number | null) => anEndpoint({ first_failure_at })

const off = { status: "disabled", disabled_reason: "requested", disabled_at: T0 } as const

test.each<[string, number | null, boolean, number, number | null | undefined]>([
  ["a 2xx of a healthy one changes nothing", null, true, T0, undefined],
  ["a later failure changes nothing", T0, false, T0 + 5, undefined],
  ["a 2xx that ended before the first failure clears nothing", T0, true, T0 - 1, undefined],
  ["the first failure is remembered", null, false, T0, T0],
  ["a 2xx clears what failed before", T0, true, T0 + 1, null],
  ["a 2xx clears what failed at the same moment", T0, true, T0, null],
  ["a 2xx clears what failed for long", T0, true, T0 + 9 * DAY, null],
])("%s", (_, before, isDelivered, at, after) => {
  expect(afterOutcome(since(before), isDelivered, at)).toStrictEqual(
    after === undefined ? undefined : since(after),
  )
})

test.each([
  ["healthy", since(null), null],
  ["disabled", anEndpoint({ ...off, first_failure_at: T0 }), null],
  ["failing", since(T0), T0 + 5 * DAY],
])("an endpoint that is %s is judged in time", (_, endpoint, at) => {
  expect(judgedAt(endpoint)).toBe(at)
  expect(afterPatience(endpoint, T0 + 5 * DAY - 1)).toBeUndefined()
  expect(afterPatience(endpoint, T0 + 5 * DAY)?.disabled_reason).toBe(
    at === null ? undefined : "delivery_failures",
  )
})
