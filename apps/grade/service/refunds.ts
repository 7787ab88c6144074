import type { Reply, Service } from "./Service.ts"
import { type Clause, flaw, want } from "./verdicts.ts"
import { read, Refund } from "./Wire.ts"

const CLAUSE = "POST /v1/refunds"
const COPIES = 6

/** Returns the refund of a response; ends the check as failed if there is none. */
export const refundOf = (reply: Reply): Refund => {
  const found = read(Refund, reply.status === 201 ? reply.json : undefined)
  return "found" in found
    ? found.found
    : flaw("status 201, a refund", reply.said, "See the response 201.")
}

/** An amount in the currency of the checks. */
export const usual = (service: Service, value: number) => ({
  currency: service.options.currency,
  value,
})

const isRefused = ({ status }: Reply): boolean =>
  status !== null && status >= 400 && status < 500 && status !== 404

const refuses = (reply: Reply, what: string, advice: string): void =>
  want(isRefused(reply), "a refusal of 4xx", `${what}: ${reply.said}`, advice)

const succeeds = async (service: Service, refund: Refund): Promise<void> => {
  const seen = await service.refundAtRest(refund.id)
  const advice = "Ask the channel until it has confirmed."
  want(seen.status === "succeeded", "status succeeded", `status ${seen.status}`, advice)
  const same = seen.amount.value === refund.amount.value
  want(same, `${refund.amount.value} back`, `${seen.amount.value} back`, "A refund keeps its sum.")
}

/** Checks of refunds. */
export const REFUNDS: ReadonlyArray<Clause> = [
  {
    id: "refund-part",
    title: "gives a part back, and says what is left",
    clause: `${CLAUSE}: a 200 refund of a 699 payment leaves 499`,
    needs: ["path"],
    hold: async (service) => {
      const { id } = await service.succeeded(699)
      for (const [value, left] of [
        [200, 499],
        [198, 301],
      ] as const) {
        const refund = refundOf(await service.refund(id, { amount: usual(service, value) }))
        const { amount, payment_intent, remaining_refundable } = refund
        const right = amount.value === value && remaining_refundable?.value === left
        const seen = `${amount.value} back, ${remaining_refundable?.value} left`
        want(right, `${value} back, ${left} left`, seen, "Take each refund from what is left.")
        want(payment_intent === id, id, payment_intent, "A refund is of its payment.")
        await succeeds(service, refund)
      }
    },
  },
  {
    id: "refund-rest",
    title: "gives back all that is left where no amount is named, and no more after that",
    clause: `${CLAUSE}: amount omitted means full refund`,
    needs: ["refund-part"],
    hold: async (service) => {
      const { id } = await service.succeeded(141)
      await succeeds(service, refundOf(await service.refund(id, { amount: usual(service, 41) })))
      const rest = refundOf(await service.refund(id, {}))
      const seen = `${rest.amount.value} back`
      want(rest.amount.value === 100, "100 back", seen, "Count what has gone back already.")
      await succeeds(service, rest)
      for (const fields of [{}, { amount: usual(service, 1) }]) {
        const reply = await service.refund(id, fields)
        refuses(reply, "nothing is left", "Nothing is left of it.")
      }
    },
  },
  {
    id: "refund-too-much",
    title: "refuses to give back more than is left, another currency, and no amount at all",
    clause: "Errors: INVALID_AMOUNT; Refund: remaining_refundable",
    needs: ["refund-part"],
    hold: async (service) => {
      const { id } = await service.succeeded(150)
      await succeeds(service, refundOf(await service.refund(id, { amount: usual(service, 50) })))
      const currency = service.options.currency === "EUR" ? "USD" : "EUR"
      for (const amount of [
        usual(service, 101),
        usual(service, 0),
        usual(service, -5),
        usual(service, 0.5),
        { currency, value: 10 },
      ]) {
        const reply = await service.refund(id, { amount })
        const advice = "Hold each refund against what is left of its payment."
        refuses(reply, JSON.stringify(amount), advice)
      }
      await succeeds(service, refundOf(await service.refund(id, { amount: usual(service, 100) })))
    },
  },
  {
    id: "refund-unpaid",
    title: "gives nothing back of what nobody has taken",
    clause: CLAUSE,
    needs: ["refund-part"],
    hold: async (service) => {
      const unpaid = await service.create()
      const held = await service.authorized()
      for (const { id, status } of [unpaid, held]) {
        const reply = await service.refund(id, {})
        refuses(reply, status, "What is not captured is voided.")
      }
    },
  },
  {
    id: "refund-copies",
    title: `gives a payment back once for ${COPIES} refunds of all of it that come at once`,
    clause: `${CLAUSE}; Refund: remaining_refundable`,
    needs: ["refund-part"],
    hold: async (service) => {
      const { id } = await service.succeeded(130)
      const copies = Array.from({ length: COPIES }, () =>
        service.refund(id, { amount: usual(service, 130) }, service.chance.uuid()),
      )
      const replies = await Promise.all(copies)
      const made = replies.filter(({ status }) => status === 201).length
      const advice = "Take each refund from what is left in one step that only one can win."
      want(made === 1, "one refund", `${made} refunds`, advice)
    },
  },
  {
    id: "refund-again",
    title: "answers a repeated refund as the first time, and gives back once",
    clause: `${CLAUSE}: Idempotency-Key`,
    needs: ["refund-part"],
    hold: async (service) => {
      const { id } = await service.succeeded(160)
      const key = service.chance.uuid()
      const fields = { amount: usual(service, 60) }
      const first = await service.refund(id, fields, key)
      const again = await service.refund(id, fields, key)
      const advice = "Keep the answer under its key."
      want(refundOf(first).id === refundOf(again).id, first.said, again.said, advice)
      const other = await service.refund(id, { amount: usual(service, 61) }, key)
      refuses(other, "another amount under the key", "Answer 409: the key is used.")
      const rest = refundOf(await service.refund(id, {}))
      want(rest.amount.value === 100, "100 left", `${rest.amount.value} left`, advice)
    },
  },
  {
    id: "refund-rejected",
    title: "gives back what its channel has rejected once it takes it",
    clause: "Errors: REFUND_CHANNEL_REJECTED, 409",
    needs: ["refund-part"],
    hold: async (service) => {
      const { id } = await service.succeeded(120)
      const reply = await service.during({ refund_rejects: true }, async () => {
        const asked = await service.refund(id, { amount: usual(service, 70) })
        if (asked.status === 201) await service.refundAtRest(refundOf(asked).id)
        return asked
      })
      const status =
        reply.status === 201 ? (await service.refundAtRest(refundOf(reply).id)).status : reply.said
      const right = reply.code === "REFUND_CHANNEL_REJECTED" || status === "failed"
      want(right, "409 REFUND_CHANNEL_REJECTED, or a failed refund", status, "Tell the payee.")
      const rest = refundOf(await service.refund(id, {}))
      const seen = `${rest.amount.value} left`
      want(rest.amount.value === 120, "120 left", seen, "What was rejected has not gone back.")
      await succeeds(service, rest)
    },
  },
]
