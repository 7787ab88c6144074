import type { Answered, Passing } from "../../simulate/flawedProxy.ts"
import { changed, type Fields, fieldsOf, on } from "./subject.ts"
import {
  asks,
  CAPTURE,
  minutes,
  moneyOf,
  more,
  type Mutant,
  READ,
  REFUND,
  refuses,
  says,
  shows,
} from "./bugs.ts"

/** Total and parts of a payment, as a service has them that counts each refund alone. */
const countingAlone = () => {
  const wholes = new Map<unknown, number>()
  return {
    api: on(REFUND, async (passing, pass) =>
      changed(await pass(passing), (fields) => {
        const left = fields["remaining_refundable"]
        if (left === undefined) return fields
        const { value } = moneyOf(fields["amount"])
        const id = fields["payment_intent"]
        const whole = wholes.get(id) ?? moneyOf(left).value + value
        wholes.set(id, whole)
        return { ...fields, remaining_refundable: { ...moneyOf(left), value: whole - value } }
      }),
    ),
  }
}

/** A refund as a service answers it that looks at nothing. */
const giving = (answer: Answered, { body }: Passing): Answered => {
  const { amount, payment_intent } = fieldsOf(body)
  const refund = {
    id: "ref_00000000-0000-7000-8000-000000000001",
    payment_intent,
    amount: amount ?? { currency: "USD", value: 1 },
    status: "succeeded",
  }
  return { ...answer, status: 201, text: JSON.stringify(refund) }
}

/** The bugs of money. */
export const MONEY: ReadonlyArray<Mutant> = [
  {
    name: "settles a cent less",
    parts: shows((fields) =>
      fields["settlement"] === undefined
        ? fields
        : { ...fields, settlement: more(fields["settlement"], -1) },
    ),
    named: ["settles"],
  },
  {
    name: "changes what a payment settles to once it has succeeded",
    parts: says(READ, (fields) =>
      fields["status"] === "succeeded"
        ? { ...fields, settlement: more(fields["settlement"], -1) }
        : fields,
    ),
    named: ["kept"],
  },
  {
    name: "says that both a capture and a void were done",
    parts: () => ({
      api: async (passing, pass) => {
        const answer = await pass(passing)
        const isEnd = /\/(capture|void)$/.test(passing.path)
        return isEnd && answer.status === 400 ? { ...answer, status: 200 } : answer
      },
    }),
    named: ["one-winner"],
  },
  {
    name: "captures again each time that it is asked",
    parts: () => {
      let count = 0
      return {
        api: on(CAPTURE, async (passing, pass) =>
          changed(await pass(passing), (fields) => ({
            ...fields,
            captured_at: minutes(fields["captured_at"], (count += 1)),
          })),
        ),
      }
    },
    named: ["captured-once", "capture-again"],
  },
  {
    name: "says of what is too much for a level that the request is wrong",
    parts: refuses("INSUFFICIENT_KYC", (answer) => ({ ...answer, status: 400 })),
    named: ["level-limit"],
  },
  {
    name: "gives a cent less back",
    parts: asks(REFUND, (fields) =>
      fields["amount"] === undefined ? fields : { ...fields, amount: more(fields["amount"], -1) },
    ),
    named: ["refund-part"],
  },
  { name: "counts each refund alone", parts: countingAlone, named: ["refund-part"] },
  {
    name: "gives more back than there is",
    parts: refuses("REFUND_EXCEEDS_PAYMENT", giving),
    named: ["refund-too-much", "refund-rest", "refund-copies"],
  },
  {
    name: "gives back what nobody has taken",
    parts: refuses("REFUND_NOT_ALLOWED", giving),
    named: ["refund-unpaid"],
  },
  {
    name: "revokes one scope too many at a quarter",
    parts: says(REFUND, (fields) => ({
      ...fields,
      revocations: (fields["revocations"] as ReadonlyArray<Fields>).map((one) =>
        moneyOf(fields["amount"]).value === 25 ? { ...one, scope: "read:detail" } : one,
      ),
    })),
    named: ["refund-scopes"],
  },
  {
    name: "never hears that a refund was confirmed",
    parts: says("GET /v1/refunds/{ref}", (fields) => ({ ...fields, status: "pending" })),
    named: ["refund-part"],
  },
]
