import { describe, expect, test } from "vitest"
import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import { find } from "../../../core/channels/Channel.ts"
import {
  BOUNDS,
  deliveryMayLeave,
  eventMayLeave,
  requestMayLeave,
} from "../../../core/retention/Retention.ts"
import { DAY, SECOND } from "../../../core/shared/Timestamp.ts"
import {
  aDelivery,
  anEvent,
  channelRequestIn,
  id,
  intentIn,
  oneTimeIn,
  T0,
} from "../../support/records.ts"

const ended = { due_at: null }

describe("a delivery that is old enough", () => {
  test.each([
    ["stays while it waits for its attempt", aDelivery(), false],
    ["stays while an attempt is made", aDelivery({ status: "delivering" }), false],
    ["leaves once it was delivered", aDelivery({ status: "delivered", ...ended }), true],
    ["leaves once it has failed for good", aDelivery({ status: "failed", ...ended }), true],
    ["leaves once it was skipped", aDelivery({ status: "skipped", ...ended }), true],
  ])("%s", (_, delivery, leaves) => expect(deliveryMayLeave(delivery)).toBe(leaves))
})

describe("an event that is old enough", () => {
  test.each([
    ["stays while its deliveries are to be made", anEvent(), [], false],
    ["stays while a delivery of it is kept", anEvent(ended), [aDelivery()], false],
    ["leaves after its deliveries", anEvent(ended), [], true],
  ])("%s", (_, event, left, leaves) => expect(eventMayLeave(event, left)).toBe(leaves))
})

const paid = intentIn("succeeded")
const WINDOW = T0 + 3 * SECOND + 365 * DAY
const nothingLeft = { ...paid, refunded: { ...paid.refunded, value: paid.amount.value } }
const done = channelRequestIn("done")
const back = { action: "refund", refund: null } as const

describe("a request to a channel that is old enough", () => {
  test.each([
    ["stays while it is outstanding", channelRequestIn("outstanding"), undefined, 0, false],
    ["stays while its outcome is unknown", channelRequestIn("unknown"), undefined, 0, false],
    ["leaves when its payment has left", done, undefined, 0, true],
    ["stays while its payment waits for the payer", done, intentIn("scanning"), 0, false],
    ["stays while its payment is captured", done, intentIn("capturing"), 0, false],
    ["stays while captured money is not settled", done, intentIn("captured"), WINDOW, false],
    ["stays while its payment can be refunded", done, paid, WINDOW, false],
    ["leaves when the refund window is over", done, paid, WINDOW + 1, true],
    ["leaves when nothing is left to be refunded", done, nothingLeft, 0, true],
    ["leaves after its payment has failed", done, intentIn("failed"), 0, true],
    ["leaves once it was refused", channelRequestIn("refused"), intentIn("expired"), 0, true],
    ["stays where it gives late money back", channelRequestIn("done", back), undefined, 0, false],
    [
      "stays where it releases a hold",
      channelRequestIn("done", { action: "release" }),
      undefined,
      0,
      false,
    ],
    [
      "leaves where it carried a refund out",
      channelRequestIn("done", { action: "refund", refund: id("ref", 1) }),
      oneTimeIn("failed"),
      0,
      true,
    ],
  ])("%s", (_, request, payment, now, leaves) =>
    expect(requestMayLeave(request, payment, find(defaultCatalog, "wallet_a"), now)).toBe(leaves),
  )

  test.each([
    ["stays while money of its payment could be given back", paid, false],
    ["leaves when all of that has been given back", nothingLeft, true],
  ])("of a channel that is not in use now %s", (_, payment, leaves) =>
    expect(requestMayLeave(done, payment, undefined, WINDOW + 1)).toBe(leaves),
  )
})

test("what applies where nothing is said is within the bounds", () => {
  for (const { least, most, usual } of Object.values(BOUNDS)) {
    expect(usual).toBeGreaterThanOrEqual(least)
    expect(usual).toBeLessThanOrEqual(most)
  }
})
