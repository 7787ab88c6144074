/** A value in Quint's trace format, ITF. */
export type Itf =
  | boolean
  | string
  | { readonly "#bigint": string }
  | ReadonlyArray<Itf>
  | { readonly "#tup": ReadonlyArray<Itf> }
  | { readonly "#set": ReadonlyArray<Itf> }
  | { readonly "#map": ReadonlyArray<readonly [Itf, Itf]> }
  | { readonly [field: string]: Itf }

export const int = (value: number): Itf => ({ "#bigint": String(value) })
export const tuple = (...parts: ReadonlyArray<Itf>): Itf => ({ "#tup": parts })
export const set = (members: ReadonlyArray<Itf>): Itf => ({ "#set": members })
export const map = (entries: ReadonlyArray<readonly [Itf, Itf]>): Itf => ({ "#map": entries })

type Tagged = {
  readonly "#bigint"?: string
  readonly "#tup"?: ReadonlyArray<Itf>
  readonly "#set"?: ReadonlyArray<Itf>
  readonly "#map"?: ReadonlyArray<readonly [Itf, Itf]>
}

/** A value in words, as Quint writes it. */
export const show = (value: Itf): string => {
  if (typeof value === "string") return JSON.stringify(value)
  if (typeof value === "boolean") return String(value)
  if (Array.isArray(value)) return `[${value.map((each: Itf) => show(each)).join(", ")}]`
  const tagged = value as Tagged
  if (tagged["#bigint"] !== undefined) return tagged["#bigint"]
  if (tagged["#tup"] !== undefined) return `(${tagged["#tup"].map(show).join(", ")})`
  if (tagged["#set"] !== undefined) return `Set(${tagged["#set"].map(show).join(", ")})`
  if (tagged["#map"] !== undefined) {
    return `Map(${tagged["#map"].map(([key, of]) => `${show(key)} -> ${show(of)}`).join(", ")})`
  }
  const fields = Object.entries(value).map(([name, of]) => `${name}: ${show(of)}`)
  return `{ ${fields.join(", ")} }`
}
