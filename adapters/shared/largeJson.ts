import { isAscii } from "node:buffer"

/** Bodies up to this many bytes are parsed directly: none of them takes long. */
const SMALL = 64 * 1024

/** The most bytes of a large body outside its strings. */
const MOST_OUTSIDE = 64 * 1024

/** The most escapes of a large body: an image of 8 MiB with all characters escaped has fewer. */
const MOST_ESCAPES = 400_000

/** A body over this many bytes is an image in base64, which is ASCII. */
const ONLY_ASCII = 1024 * 1024

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Walks over the strings of a body and counts their escapes. */
class Strings {
  readonly #bytes: Buffer
  /** The position of the next backslash after the strings so far; -1 if there is none. */
  #escape: number
  escapes = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    this.#escape = bytes.indexOf(BACKSLASH)
  }

  /** Returns the end of the string whose first character is at `from`; -1 if it has none. */
  end(from: number): number {
    let quote = this.#bytes.indexOf(QUOTE, from)
    while (quote >= 0 && this.#escape >= 0 && this.#escape < quote) {
      this.escapes += 1
      if (this.escapes > MOST_ESCAPES) return -1
      if (quote === this.#escape + 1) quote = this.#bytes.indexOf(QUOTE, quote + 1)
      this.#escape = this.#bytes.indexOf(BACKSLASH, this.#escape + 2)
    }
    return quote
  }
}

/**
 * Returns why a large body is not parsed: the parser would block the thread for long. Undefined for
 * small bodies, and for large ones of a few long strings, such as images in base64.
 */
export const flawOfLarge = (bytes: Buffer): string | undefined => {
  if (bytes.length <= SMALL) return undefined
  if (bytes.length > ONLY_ASCII && !isAscii(bytes)) {
    return `A body over ${ONLY_ASCII} bytes may hold ASCII characters only.`
  }
  const strings = new Strings(bytes)
  let outside = 0
  for (let at = 0; at < bytes.length; at++) {
    outside += 1
    if (outside > MOST_OUTSIDE) {
      return `The body holds more than ${MOST_OUTSIDE} bytes outside of its strings.`
    }
    if (bytes[at] === BACKSLASH) return "The body is not valid JSON."
    if (bytes[at] !== QUOTE) continue
    at = strings.end(at + 1)
    if (strings.escapes > MOST_ESCAPES) return `The body holds more than ${MOST_ESCAPES} escapes.`
    if (at < 0) return "The body is not valid JSON."
  }
  return undefined
}
