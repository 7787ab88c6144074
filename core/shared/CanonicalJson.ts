/**
 * The keys of an object in order, by their UTF-16 code units. Objects of requests have few, and for
 * those the engine's own sort takes longer to set up than this takes.
 */
const sortedKeys = (value: object): ReadonlyArray<string> => {
  const keys = Object.keys(value)
  if (keys.length > FEW) return keys.sort()
  for (let at = 1; at < keys.length; at += 1) {
    const key = keys[at] ?? ""
    let to = at
    for (; to > 0 && (keys[to - 1] ?? "") > key; to -= 1) keys[to] = keys[to - 1] ?? ""
    keys[to] = key
  }
  return keys
}

const FEW = 32

/** JSON with the keys of every object in order: equal for values that mean the same. */
export const canonicalJson = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  let text = "{"
  for (const key of sortedKeys(value)) {
    const field: unknown = Reflect.get(value, key)
    if (field === undefined) continue
    if (text !== "{") text += ","
    text += `${JSON.stringify(key)}:${canonicalJson(field)}`
  }
  return `${text}}`
}
