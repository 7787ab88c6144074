const isEnd = (character: string | undefined): boolean =>
  character !== undefined && /[\s\p{Cc}]/u.test(character)

/**
 * Removes what printers and scanners put around a code: line breaks (CR LF), other white space, NUL
 * and record separators.
 */
export const withoutEnds = (scanned: string): string => {
  let from = 0
  let to = scanned.length
  while (from < to && isEnd(scanned[from])) from += 1
  while (to > from && isEnd(scanned[to - 1])) to -= 1
  return scanned.slice(from, to)
}

/** A lone carriage return lets the rest of a line overwrite its beginning. */
const HIDDEN =
  /[\u0000-\b\v\f\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]|\r(?!\n)|\p{Cs}/gu

/** Replaces characters of a code's text that could hide or reorder a part of it by U+FFFD. */
export const visible = (held: string): string => held.replace(HIDDEN, "\ufffd")

const BREAKS = /\r\n|[\t\n\r\u2028\u2029]/g

/** Does the same for a text of one line, such as a merchant's name, and replaces line breaks. */
export const visibleLine = (held: string): string => visible(held.replace(BREAKS, "\ufffd"))
