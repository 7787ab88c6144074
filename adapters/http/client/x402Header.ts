/** Decodes a header of x402: JSON in UTF-8 as base64. Returns an empty object if that fails. */
export const decodeHeader = (header: string | null): { readonly [name: string]: unknown } => {
  try {
    const bytes = Uint8Array.from(atob(header ?? ""), (byte) => byte.charCodeAt(0))
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof value === "object" && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** Returns the payment that a request shows; empty without one. */
export const shownBy = ({ headers }: Request): string => {
  const { payload } = decodeHeader(headers.get("PAYMENT-SIGNATURE"))
  const { payment_intent } = (payload ?? {}) as { readonly payment_intent?: unknown }
  return typeof payment_intent === "string" ? payment_intent : ""
}
