/** Headers as Node, the fetch API and most frameworks hold them, with names in any case. */
export type WebhookHeaders =
  | Iterable<readonly [name: string, value: string]>
  | { readonly [name: string]: string | ReadonlyArray<string> | undefined }

type Values = ReadonlyMap<string, string>

const isIterable = (
  headers: WebhookHeaders,
): headers is Iterable<readonly [name: string, value: string]> =>
  typeof (headers as { readonly [Symbol.iterator]?: unknown })[Symbol.iterator] === "function"

/** Returns the headers by lower-case name. Repeated headers are joined with commas. */
export const readHeaders = (headers: WebhookHeaders): Values => {
  const found = new Map<string, string>()
  for (const [name, value] of isIterable(headers) ? headers : Object.entries(headers)) {
    if (value === undefined) continue
    const key = name.toLowerCase()
    const before = found.get(key)
    const text = typeof value === "string" ? value : value.join(",")
    found.set(key, before === undefined ? text : `${before},${text}`)
  }
  return found
}
