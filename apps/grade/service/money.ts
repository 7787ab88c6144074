import { post } from "./basis.ts"
import type { Service } from "./Service.ts"
import { type Clause, want } from "./verdicts.ts"
import { Payment, read } from "./Wire.ts"

const COPIES = 6
const MOST = 1_000_001

const FROZEN = ["amount", "settlement", "description", "created_at", "expires_at"] as const

const frozen = (payment: Payment): string => JSON.stringify(FROZEN.map((field) => payment[field]))

const statusAtRest = async (service: Service, id: string, open: ReadonlyArray<string>) => {
  const { status } = await service.until(
    () => service.get(id),
    (seen) => !open.includes(seen.status),
  )
  return status
}

/** Checks of a payer's money through a payment. */
export const MONEY: ReadonlyArray<Clause> = [
  {
    id: "settles",
    title: "settles one currency to itself, at the rate 1",
    clause: "PaymentIntent: settlement, the amount in the payee's currency and the applied rate",
    needs: ["creates"],
    hold: async (service) => {
      for (const value of [1, 123, 997]) {
        const { amount, settlement } = await service.create({ value })
        const { currency, rate, value: settled } = settlement
        const right = settled === value && currency === amount.currency && rate === 1
        const wanted = `${value} ${amount.currency} at 1`
        const seen = `${settled} ${currency} at ${rate}`
        want(right, wanted, seen, "Nothing is exchanged: the payee is owed what is paid.")
      }
    },
  },
  {
    id: "kept",
    title: "never changes the amount, the settlement or the times of a payment",
    clause: "PaymentIntent: amount, settlement, expires_at",
    needs: ["path"],
    hold: async (service) => {
      const made = await service.create({ value: 143 })
      const states: Array<Payment> = []
      const look = async () => void states.push(await service.get(made.id))
      await look()
      await service.simulate(made.id, "authorize")
      await look()
      await service.act(service.seller, made.id, "capture")
      await look()
      await statusAtRest(service, made.id, ["captured"])
      await look()
      await service.refund(made.id, { amount: { ...made.amount, value: 40 } })
      await look()
      const odd = states.find((seen) => frozen(seen) !== frozen(made))
      const seen = odd === undefined ? "" : `${odd.status}: ${frozen(odd)}`
      want(odd === undefined, frozen(made), seen, "Write these once.")
    },
  },
  {
    id: "one-winner",
    title: "lets one of a capture and a void win that come at once",
    clause: "States and transitions: captured, voided",
    needs: ["path", "voids"],
    hold: async (service) => {
      for (let round = 0; round < 3; round += 1) {
        const { id } = await service.authorized()
        const [taken, given] = await Promise.all([
          service.act(service.seller, id, "capture"),
          service.act(service.buyer, id, "void"),
        ])
        const won = [taken, given].filter((reply) => reply.status === 200)
        const seen = `capture: ${taken.said}; void: ${given.said}`
        const advice = "Change the state under a version that only one of them can replace."
        want(won.length === 1, "one 200", seen, advice)
        const status = await statusAtRest(service, id, ["authorized", "captured"])
        const wanted = won[0] === taken ? "succeeded" : "voided"
        want(status === wanted, `status ${wanted}`, `status ${status}`, advice)
      }
    },
  },
  {
    id: "captured-once",
    title: `captures once for ${COPIES} captures that come at once`,
    clause: "POST /v1/payment-intents/{id}/capture: repeating the call returns the same result",
    needs: ["path"],
    hold: async (service) => {
      const { id } = await service.authorized()
      const copies = Array.from({ length: COPIES }, () =>
        service.act(service.seller, id, "capture", service.chance.uuid()),
      )
      const replies = await Promise.all(copies)
      const payments = replies.flatMap(({ json, status }) => {
        const found = read(Payment, status === 200 ? json : undefined)
        return "found" in found ? [found.found] : []
      })
      const times = new Set(payments.flatMap(({ captured_at }) => captured_at ?? []))
      const advice = "Take the state in one step that only one can win."
      want(times.size === 1, "one captured_at", [...times].join() || "none", advice)
      const status = await statusAtRest(service, id, ["authorized", "captured"])
      want(status === "succeeded", "status succeeded", `status ${status}`, advice)
    },
  },
  {
    id: "level-limit",
    title: "refuses an amount above every level, and says which level would do",
    clause: "Errors: INSUFFICIENT_KYC, 403",
    needs: ["creates"],
    hold: async (service) => {
      const body = await service.wish(MOST)
      const reply = await service.ask(post(service.buyer, "/v1/payment-intents", body))
      const right = reply.status === 403 && reply.code === "INSUFFICIENT_KYC"
      const advice = "Hold each amount against the payer's level before anything is made."
      want(right, "status 403, INSUFFICIENT_KYC", reply.said, advice)
    },
  },
]
