import { describe, expect, test } from "vitest"
import {
  type Challenge,
  identification,
  isRepetition,
  keepUntil,
  mismatch,
  type PaymentStanding,
  PROOF_LIFETIME,
  redeemed,
  REPEATABLE,
  shortfallOf,
  standingOf,
  USED_KEPT,
  useOf,
  validUntil,
} from "../../../core/challenges/Challenge.ts"
import { afterDraw, closed } from "../../../core/challenges/PaymentSession.ts"
import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import { NOTHING_REFUNDED } from "../../../core/payments/Refunded.ts"
import { HOUR, MINUTE } from "../../../core/shared/Timestamp.ts"
import { aChallenge, anIntent, intentIn, T0, uuid } from "../../support/records.ts"

const shown = {
  service_id: uuid(1),
  amount: { currency: "USD", value: 699 },
  resource: "GET /reports/7",
}

describe("what a proof is bound to", () => {
  test.each([
    ["another service", { service_id: uuid(2) }, "service_id"],
    ["less money", { amount: { currency: "USD", value: 698 } }, "amount"],
    ["more money", { amount: { currency: "USD", value: 700 } }, "amount"],
    ["another currency", { amount: { currency: "EUR", value: 699 } }, "amount"],
    ["another path", { resource: "GET /reports/8" }, "resource"],
    ["another method", { resource: "POST /reports/7" }, "resource"],
    ["a longer path", { resource: "GET /reports/7/" }, "resource"],
    ["the same", {}, undefined],
  ])("%s", (_, said, field) => {
    expect(mismatch(aChallenge(), { ...shown, ...said })).toBe(field)
  })
})

describe("the identifier of its purchase", () => {
  const named = aChallenge({ payment_identifier: "purchase_00000001" })
  const other = "purchase_00000002"
  test.each<[string, Challenge, string | undefined, string]>([
    ["shown without one", named, undefined, "none"],
    ["shown under its own", named, "purchase_00000001", "same"],
    ["shown under another", named, other, "other"],
    ["shown under one in another case", named, "PURCHASE_00000001", "other"],
    ["shown under the first", aChallenge(), other, "first"],
  ])("%s", (_, challenge, shown, expected) => {
    expect(identification(challenge, shown)).toBe(expected)
  })

  const used = redeemed(named, T0)
  test.each<[string, Challenge, string | undefined, number, boolean]>([
    ["the first time", named, "purchase_00000001", T0, false],
    ["again", used, "purchase_00000001", T0, true],
    ["again within the hour", used, "purchase_00000001", T0 + REPEATABLE - 1, true],
    ["again later", used, "purchase_00000001", T0 + REPEATABLE, false],
    ["again under another", used, other, T0, false],
    ["again without one", used, undefined, T0, false],
    ["again under the first", redeemed(aChallenge(), T0), other, T0, false],
  ])("shown %s", (_, challenge, shown, now, expected) => {
    expect(isRepetition(challenge, shown, now)).toBe(expected)
  })
})

describe("its use", () => {
  const once = aChallenge()
  const timed = aChallenge({ valid_seconds: 60 })
  test.each<[string, Challenge, number, string]>([
    ["used up by one use", redeemed(once, T0), T0, "used"],
    ["over at the end of its time", redeemed(timed, T0), T0 + MINUTE, "used"],
    ["open until then", redeemed(timed, T0), T0 + MINUTE - 1, "open"],
    ["open from the first use on", redeemed(timed, T0), T0, "open"],
    ["unused, however old", timed, T0 + 1_000 * HOUR, "unused"],
    ["unused", once, T0, "unused"],
    ["used from the first draw on", afterDraw(once, 5, T0), T0, "used"],
    ["used once it was drawn from, whatever its time", afterDraw(timed, 5, T0), T0, "used"],
    ["used once its session was closed", closed(timed, null, T0), T0, "used"],
  ])("%s", (_, challenge, now, use) => {
    expect(useOf(challenge, now)).toBe(use)
  })

  test("its time begins with the first use", () => {
    expect(validUntil(timed)).toBeNull()
    expect(validUntil(redeemed(once, T0))).toBeNull()
    expect(validUntil(redeemed(timed, T0 + 5))).toBe(T0 + 5 + MINUTE)
  })
})

