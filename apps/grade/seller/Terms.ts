/** The terms of an x402 402: one entry of `accepts` (version 2, 5.1.2). */
export interface Required {
  readonly scheme: string
  readonly network: string
  readonly amount: string
  readonly asset: string
  readonly payTo: string
  readonly maxTimeoutSeconds: number
  readonly extra: Fields
}

/** Any JSON object. */
export type Fields = { readonly [field: string]: unknown }

/** The payment opened by the body of payport's own 402. */
export interface Opened {
  readonly id: string
  readonly token: string
  readonly channel: string
}

/** A parsed 402. */
export interface Asked {
  readonly accepts: ReadonlyArray<Required>
  readonly resource: unknown
  readonly opened: Opened | undefined
}

/** Whether a value is a JSON object. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Parses JSON; undefined for other text. */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Parses the JSON object in an x402 header, which is base64; undefined for anything else. */
export const headerFields = (header: string | undefined): Fields | undefined => {
  if (header === undefined || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(header)) return undefined
  const fields = jsonOf(Buffer.from(header, "base64").toString("utf8"))
  return isFields(fields) ? fields : undefined
}

/** Encodes a value as an x402 header. */
export const headerOf = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString("base64")

const requiredIn = (value: unknown): Required | undefined => {
  if (!isFields(value)) return undefined
  const { amount, asset, extra, maxTimeoutSeconds, network, payTo, scheme } = value
  const texts = [amount, asset, network, payTo, scheme]
  if (!texts.every((text) => typeof text === "string" && text !== "")) return undefined
  if (!/^\d+$/.test(String(amount))) return undefined
  if (typeof maxTimeoutSeconds !== "number" || !(maxTimeoutSeconds > 0)) return undefined
  return {
    ...value,
    scheme: String(scheme),
    network: String(network),
    amount: String(amount),
    asset: String(asset),
    payTo: String(payTo),
    maxTimeoutSeconds,
    extra: isFields(extra) ? extra : {},
  }
}

const openedIn = (text: string): Opened | undefined => {
  const body = jsonOf(text)
  const found = isFields(body) ? body["payment_intent"] : undefined
  if (!isFields(found)) return undefined
  const { channel, id, token } = found
  return [channel, id, token].every((part) => typeof part === "string" && part !== "")
    ? { id: String(id), token: String(token), channel: String(channel) }
    : undefined
}

/** Returns why a header asks for nothing that can be paid; undefined if it can be paid. */
export const flawOf = (header: string | undefined): string | undefined => {
  if (header === undefined) return "no PAYMENT-REQUIRED header"
  const fields = headerFields(header)
  if (fields === undefined) return "no JSON object in base64"
  if (fields["x402Version"] !== 2) return `x402Version ${JSON.stringify(fields["x402Version"])}`
  const accepts: unknown = fields["accepts"]
  if (!Array.isArray(accepts) || accepts.length === 0) return "no accepts"
  const odd = accepts.findIndex((one) => requiredIn(one) === undefined)
  return odd === -1 ? undefined : `accepts[${odd}] lacks a field, or has a wrong one`
}

/** Parses a 402: the terms of its header, and the payment that its body has opened. */
export const readAsked = (header: string | undefined, text: string): Asked => {
  const fields = headerFields(header) ?? {}
  const accepts: unknown = fields["accepts"]
  return {
    accepts: (Array.isArray(accepts) ? accepts : []).flatMap((one) => requiredIn(one) ?? []),
    resource: fields["resource"],
    opened: openedIn(text),
  }
}
