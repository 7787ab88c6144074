import { type Basis, post } from "./basis.ts"
import type { Offering } from "./offering.ts"
import type { Service } from "./Service.ts"
import { skip } from "./verdicts.ts"
import { Payment, read, Refund } from "./Wire.ts"

const DAY = 86_400

type Paying = Pick<
  Service,
  "create" | "get" | "simulate" | "act" | "authorized" | "succeeded" | "refund" | "refundAtRest"
>

/** Makes the functions that act on payments. */
export const makePaying = (basis: Basis, { wish }: Offering): Paying => {
  const { advance, ask, buyer, control, must, seller, until } = basis
  const create: Service["create"] = async ({ fields, key, value } = {}) => {
    const asked = post(buyer, "/v1/payment-intents", await wish(value, fields), key)
    const reply = await ask(asked)
    // An agent's daily limit is used up: the clock is moved to the next day.
    if (reply.code === "INSUFFICIENT_KYC") await advance(DAY)
    const found = read(Payment, reply.status === 201 ? reply.json : undefined)
    return "found" in found ? found.found : must(201, Payment, asked)
  }
  const get: Service["get"] = (id) =>
    must(200, Payment, { who: buyer, path: `/v1/payment-intents/${id}` })
  const act: Service["act"] = (who, id, verb, key) =>
    ask(post(who, `/v1/payment-intents/${id}/${verb}`, {}, key))
  const arrives = async (id: string, status: string): Promise<Payment> => {
    const seen = await until(
      () => get(id),
      (payment) => payment.status === status,
    )
    return seen.status === status
      ? seen
      : skip(`a payment stays ${seen.status}, short of ${status}`)
  }
  const authorized: Service["authorized"] = async (value) => {
    const { id } = await create(value === undefined ? {} : { value })
    await control.simulate(buyer, id, "authorize")
    return arrives(id, "authorized")
  }
  return {
    create,
    get,
    act,
    simulate: async (id, action) => void (await control.simulate(buyer, id, action)),
    authorized,
    succeeded: async (value) => {
      const { id } = await authorized(value)
      await act(seller, id, "capture")
      return arrives(id, "succeeded")
    },
    refund: (id, fields, key) =>
      ask(post(seller, "/v1/refunds", { payment_intent: id, ...fields }, key)),
    refundAtRest: (id) =>
      until(
        () => must(200, Refund, { who: seller, path: `/v1/refunds/${id}` }),
        ({ status }) => status !== "pending",
      ),
  }
}
