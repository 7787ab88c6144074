/** Values that fit into so many columns are on one line. */
const WIDTH = 72

const inline = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  const fields = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}: ${inline(item)}`,
  )
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`
}

/** Formats JSON for people: short values are on one line. */
export const prettyJson = (value: unknown, indent = ""): string => {
  const short = inline(value)
  const isFlat = typeof value !== "object" || value === null
  if (isFlat || (indent.length + short.length <= WIDTH && indent !== "")) return short
  const inner = `${indent}  `
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}${prettyJson(item, inner)}`)
    : Object.entries(value).map(
        ([key, item]) => `${inner}${JSON.stringify(key)}: ${prettyJson(item, inner)}`,
      )
  if (lines.length === 0) return short
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"]
  return `${open}\n${lines.join(",\n")}\n${indent}${close}`
}
