import { post } from "./basis.ts"
import { ABSENT, isMistake } from "./access.ts"
import type { Asked, Service } from "./Service.ts"
import { type Clause, want } from "./verdicts.ts"

/** Invalid bodies of a payment: the mistake of each, and the change. */
const WRONG: ReadonlyArray<readonly [what: string, change: object | string]> = [
  ["half a JSON text", '{"service_id":'],
  ["a list", "[]"],
  ["null", "null"],
  ["an empty object", "{}"],
  ["another type", { type: "two_times" }],
  ["a service that is a number", { service_id: 7 }],
  ["a service that there is not", { service_id: ABSENT }],
  ["no amount", { amount: null }],
  ["an amount that is a number", { amount: 120 }],
  ["a description that is a number", { description: 7 }],
  ["metadata that is a text", { metadata: "order 7" }],
  ["metadata of more than 4 KB", { metadata: { long: "x".repeat(5_000) } }],
]

const AMOUNTS: ReadonlyArray<unknown> = [0, -1, 1.5, "120", 1e300, null]

const postPayment = async (service: Service, change: object | string): Promise<Asked> => {
  const body = typeof change === "string" ? change : { ...(await service.wish()), ...change }
  return post(service.buyer, "/v1/payment-intents", body)
}

/** Checks of invalid keys and bodies. */
export const MALFORMED: ReadonlyArray<Clause> = [
  {
    id: "malformed",
    title: "refuses malformed input with 4xx, and never fails at it",
    clause: "Errors",
    needs: ["creates"],
    hold: async (service) => {
      for (const [what, change] of WRONG) {
        const reply = await service.ask(await postPayment(service, change))
        const advice = "Read the whole body by its shape before anything is done with it."
        want(isMistake(reply.status), "a status of 4xx", `${what}: ${reply.said}`, advice)
      }
      for (const path of ["/v1/refunds", "/v1/services", "/v1/webhook-endpoints"]) {
        const asked = { who: service.seller, method: "POST", path, body: {} } as const
        const reply = await service.ask(asked)
        const advice = "Name the fields that are missing."
        want(isMistake(reply.status), "a status of 4xx", `${path}, {}: ${reply.said}`, advice)
      }
    },
  },
  {
    id: "amounts",
    title: "takes a positive whole number of minor units and nothing else",
    clause: "Errors: INVALID_AMOUNT, 400",
    needs: ["creates"],
    hold: async (service) => {
      const { currency } = service.options
      for (const value of AMOUNTS) {
        const asked = await postPayment(service, { amount: { currency, value } })
        const reply = await service.ask(asked)
        const advice = "Refuse it with INVALID_AMOUNT: money is a whole number, 1 at the least."
        const seen = `${String(value)}: ${reply.said}`
        want(
          reply.status === 400 || reply.status === 422,
          "status 400, INVALID_AMOUNT",
          seen,
          advice,
        )
      }
      for (const value of [0, -1]) {
        const reply = await service.ask(await postPayment(service, { amount: { currency, value } }))
        const seen = `${value}: ${reply.said}`
        const right = reply.status === 400 && reply.code === "INVALID_AMOUNT"
        want(right, "status 400, INVALID_AMOUNT", seen, "Say that it is the amount.")
      }
    },
  },
]
