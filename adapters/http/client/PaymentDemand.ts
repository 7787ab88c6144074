import { isIntentId } from "./isIntentId.ts"
import type { Money } from "./Resources.ts"

/** The payment that a 402 requires. */
export interface PaymentDemand {
  readonly id: string
  readonly amount: Money
  readonly channel: string
  /** The link for a wallet: `svc://pay/{id}?channel={channel}`. */
  readonly qr_uri: string
  readonly expires_at: string
  /** The secret that proves the payment to the seller. The wallet does not get it. */
  readonly token: string
}

/** The payment for a wallet: everything but the secret. */
export type WalletOrder = Omit<PaymentDemand, "token"> & {
  /** The origin of the paid endpoint, as `https://host`. */
  readonly origin: string
}

/** The most characters of a 402 that are read. */
const MOST_TEXT = 64 * 1024

const asObject = (value: unknown): { readonly [field: string]: unknown } =>
  typeof value === "object" && value !== null ? (value as { [field: string]: unknown }) : {}

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Reads the body of a 402: undefined when payport did not make it, "malformed" when it contradicts
 * itself or its headers.
 */
export const readPaymentDemand = async (
  response: Response,
): Promise<PaymentDemand | undefined | "malformed"> => {
  const named = response.headers.get("X-Payment-Intent")
  if (named === null) return undefined
  const text = await response.text()
  if (text.length > MOST_TEXT) return "malformed"
  const found = asObject(asObject(parse(text))["payment_intent"])
  const { channel, expires_at, id, qr_uri, token } = found
  const { currency, value } = asObject(found["amount"])
  const whole =
    isText(id) &&
    isIntentId(id) &&
    id === named &&
    isText(channel) &&
    qr_uri === `svc://pay/${id}?channel=${encodeURIComponent(channel)}` &&
    isText(expires_at) &&
    !Number.isNaN(Date.parse(expires_at)) &&
    isText(token) &&
    /^[\x21-\x7e]{1,256}$/.test(token) &&
    isText(currency) &&
    typeof value === "number" &&
    Number.isSafeInteger(value) &&
    value > 0
  return whole
    ? { id, amount: { currency, value }, channel, qr_uri, expires_at, token }
    : "malformed"
}
