import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from "yaml"
import type { LineOf } from "../../simulator/scenarios/mergeScenarios.ts"

/** Returns the node of a key or an item in a node, and the node of its value. */
const step = (node: unknown, name: string): { readonly at: unknown; readonly value: unknown } => {
  if (isSeq(node)) {
    const item = node.items[Number(name)]
    return { at: item, value: item }
  }
  if (!isMap(node)) return { at: undefined, value: undefined }
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === name)
  return { at: pair?.key, value: pair?.value }
}

/** Finds the lines, from 1, of values in a JSON or YAML text. */
export const linesOf = (text: string): LineOf => {
  const lines = new LineCounter()
  let content: unknown
  return (path) => {
    content ??= parseDocument(text, { lineCounter: lines, logLevel: "silent" }).contents
    // An empty text has no node, and its first line is where something is missing.
    if (content === null) return 1
    let node: unknown = content
    let offset = isNode(node) ? node.range?.[0] : undefined
    for (const name of path) {
      const { at, value } = step(node, name)
      if (!isNode(at)) break
      offset = at.range?.[0] ?? offset
      node = value
    }
    return offset === undefined ? undefined : lines.linePos(offset).line
  }
}
