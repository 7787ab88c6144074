import { LIMITED } from "../patience.ts"
import { failed, firstFlaw, notJudged, passed, type Verdict } from "../report/Report.ts"
import { type Answer, said } from "../Target.ts"
import { type Otherwise, type Payment, payable, proofOf } from "./Purse.ts"
import type { Seller } from "./Seller.ts"
import { headerFields } from "./Terms.ts"
import { isGiven, type SellerCheck, turnedAway } from "./unpaid.ts"

const X402 = "x402 version 2, specs/x402-specification-v2.md"
const PROOF = "Paid endpoints: a payment is bound to its service, amount and resource"
const ONCE = "Paid endpoints: a payment opens one response"

const NO_PURSE = notJudged("nothing can be paid without --payport URL and --key KEY of a buyer")

/** Begins a payment for a seller's terms, or returns why that is impossible. */
const begin = async (
  { ask, purse }: Seller,
  otherwise: Otherwise = {},
  from?: URL,
): Promise<Payment | Verdict> => {
  if (purse === undefined) return NO_PURSE
  const asked = await ask(from)
  const payment = asked && (await purse.begin(asked, otherwise))
  if (payment !== undefined) return payment
  const kinds = asked?.accepts.map(({ network, scheme }) => `${scheme} on ${network}`) ?? []
  const taken = kinds.length === 0 ? "nothing that can be read" : kinds.join(", ")
  return notJudged(
    `it takes ${taken}, and only exact on payport:sandbox and our own 402 can be paid`,
  )
}

const pay = async (seller: Seller, otherwise?: Otherwise, from?: URL) => {
  const payment = await begin(seller, otherwise, from)
  if (!("outcome" in payment)) await seller.purse?.authorize(payment)
  return payment
}

/** Makes a check that begins with an authorized payment. */
const withPaid =
  (judge: (seller: Seller, payment: Payment) => Promise<Verdict>) => async (seller: Seller) => {
    const payment = await pay(seller)
    return "outcome" in payment ? payment : judge(seller, payment)
  }

const TAKEN = new Set(["captured", "succeeded", "completed"])
const COPIES = 8
/** A shorter body, such as `true`, may stand in a 402 that gives nothing away. */
const TELLING = 16

const given = (answer: Answer, advice: string): Verdict => {
  if (answer.status === 429) return LIMITED
  return isGiven(answer) ? passed : failed("status 2xx", said(answer), advice)
}

/** Checks of what a seller serves for money. */
export const PAID: ReadonlyArray<SellerCheck> = [
  {
    id: "paid",
    title: "serves whoever has paid",
    clause: `${X402}, 5.2`,
    needs: ["asks"],
    judge: withPaid(async ({ get, known }, payment) => {
      const proof = proofOf(payment)
      const answer = await get(proof, undefined, 15_000)
      known.bought = { answer, id: payment.id, proof }
      return given(answer, "Does it settle at this sandbox, with the key of the service's seller?")
    }),
  },
  {
    id: "told",
    title: "says in PAYMENT-RESPONSE what was settled",
    clause: `${X402}, 5.3`,
    needs: ["paid"],
    judge: async ({ known: { bought } }) => {
      if (bought !== undefined && "X-Payment-Intent" in bought.proof) {
        return notJudged("it was shown our own proof, which is answered without that header")
      }
      const header = bought?.answer.status === null ? undefined : bought?.answer.headers
      const fields = headerFields(header?.["payment-response"])
      if (fields?.["success"] === true && fields["transaction"] === bought?.id) return passed
      return failed(
        `base64 of {success: true, transaction: "${bought?.id ?? ""}", network}`,
        fields === undefined ? "no such header" : JSON.stringify(fields),
        "Hand on what settling has answered.",
      )
    },
  },
  {
    id: "taken",
    title: "has taken the money of what it has served",
    clause: `${X402}, 6.2: the payment is settled`,
    needs: ["paid"],
    judge: async ({ known: { bought }, purse }) => {
      const found = await purse?.look(bought?.id ?? "")
      if (found === undefined)
        return notJudged("the sandbox does not show the payment to this buyer")
      if (TAKEN.has(String(found["status"]))) return passed
      return failed("a captured payment", String(found["status"]), "Settle before serving.")
    },
  },
  {
    id: "hidden",
    title: "gives away nothing of it unpaid",
    clause: "RFC 9110 section 15.5.3: payment is required",
    needs: ["paid"],
    judge: async ({ known: { bought, unpaid = "" } }) => {
      const text = bought?.answer.status === null ? "" : (bought?.answer.text.trim() ?? "")
      if (text.length < TELLING) {
        return notJudged(`what it serves has fewer than ${TELLING} characters, and may be anywhere`)
      }
      if (!unpaid.includes(text)) return passed
      return failed("a 402 without what costs", "the paid body in it", "Begin no work unpaid.")
    },
  },
  {
    id: "reuse",
    title: "serves nobody twice for one payment",
    clause: ONCE,
    needs: ["paid"],
    judge: async ({ get, known: { bought } }) =>
      turnedAway(
        await get({ ...bought?.proof }),
        "Settle each time that a proof is shown, and serve only what this settling has opened.",
      ),
  },
  {
    id: "race",
    title: `serves one of ${COPIES} who show one payment at once`,
    clause: ONCE,
    needs: ["paid"],
    judge: withPaid(async ({ getOnce }, payment) => {
      const proof = proofOf(payment)
      const copies = Array.from({ length: COPIES }, () => getOnce(proof, undefined, 15_000))
      const answers = await Promise.all(copies)
      const served = answers.filter(isGiven).length
      const advice =
        "Settle before serving, each request under a key of its own (x402Facilitator does), so " +
        "that one of them is told that it is the one."
      if (served === 0 && answers.some(({ status }) => status === 429)) return LIMITED
      if (served !== 1) return failed("one status 2xx", `${served} of them`, advice)
      const others = answers.filter((answer) => !isGiven(answer))
      return firstFlaw(others.map((answer) => turnedAway(answer, advice)))
    }),
  },
]

