/** A header of x402, which holds JSON in UTF-8 as base64; nothing for what does not decode. */
export const decodeHeader = (header: string | null): { readonly [name: string]: unknown } => {
  try {
    const bytes = Uint8Array.from(atob(header ?? ""), (byte) => byte.charCodeAt(0))
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof value === "object" && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
