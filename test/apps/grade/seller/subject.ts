import { createServer } from "node:http"
import { serve } from "../serve.ts"

type Fields = { readonly [field: string]: unknown }

/** The service at which a seller settles. */
export interface Settles {
  readonly url: string
  readonly key: string
  readonly service: string
}

/** A request of a buyer, as far as it matters. */
interface Shown {
  readonly path: string
  readonly signature: string | undefined
}

/** The facilitator's answers. */
interface Facilitator {
  readonly verify: (payload: Fields, required: Fields) => Promise<Fields>
  readonly settle: (payload: Fields, required: Fields, unique: string) => Promise<Fields>
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64")

const facilitatorAt = ({ key, url }: Settles): Facilitator => {
  const ask = async (verb: string, payload: Fields, required: Fields, unique?: string) => {
    const body = { x402Version: 2, paymentPayload: payload, paymentRequirements: required }
    const response = await fetch(`${url}/v1/x402/${verb}`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${key}`,
        "Content-Type": "application/json",
        ...(unique !== undefined && { "Idempotency-Key": unique }),
      },
      body: JSON.stringify(body),
    })
    return (await response.json()) as Fields
  }
  return {
    verify: (payload, required) => ask("verify", payload, required),
    settle: (payload, required, unique) => ask("settle", payload, required, unique),
  }
}

/** A seller, a rule a part: every part can be replaced by one with a bug. */
export const RIGHT = {
  price: (_: number): string => "25",
  requiredHeader: true,
  x402Version: 2 as unknown,
  /** Returns the content of the header; undefined if it cannot be read. */
  read: (signature: string): Fields | undefined => {
    try {
      const fields = JSON.parse(Buffer.from(signature, "base64").toString()) as unknown
      return typeof fields === "object" && fields !== null && !Array.isArray(fields)
        ? (fields as Fields)
        : undefined
    } catch {
      return undefined
    }
  },
  /** The requirements against which the payment is checked. */
  held: (required: Fields, _: Fields): Fields => required,
  isValid: ({ isValid }: Fields): boolean => isValid === true,
  settles: true,
  /** Whether it settles before it serves. */
  isSettled: ({ success }: Fields): boolean => success === true,
  /** Under which key a request settles. */
  key: (count: number, _: Fields): string => `request-${count}`,
  seen: (_: Fields): boolean => false,
  /** Puts a proof off for so many seconds, with 429. */
  putsOff: (_: Fields): number | undefined => undefined,
  report: (path: string): string => JSON.stringify({ report: `everything about ${path}` }),
  unpaidBody: (_: string): string => "{}",
  toldHeader: true,
}

/** The parts of a seller. */
export type Parts = typeof RIGHT

/** Serves a report at every path, for money that it settles at a facilitator, while a test runs. */
export const serveSeller = async (settles: Settles, altered: Partial<Parts>): Promise<string> => {
  const parts = { ...RIGHT, ...altered }
  const facilitator = facilitatorAt(settles)
  const run = Math.random().toString(36)
  let [count, base] = [0, ""]
  const requiredFor = (path: string): Fields => ({
    scheme: "exact",
    network: "payport:sandbox",
    amount: parts.price(count),
    asset: "USD",
    payTo: settles.service,
    maxTimeoutSeconds: 300,
    extra: { resource: `${base}${path}` },
  })
  const settle = async (payload: Fields, required: Fields, mine: number) => {
    if (parts.seen(payload)) return { success: true }
    const verified = await facilitator.verify(payload, required)
    if (!parts.isValid(verified)) return { success: false }
    if (!parts.settles) return { success: true }
    return facilitator.settle(payload, required, `${run}-${parts.key(mine, payload)}`)
  }
  const answer = async ({ path, signature }: Shown) => {
    count += 1
    const mine = count
    const required = requiredFor(path)
    const asked = {
      x402Version: parts.x402Version,
      resource: { url: `${base}${path}` },
      accepts: [required],
    }
    const demand = {
      status: 402,
      headers: parts.requiredHeader ? { "PAYMENT-REQUIRED": encode(asked) } : {},
      body: parts.unpaidBody(parts.report(path)),
    }
    if (signature === undefined) return demand
    const payload = parts.read(signature)
    if (payload === undefined) return demand
    const wait = parts.putsOff(payload)
    if (wait !== undefined) {
      return { status: 429, headers: { "Retry-After": String(wait) }, body: "" }
    }
    const settled = await settle(payload, parts.held(required, payload), mine)
    if (!parts.isSettled(settled)) return demand
    const told = parts.toldHeader ? { "PAYMENT-RESPONSE": encode(settled) } : {}
    return { status: 200, headers: told, body: parts.report(path) }
  }
  base = await serve(
    createServer((request, response) => {
      const header = request.headers["payment-signature"]
      const signature = typeof header === "string" ? header : undefined
      void answer({ path: request.url ?? "/", signature })
        .catch(() => ({ status: 500, headers: {}, body: "" }))
        .then(({ body, headers, status }) => response.writeHead(status, headers).end(body))
    }),
  )
  return base
}
