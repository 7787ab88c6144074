import { failed, firstFlaw, passed } from "../report/Report.ts"
import type { Fields } from "./Gateway.ts"
import { believedEnd, ended, isPending, outcomeOf, STILL_PENDING } from "./ended.ts"
import { captured, withHeld } from "./held.ts"
import { believed, type GatewayCheck, heard, ONE_EFFECT, PROTOCOL } from "./verdicts.ts"

const same = (one: Fields, other: Fields): boolean =>
  ["number", "status", "trade_no", "at"].every((name) => one[name] === other[name])

/** Checks of what a gateway does with held money. */
export const CAPTURES: ReadonlyArray<GatewayCheck> = [
  {
    id: "capture",
    title: "captures what is held",
    clause: `${PROTOCOL}: POST /v1/requests`,
    needs: ["charge"],
    judge: withHeld(async (gateway, charge) => {
      const held = await gateway.look(charge)
      const asked = await ended(gateway, charge, "capture", charge.value)
      const advice = "Take the held money and answer with trade_no and the time."
      const verdicts = [
        believed(held, 200, { status: "held" }, "Hold the money until it is captured."),
        believedEnd(asked, { status: "done" }, advice),
      ]
      if (isPending(asked)) return firstFlaw(verdicts)
      if (typeof asked.fields["trade_no"] !== "string" || typeof asked.fields["at"] !== "string") {
        verdicts.push(failed("trade_no and at", heard(asked), advice))
      }
      return firstFlaw(verdicts)
    }),
  },
  {
    id: "same-answer",
    title: "answers a number again as the first time",
    clause: ONE_EFFECT,
    needs: ["capture"],
    judge: withHeld(async (gateway, charge) => {
      const number = gateway.number()
      const answered = await gateway.request(charge, "capture", charge.value, number)
      const first = isPending(answered) ? await outcomeOf(gateway, charge, number) : answered
      if (isPending(first)) return STILL_PENDING
      const again = await gateway.request(charge, "capture", charge.value, number)
      const asked = await gateway.outcome(charge, number)
      // Whoever keeps answers may repeat that the number is pending, and tell its end when asked.
      const isRepeated = same(answered.fields, again.fields)
      const told = isRepeated ? [asked] : [again, asked]
      const odd = told.find(({ fields }) => !same(first.fields, fields))
      if (odd === undefined) return passed
      return failed(heard(first), heard(odd), "Keep each number with its answer.")
    }),
  },
  {
    id: "too-much",
    title: "refuses to refund more than was taken, and to capture more than is held",
    clause: `${PROTOCOL}: a capture of more than is held is refused`,
    needs: ["capture"],
    judge: withHeld(async (gateway, charge) => {
      const over = await ended(gateway, charge, "capture", charge.value + 1)
      await ended(gateway, charge, "capture", charge.value)
      const back = await ended(gateway, charge, "refund", charge.value + 1)
      const advice = "Hold each request against the books before it moves anything."
      return firstFlaw([over, back].map((one) => believedEnd(one, { status: "refused" }, advice)))
    }),
  },
  {
    id: "captured-once",
    title: "captures once, whatever number asks",
    clause: `${PROTOCOL}: status of a charge`,
    needs: ["capture"],
    judge: captured(async (gateway, charge) => {
      const again = await ended(gateway, charge, "capture", charge.value)
      return believedEnd(again, { status: "refused" }, "Nothing is held any more: refuse it.")
    }),
  },
  {
    id: "released",
    title: "releases what is held, and then captures nothing of it",
    clause: `${PROTOCOL}: POST /v1/requests, release`,
    needs: ["capture"],
    judge: withHeld(async (gateway, charge) => {
      const released = await ended(gateway, charge, "release", charge.value)
      const late = await ended(gateway, charge, "capture", charge.value)
      return firstFlaw([
        believedEnd(released, { status: "done" }, "Give back what is held."),
        believedEnd(late, { status: "refused" }, "What was released is gone: refuse it."),
      ])
    }),
  },
]
