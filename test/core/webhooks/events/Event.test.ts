import { describe, expect, test } from "vitest"
import { eventBody } from "../../../../core/webhooks/events/Envelope.ts"
import {
  ENABLED_NAMES,
  enables,
  EVENT_TYPES,
  eventsFor,
  goesToService,
} from "../../../../core/webhooks/events/Event.ts"
import { NOBODY } from "../../../../core/shared/Nobody.ts"
import { anEvent, id, T0, uuid } from "../../../support/records.ts"

const counting = () => {
  let n = 0
  return { uuid: () => uuid(++n) }
}

describe("the names of events", () => {
  test("are each known once, the reserved ones too", () => {
    expect(new Set(ENABLED_NAMES).size).toBe(ENABLED_NAMES.length)
    expect(ENABLED_NAMES).toEqual(expect.arrayContaining(["escrow.held", ...EVENT_TYPES]))
    expect(EVENT_TYPES).not.toContain("escrow.held")
  })

  test("an asterisk means all but what has to be named", () => {
    const named = EVENT_TYPES.filter((type) => !enables(["*"], type))
    expect(named).toEqual([
      "refund.succeeded",
      "refund.failed",
      "refund.requested",
      "refund.declined",
      "refund.withdrawn",
      "webhook.delivery.succeeded",
      "webhook.delivery.retrying",
      "webhook.delivery.failed",
      "api_key.created",
      "api_key.rolled",
      "api_key.revoked",
    ])
    for (const type of named) expect(enables(["*", type], type)).toBe(true)
  })

  test("an event that is not listed is not enabled", () => {
    expect(enables([], "ping")).toBe(false)
    expect(enables(["kyc.verified"], "kyc.rejected")).toBe(false)
    expect(enables(["kyc.verified"], "kyc.verified")).toBe(true)
  })

  test("a service's own endpoint is told of payments and revocations", () => {
    expect(EVENT_TYPES.filter(goesToService)).toEqual([
      "payment_intent.succeeded",
      "payment_intent.failed",
      "payment_intent.expired",
      "payment_intent.cancelled",
      "revocation.succeeded",
      "revocation.failed",
      "revocation.batch.completed",
    ])
  })
})

describe("what happened", () => {
  const said = {
    type: "ping",
    service_id: null,
    subject_id: "we_1",
    data: { endpoint_id: "we_1" },
  } as const

  test("is one record an account, each due at once", () => {
    const accounts = [id("acct", 1), id("acct", 2), id("acct", 1)]
    const events = eventsFor({ ...said, accounts }, counting(), T0)
    const untraced = { ...said, traceparent: null }
    expect(events).toEqual([
      { ...anEvent(untraced), account_id: id("acct", 1) },
      { ...anEvent({ ...untraced, n: 2 }), account_id: id("acct", 2) },
    ])
  })

  test("is nothing for nobody", () => {
    expect(eventsFor({ ...said, accounts: [] }, counting(), T0)).toEqual([])
    const [one] = eventsFor({ ...said, accounts: [id("acct", 1)] }, counting(), T0)
    const shared = [NOBODY, id("acct", 1)]
    expect(eventsFor({ ...said, accounts: shared }, counting(), T0)).toEqual([one])
  })
})

describe("the envelope", () => {
  const created = 1_767_225_601
  const about = { data: { x: 1 }, created_at: T0 + 1_999 }

  test("of a payment is type, data, id and the time in whole unix seconds", () => {
    expect(eventBody(anEvent(about))).toBe(
      JSON.stringify({
        type: "payment_intent.succeeded",
        data: { x: 1 },
        id: id("evt", 1),
        created,
      }),
    )
  })

  test("of an identity says created_at too", () => {
    expect(JSON.parse(eventBody(anEvent({ ...about, type: "kyc.verified" })))).toEqual({
      type: "kyc.verified",
      data: { x: 1 },
      created_at: "2026-01-01T00:00:01.999Z",
      id: id("evt", 1),
      created,
    })
  })

  test("of a revocation says event for type", () => {
    expect(JSON.parse(eventBody(anEvent({ ...about, type: "revocation.failed" })))).toEqual({
      event: "revocation.failed",
      data: { x: 1 },
      id: id("evt", 1),
      created,
    })
  })
})
