import { CannotGrade } from "../runChecks.ts"
import { said, type Target } from "../Target.ts"
import { type Asked, type Fields, headerOf, isFields, jsonOf, type Required } from "./Terms.ts"

/** A payment, and the terms that it was begun for. */
export interface Payment {
  readonly id: string
  readonly token: string
  readonly channel: string
  /** The entry of `accepts` that it is for; undefined if the 402 has opened it. */
  readonly required: Required | undefined
  readonly resource: unknown
}

/** The differences of a payment from the terms of the 402. */
export interface Otherwise {
  readonly amount?: number
  readonly resource?: string
}

/** A buyer who pays at a sandbox. */
export interface Purse {
  /** Begins a payment for the terms of a 402; undefined if this buyer cannot pay them. */
  readonly begin: (asked: Asked, otherwise?: Otherwise) => Promise<Payment | undefined>
  /** Authorizes it as the person. */
  readonly authorize: (payment: Payment) => Promise<void>
  /** Returns a payment as the sandbox shows it; undefined if this buyer cannot see it. */
  readonly look: (id: string) => Promise<Fields | undefined>
  /** The same as the sandbox shows it to the seller; undefined without the seller's key. */
  readonly lookAsSeller: ((id: string) => Promise<Fields | undefined>) | undefined
  /** Switches the seller's channel off or on; undefined without the seller's key. */
  readonly silence: ((channel: string, silent: boolean) => Promise<void>) | undefined
  /** Moves the sandbox's clock. */
  readonly wait: (seconds: number) => Promise<void>
}

/** Returns the entry of `accepts` that is paid at a sandbox, begun by the buyer. */
export const payable = ({ accepts }: Asked): Required | undefined =>
  accepts.find(({ network, scheme }) => scheme === "exact" && network === "payport:sandbox")

/** Returns the headers that show a payment to its seller. */
export const proofOf = (payment: Payment, changed: Partial<Payment> = {}) => {
  const { id, required, resource, token } = { ...payment, ...changed }
  if (required === undefined) return { "X-Payment-Intent": id, "X-Payment-Token": token }
  const payload = { payment_intent: id, token }
  const shown = { x402Version: 2, resource, accepted: required, payload }
  return { "PAYMENT-SIGNATURE": headerOf(shown) }
}

/** Opens a buyer. */
export const openPurse = (
  { key, url }: { readonly url: URL; readonly key: string },
  sellerKey: string | undefined,
  target: Target,
): Purse => {
  const call = async (
    method: "GET" | "POST" | "PUT",
    path: string,
    body?: object,
    by = key,
    undoes = false,
  ) => {
    const at = new URL(path.slice(1), url.href.endsWith("/") ? url : `${url.href}/`)
    const common = { Authorization: `Bearer ${by}`, Accept: "application/json" }
    const headers = body === undefined ? common : { ...common, "Content-Type": "application/json" }
    const json = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await target.send({ method, url: at, headers, ...json, undoes }, 30_000)
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
  const look = async (id: string, by: string): Promise<Fields | undefined> => {
    const { answer, fields } = await call("GET", `/v1/payment-intents/${id}`, undefined, by)
    return answer.status === 200 ? fields : undefined
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
    look: (id) => look(id, key),
    lookAsSeller: sellerKey === undefined ? undefined : (id) => look(id, sellerKey),
    silence:
      sellerKey === undefined
        ? undefined
        : async (channel, timeout) => {
            const path = `/v1/sandbox/channels/${channel}/faults`
            await must("PUT", path, { timeout }, sellerKey, !timeout)
          },
    wait: async (seconds) => {
      await must("POST", "/v1/sandbox/clock/advance", { seconds }, sellerKey ?? key)
    },
  }
}