describe("the payment's standing", () => {
  test.each<[Parameters<typeof intentIn>[0], PaymentStanding]>([
    ["pending", "unpaid"],
    ["qr_generated", "unpaid"],
    ["scanning", "unpaid"],
    ["authorized", "authorized"],
    ["capturing", "unresolved"],
    ["captured", "paid"],
    ["succeeded", "paid"],
    ["failed", "ended"],
    ["expired", "ended"],
    ["cancelled", "ended"],
    ["voided", "ended"],
  ])("%s is %s", (status, standing) => {
    expect(standingOf(intentIn(status))).toBe(standing)
  })

  test("is returned when all of it was given back, and paid before that", () => {
    const back = (value: number) => ({ ...NOTHING_REFUNDED, value })
    const paid = intentIn("succeeded")
    expect(standingOf({ ...paid, refunded: back(paid.amount.value) })).toBe("returned")
    expect(standingOf({ ...paid, refunded: back(paid.amount.value - 1) })).toBe("paid")
    expect(standingOf({ ...anIntent(), refunded: back(0) })).toBe("unpaid")
  })
})

describe("what is missing of its price", () => {
  const paid = intentIn("succeeded")
  const whole = paid.amount.value
  const part = { ...paid, capture_value: whole - 1 }
  const back = (value: number) => ({ refunded: { ...NOTHING_REFUNDED, value } })
  test.each<[string, PaymentIntent, number | undefined, string | undefined]>([
    ["nothing of what was captured whole", paid, undefined, undefined],
    ["a rest that was not captured", part, undefined, "taken_otherwise"],
    ["nothing of the part that was asked for", part, whole - 1, undefined],
    ["another part", part, 1, "taken_otherwise"],
    ["a part, and all was captured", paid, whole - 1, "taken_otherwise"],
    ["a refunded cent", { ...paid, ...back(1) }, undefined, "given_back"],
    ["a refunded cent of a part", { ...part, ...back(1) }, whole - 1, "given_back"],
    ["nothing yet while it is held", intentIn("authorized"), 1, undefined],
    ["nothing more of what was given back", { ...paid, ...back(whole) }, undefined, undefined],
  ])("%s", (_, intent, takes, missing) => {
    expect(shortfallOf(intent, takes)).toBe(missing)
  })
})

describe("how long it is kept", () => {
  const now = T0 + 2 * HOUR
  test.each<[string, Challenge, PaymentStanding | undefined, number, number | null]>([
    ["without its payment", aChallenge(), undefined, now, null],
    ["once its payment has ended", aChallenge(), "ended", now, null],
    ["once its payment was given back", aChallenge(), "returned", now, null],
    ["while it can be paid", aChallenge(), "unpaid", now, now + HOUR],
    ["while nobody knows", aChallenge(), "unresolved", now, now + HOUR],
    ["paid and not shown", aChallenge(), "paid", now, T0 + PROOF_LIFETIME],
    ["paid and never shown", aChallenge(), "paid", T0 + PROOF_LIFETIME, null],
    ["used", redeemed(aChallenge(), T0), "paid", now, T0 + USED_KEPT],
    ["used long ago", redeemed(aChallenge(), T0), "paid", T0 + USED_KEPT, null],
    ["used and given back", redeemed(aChallenge(), T0), "returned", now, T0 + USED_KEPT],
    [
      "within its time",
      redeemed(aChallenge({ valid_seconds: 60 }), T0),
      "paid",
      now,
      T0 + MINUTE + USED_KEPT,
    ],
  ])("%s", (_, challenge, standing, at, until) => {
    expect(keepUntil(challenge, standing, at)).toBe(until)
  })
})
