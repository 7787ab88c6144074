import { PIECE } from "./sortInPieces.ts"

/** A prefix that several words share, and the range of those words in the sorted list. */
export interface PrefixNode {
  readonly prefix: string
  readonly first: number
  readonly last: number
}

const isHighSurrogate = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at)
  return unit >= 0xd800 && unit < 0xdc00
}

/** Returns the length of the common prefix, in whole characters. */
const common = (a: string, b: string): number => {
  let length = 0
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length += 1
  return length > 0 && isHighSurrogate(a, length - 1) ? length - 1 : length
}

/**
 * Yields every longest prefix that `least` or more words share, and undefined after each piece of
 * the words, so that other work can go on. The words must be sorted and distinct. The words with a
 * searched prefix are exactly those of the first node that begins with it, or they are fewer than
 * `least`.
 */
export function* prefixNodes(
  words: ReadonlyArray<string>,
  least: number,
): Generator<PrefixNode | undefined> {
  const open: Array<{ readonly length: number; readonly first: number }> = []
  for (let n = 1; n <= words.length; n++) {
    const length = n < words.length ? common(words[n - 1] ?? "", words[n] ?? "") : 0
    let first = n - 1
    for (let top = open.at(-1); top !== undefined && top.length > length; top = open.at(-1)) {
      open.pop()
      first = top.first
      const prefix = (words[first] ?? "").slice(0, top.length)
      if (n - first >= least) yield { prefix, first, last: n - 1 }
    }
    if (length > (open.at(-1)?.length ?? 0)) open.push({ length, first })
    if (n % PIECE === 0) yield undefined
  }
}