/** Checks of proofs that a seller must not accept as payment. */
export const BOUND: ReadonlyArray<SellerCheck> = [
  {
    id: "not-yet-paid",
    title: "turns away a payment that was begun and not made",
    clause: `${X402}, 6.1: the facilitator verifies a payment`,
    needs: ["paid"],
    judge: async (seller) => {
      const payment = await begin(seller)
      if ("outcome" in payment) return payment
      return turnedAway(
        await seller.get(proofOf(payment)),
        "Ask whether the payment was authorized: that it exists is not enough.",
      )
    },
  },
  {
    id: "wrong-token",
    title: "turns away a payment without the token that proves it",
    clause: "Paid endpoints: only the token proves a payment, whose id is no secret",
    needs: ["paid"],
    judge: withPaid(async (seller, payment) => {
      const other = await begin(seller)
      if ("outcome" in other) return other
      const tokens = [seller.chance.hex(43), other.token, payment.id]
      const verdicts: Array<Verdict> = []
      for (const token of tokens) {
        const answer = await seller.get(proofOf(payment, { token }))
        verdicts.push(turnedAway(answer, "Have payport verify the token, not the id alone."))
      }
      const advice = "Refuse a wrong token without using the payment up: anybody could send one."
      verdicts.push(given(await seller.get(proofOf(payment), undefined, 15_000), advice))
      return firstFlaw(verdicts)
    }),
  },
  {
    id: "less",
    title: "turns away a payment of less than it asks",
    clause: PROOF,
    needs: ["paid"],
    judge: async (seller) => {
      const required = payable(
        (await seller.ask()) ?? { accepts: [], resource: 0, opened: undefined },
      )
      if (required === undefined)
        return notJudged("each of its 402 opens a payment at its own price")
      const amount = Number(required.amount) - 1
      if (amount < 1) return notJudged("there is no less than it asks")
      const payment = await pay(seller, { amount })
      if ("outcome" in payment) return payment
      const accepted = { ...required, amount: String(amount) }
      const answers = [
        await seller.get(proofOf(payment)),
        await seller.get(proofOf(payment, { required: accepted })),
      ]
      const advice = "Verify and settle against the price of the route, not against what was shown."
      return firstFlaw(answers.map((answer) => turnedAway(answer, advice)))
    },
  },
  {
    id: "other-resource",
    title: "turns away a payment for another thing",
    clause: PROOF,
    needs: ["paid"],
    judge: async (seller) => {
      const { other, url } = seller.options
      const required = payable(
        (await seller.ask()) ?? { accepts: [], resource: 0, opened: undefined },
      )
      if (required === undefined && other === undefined) {
        return notJudged(
          "each of its 402 opens a payment for its own address: --other URL is another",
        )
      }
      const resource = (other ?? new URL(`${url.origin}/another`)).href
      const payment = await (required === undefined
        ? pay(seller, {}, other)
        : pay(seller, { resource }))
      if ("outcome" in payment) return payment
      const shown = [proofOf(payment)]
      if (required !== undefined) {
        const accepted = { ...required, extra: { ...required.extra, resource } }
        shown.push(proofOf(payment, { required: accepted, resource: { url: resource } }))
      }
      const advice = "Name the address that is asked for where a payment is verified and settled."
      const verdicts: Array<Verdict> = []
      for (const proof of shown) verdicts.push(turnedAway(await seller.get(proof), advice))
      return firstFlaw(verdicts)
    },
  },
  {
    id: "unknown-outcome",
    title: "serves nobody while it is unknown whether the money was taken, and then once",
    clause: "Paid endpoints: a payment whose outcome is unknown; x402 settlement_pending",
    needs: ["paid"],
    judge: withPaid(async ({ get, purse }, payment) => {
      if (purse?.silence === undefined) return notJudged("--seller-key was not given")
      const silence = purse.silence
      const asked = async () => {
        try {
          await silence(payment.channel, true)
          const answer = await get(proofOf(payment), undefined, 30_000)
          // A seller may wait until the sandbox has found out, and then knows it.
          const found = isGiven(answer) ? await purse.lookAsSeller?.(payment.id) : undefined
          return { answer, isCertain: TAKEN.has(String(found?.["status"])) }
        } finally {
          await silence(payment.channel, false)
        }
      }
      const { answer: unknown, isCertain } = await asked()
      const once = "Remember no payment as paid: settle each time that it is shown."
      if (isCertain) return turnedAway(await get(proofOf(payment)), once)
      if (isGiven(unknown)) {
        return failed("no status 2xx", said(unknown), "Serve only what was settled for certain.")
      }
      await purse.wait(120)
      const later = await get(proofOf(payment), undefined, 15_000)
      const advice = "Settle the same payment again when it is shown again: the money was taken."
      const served = given(later, advice)
      if (served.outcome !== "passed") return served
      return turnedAway(await get(proofOf(payment)), once)
    }),
  },
  {
    id: "other-payee",
    title: "turns away a payment to somebody else",
    clause: PROOF,
    judge: async () => notJudged("it takes a second seller, with a service of its own"),
  },
]
