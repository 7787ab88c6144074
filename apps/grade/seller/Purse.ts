import { CannotGrade } from "../runChecks.ts"
import { said, type Target } from "../Target.ts"
import { type Asked, type Fields, headerOf, isFields, jsonOf, type Required } from "./Terms.ts"

/** A payment that was begun, and what it was begun for. */
export interface Payment {
  readonly id: string
  readonly token: string
  readonly channel: string
  /** The entry of `accepts` that it is for; undefined where the 402 has opened it. */
  readonly required: Required | undefined
  readonly resource: unknown
}

/** What is asked of a payment besides what the 402 asks. */
export interface Otherwise {
  readonly amount?: number
  readonly resource?: string
}

/** Pays at a sandbox, as a buyer. */
export interface Purse {
  /** Begins a payment for what a 402 asks; undefined where this purse cannot pay that. */
  readonly begin: (asked: Asked, otherwise?: Otherwise) => Promise<Payment | undefined>
  /** Has the person authorize it. */
  readonly authorize: (payment: Payment) => Promise<void>
  /** What the sandbox says of a payment; undefined where it does not say it to this buyer. */
  readonly look: (id: string) => Promise<Fields | undefined>
  /** Makes the seller's channel silent, or not; undefined without the seller's key. */
  readonly silence: ((channel: string, silent: boolean) => Promise<void>) | undefined
  /** Lets time pass in the sandbox. */
  readonly wait: (seconds: number) => Promise<void>
}

/** The entry of `accepts` that is paid at a sandbox, begun by the buyer. */
export const payable = ({ accepts }: Asked): Required | undefined =>
  accepts.find(({ network, scheme }) => scheme === "exact" && network === "payport:sandbox")

/** The headers by which a payment is shown to its seller. */
export const proofOf = (payment: Payment, changed: Partial<Payment> = {}) => {
  const { id, required, resource, token } = { ...payment, ...changed }
  if (required === undefined) return { "X-Payment-Intent": id, "X-Payment-Token": token }
  const payload = { payment_intent: id, token }
  const shown = { x402Version: 2, resource, accepted: required, payload }
  return { "PAYMENT-SIGNATURE": headerOf(shown) }
}

/** Opens the purse of a buyer. */
export const openPurse = (
  { key, url }: { readonly url: URL; readonly key: string },
  sellerKey: string | undefined,
  target: Target,
): Purse => {
  const call = async (method: "GET" | "POST" | "PUT", path: string, body?: object, by = key) => {
    const at = new URL(path.slice(1), url.href.endsWith("/") ? url : `${url.href}/`)
    const common = { Authorization: `Bearer ${by}`, Accept: "application/json" }
    const headers = body === undefined ? common : { ...common, "Content-Type": "application/json" }
    const json = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await target.send({ method, url: at, headers, ...json }, 30_000)
    const fields = answer.status === null ? undefined : jsonOf(answer.text)
    return { answer, fields: isFields(fields) ? fields : {} }
  }
  const must = async (...args: Parameters<typeof call>): Promise<Fields> => {
    const { answer, fields } = await call(...args)
    if (answer.status !== null && answer.status < 300) return fields
    const { message } = isFields(fields["error"]) ? fields["error"] : fields
    const why = typeof message === "string" ? `: ${message}` : ""
    throw new CannotGrade(`${url.origin} refused ${args[0]} ${args[1]} with ${said(answer)}${why}`)
  }
  return {
    begin: async (asked, { amount, resource } = {}) => {
      const required = payable(asked)
      if (required === undefined) {
        return asked.opened && { ...asked.opened, required, resource: asked.resource }
      }
      const { amount: price, asset, extra, payTo } = required
      const money = { currency: asset, value: amount ?? Number(price) }
      const bound = resource ?? extra["resource"]
      const body = { service_id: payTo, amount: money, resource: bound }
      const { payment_intent } = await must("POST", "/v1/x402/payments", body)
      const { channel, id, token } = isFields(payment_intent) ? payment_intent : {}
      const begun = { id: String(id), token: String(token), channel: String(channel) }
      return { ...begun, required, resource: asked.resource }
    },
    authorize: async ({ id }) => {
      const path = `/v1/sandbox/payment-intents/${id}/simulate`
      await must("POST", path, { action: "pay" })
    },
    look: async (id) => {
      const { answer, fields } = await call("GET", `/v1/payment-intents/${id}`)
      return answer.status === 200 ? fields : undefined
    },
    silence:
      sellerKey === undefined
        ? undefined
        : async (channel, timeout) => {
            const path = `/v1/sandbox/channels/${channel}/faults`
            await must("PUT", path, { timeout }, sellerKey)
          },
    wait: async (seconds) => {
      await must("POST", "/v1/sandbox/clock/advance", { seconds }, sellerKey ?? key)
    },
  }
}
