/** A decoded object with unknown fields. */
export type Fields = { readonly [field: string]: unknown }

/** The longest header that is decoded, in characters. */
export const MOST_TEXT = 16 * 1024

/** Whether the value is an object and not an array. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns canonical JSON (RFC 8785, JCS). Undefined fields are left out. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (!isFields(value)) return JSON.stringify(value)
  const fields = Object.entries(value).filter(([, held]) => held !== undefined)
  const sorted = fields.toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${sorted.map(([name, held]) => `${JSON.stringify(name)}:${canonical(held)}`).join()}}`
}

/** Returns canonical JSON in UTF-8 as base64url without padding. */
export const encodeFields = (value: object): string => {
  const bytes = new TextEncoder().encode(canonical(value))
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
}

/** Returns the object in a base64url text; undefined if there is none. */
export const decodeFields = (text: string): Fields | undefined => {
  if (text.length > MOST_TEXT || !/^[\w-]+={0,2}$/.test(text)) return undefined
  try {
    const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/").replaceAll("=", ""))
    const decoder = new TextDecoder("utf-8", { fatal: true })
    const value: unknown = JSON.parse(
      decoder.decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0))),
    )
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}
