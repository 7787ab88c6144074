/** JSON with the keys of every object in order: equal for values that mean the same. */
export const canonicalJson = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  let text = "{"
  for (const key of Object.keys(value).sort()) {
    const field: unknown = Reflect.get(value, key)
    if (field === undefined) continue
    if (text !== "{") text += ","
    text += `${JSON.stringify(key)}:${canonicalJson(field)}`
  }
  return `${text}}`
}
