import { LIMITED } from "../patience.ts"
import { failed, firstFlaw, notJudged, passed, type Verdict } from "../report/Report.ts"
import type { Check } from "../runChecks.ts"
import { type Answer, said } from "../Target.ts"
import type { Seller } from "./Seller.ts"
import { flawOf, headerOf } from "./Terms.ts"

/** A check of a seller. */
export type SellerCheck = Check<Seller>

const X402 = "x402 version 2, specs/x402-specification-v2.md"
const BAD = "RFC 9110 section 15.5: the fault is the client's"

/** Whether the resource was served. */
export const isGiven = ({ status }: Answer): boolean =>
  status !== null && status >= 200 && status < 300

/**
 * Checks that an unpaid request is answered with 4xx: it is not served, and breaks nothing. A 429
 * says nothing of either.
 */
export const turnedAway = (answer: Answer, advice: string): Verdict => {
  if (answer.status === 429) return LIMITED
  if (answer.status !== null && answer.status >= 400 && answer.status < 500) return passed
  const broken = answer.status !== null && answer.status >= 500
  const mend = "Read what strangers send as data that may be anything, and answer 400 or 402."
  return failed("status 4xx, such as 402", said(answer), broken ? mend : advice)
}

const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`

const base64 = (text: string) => Buffer.from(text).toString("base64")

/** Returns headers without a payment, each in another way. */
const malformed = (
  accepted: object | undefined,
): ReadonlyArray<{ readonly [name: string]: string }> => {
  const signatures = [
    "",
    " ",
    "x",
    "%%%",
    "====",
    "e30",
    "A".repeat(8_000),
    ...["", "{", "null", "1", '"a"', "[]", "{}", nested(2_000), '{"a":"\ud800"}'].map(base64),
    Buffer.from([0xff, 0xfe, 0x00]).toString("base64"),
    base64('{"__proto__":{"x402Version":2},"constructor":{}}'),
    ...[
      { x402Version: 1, payload: {} },
      { x402Version: "2", accepted, payload: {} },
      { x402Version: 2 },
      { x402Version: 2, accepted, payload: null },
      { x402Version: 2, accepted: null, payload: {} },
      { x402Version: 2, accepted: [accepted], payload: "x" },
      { x402Version: 2, accepted, payload: { payment_intent: 1, token: {} } },
      { x402Version: 2, accepted, payload: { payment_intent: "", token: "" } },
      { x402Version: 2, accepted, payload: { payment_intent: "\u0000", token: "\u0000" } },
    ].map(headerOf),
  ]
  const own = [
    "",
    "x",
    "pi_",
    "../../v1",
    "pi_00000000-0000-7000-8000-000000000000",
    "a".repeat(4_000),
  ]
  return [
    ...signatures.map((value) => ({ "PAYMENT-SIGNATURE": value })),
    ...signatures.slice(0, 4).map((value) => ({ "X-PAYMENT": value })),
    ...own.map((id) => ({ "X-Payment-Intent": id })),
    ...own.map((id) => ({ "X-Payment-Intent": id, "X-Payment-Token": id })),
    { "X-Payment-Token": "x" },
    { Authorization: "Payment" },
    { Authorization: "Payment e30" },
    { Authorization: `Payment ${base64("[]")}` },
  ]
}

/** Checks of a seller's responses to unpaid requests. */
export const UNPAID: ReadonlyArray<SellerCheck> = [
  {
    id: "asks",
    title: "asks for a payment with 402",
    clause: `${X402}, 5.1; RFC 9110 section 15.5.3`,
    judge: async ({ get, known }) => {
      const answer = await get()
      if (answer.status === 402) {
        known.unpaid = answer.text
        return passed
      }
      if (answer.status === 429) return LIMITED
      return failed("status 402", said(answer), "Is it this address that costs something, by GET?")
    },
  },
  {
    id: "terms",
    title: "says in PAYMENT-REQUIRED what to pay",
    clause: `${X402}, 5.1.1 and 5.1.2`,
    needs: ["asks"],
    judge: async ({ get }) => {
      const answer = await get()
      if (answer.status === 429) return LIMITED
      const flaw =
        answer.status === null ? said(answer) : flawOf(answer.headers["payment-required"])
      if (flaw === undefined) return passed
      return failed(
        "base64 of {x402Version: 2, accepts: [{scheme, network, amount, asset, payTo, …}]}",
        flaw,
        "Send the header with every 402: clients read it and nothing else.",
      )
    },
  },
  {
    id: "same-terms",
    title: "asks everybody the same",
    clause: `${X402}, 5.1.2: a payment is for the amount that was asked`,
    needs: ["terms"],
    judge: async ({ ask }) => {
      const [one, two] = [await ask(), await ask()]
      if (one === undefined || two === undefined) return notJudged("it did not ask again with 402")
      const termsOf = ({ accepts }: typeof one) =>
        accepts
          .map(({ amount, asset, network, payTo, scheme }) =>
            [scheme, network, amount, asset, payTo].join(" "),
          )
          .join(", ")
      if (termsOf(one) === termsOf(two)) return passed
      return failed(
        termsOf(one),
        termsOf(two),
        "Who shows a payment of a moment ago is held to what is asked now: keep the price.",
      )
    },
  },
  {
    id: "malformed",
    title: "turns away what is no payment, and does not fail at it",
    clause: `${X402}, 5.2; ${BAD}`,
    needs: ["asks"],
    judge: async ({ ask, get }) => {
      const asked = await ask()
      const verdicts: Array<Verdict> = []
      for (const headers of malformed(asked?.accepts[0])) {
        const answer = await get(headers)
        verdicts.push(turnedAway(answer, "Serve nobody whose payment cannot be read."))
      }
      return firstFlaw(verdicts)
    },
  },
  {
    id: "forged",
    title: "turns away a payment that nobody has made",
    clause: `${X402}, 6.1: the facilitator verifies a payment`,
    needs: ["asks"],
    judge: async ({ ask, chance, get }) => {
      const asked = await ask()
      const id = `pi_${chance.uuid()}`
      const payload = { payment_intent: id, token: chance.hex(43) }
      const accepted = asked?.accepts[0]
      const shown = { x402Version: 2, resource: asked?.resource, accepted, payload }
      const proofs = [
        { "PAYMENT-SIGNATURE": headerOf(shown) },
        { "X-Payment-Intent": id, "X-Payment-Token": payload.token },
      ]
      const answers = []
      for (const proof of proofs) answers.push(await get(proof))
      const advice = "Ask the facilitator, or payport, before anything is served."
      return firstFlaw(answers.map((answer) => turnedAway(answer, advice)))
    },
  },
]
