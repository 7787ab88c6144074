import { describe, expect, test } from "vitest"
import {
  judge,
  REGISTERED_ENDPOINT,
  SERVICE_ENDPOINT,
} from "../../../../core/webhooks/deliveries/Schedule.ts"

const ENDED_AT = 1_000_000
const retry = (seconds: number) => ({ type: "retry", due_at: ENDED_AT + seconds * 1_000 })
const delivered = { type: "delivered" }
const failed = { type: "failed" }

describe("the schedule of a service's endpoint", () => {
  test.each([
    [1, 60],
    [2, 300],
    [3, 1_800],
    [4, 7_200],
    [5, 21_600],
  ])("waits after attempt %i for %i seconds", (attempt, seconds) => {
    expect(judge(SERVICE_ENDPOINT, attempt, 500, ENDED_AT)).toEqual(retry(seconds))
  })

  test("ends with the sixth attempt", () => {
    expect(judge(SERVICE_ENDPOINT, 6, 500, ENDED_AT)).toEqual(failed)
    expect(judge(SERVICE_ENDPOINT, 6, null, ENDED_AT)).toEqual(failed)
    expect(judge(SERVICE_ENDPOINT, 7, 500, ENDED_AT)).toEqual(failed)
  })

  test.each([100, 199, 300, 301, 302, 304, 307, 308, 400, 401, 404, 410, 429, 500, 503, 599, null])(
    "tries again after %s",
    (status) => {
      expect(judge(SERVICE_ENDPOINT, 1, status, ENDED_AT)).toEqual(retry(60))
    },
  )

  test.each([200, 201, 202, 204, 299])("is done after %i, even the last time", (status) => {
    expect(judge(SERVICE_ENDPOINT, 1, status, ENDED_AT)).toEqual(delivered)
    expect(judge(SERVICE_ENDPOINT, 6, status, ENDED_AT)).toEqual(delivered)
  })
})

describe("the schedule of a registered endpoint", () => {
  test.each([
    [1, 503, retry(10)],
    [9, 503, retry(259_200)],
    [10, 503, failed],
    [1, null, retry(10)],
    [1, 401, retry(10)],
    [1, 302, retry(10)],
    [1, 404, failed],
    [1, 410, failed],
    [10, 200, delivered],
  ])("after attempt %i with %s", (attempt, status, verdict) => {
    expect(judge(REGISTERED_ENDPOINT, attempt, status, ENDED_AT)).toEqual(verdict)
  })
})
