/** A field of a TLV text: its tag, its value, and where its tag begins, in characters. */
export interface TlvField {
  readonly tag: string
  readonly value: string
  readonly at: number
}

/** Why a TLV text could not be read any further, and where. */
export interface TlvProblem {
  readonly code: "bad_tag" | "bad_length" | "too_short"
  /** The path of the tag with dots, `29.01`; null where no tag could be read. */
  readonly tag: string | null
  readonly at: number
  readonly message: string
}

/** The fields in their order, and the problem that ended reading early. */
export interface Tlv {
  readonly fields: ReadonlyArray<TlvField>
  readonly problem: TlvProblem | null
}

const TWO_DIGITS = /^[0-9]{2}$/

const quoted = (text: string): string => JSON.stringify(text)

/**
 * Reads tags of two digits, lengths of two digits and values of that many characters (code points).
 * `at` is where the text begins in the whole code, and `path` is the tag whose value it is. A
 * truncated value is left out: half an amount is another amount.
 */
export const readTlv = (text: string, at = 0, path: string | null = null): Tlv => {
  const characters = [...text]
  const fields: Array<TlvField> = []
  const slice = (from: number, to: number): string => characters.slice(from, to).join("")
  let next = 0
  while (next < characters.length) {
    const own = slice(next, next + 2)
    const where = at + next
    const withProblem = (code: TlvProblem["code"], tag: string | null, message: string): Tlv => ({
      fields,
      problem: { code, tag, at: where, message },
    })
    if (!TWO_DIGITS.test(own)) {
      const message = `A tag of two digits is expected at character ${where}, not ${quoted(own)}.`
      return withProblem("bad_tag", path, message)
    }
    const tag = path === null ? own : `${path}.${own}`
    const length = slice(next + 2, next + 4)
    if (!TWO_DIGITS.test(length)) {
      const message = `The length of tag ${tag} must be two digits, not ${quoted(length)}.`
      return withProblem("bad_length", tag, message)
    }
    const end = next + 4 + Number(length)
    if (end > characters.length) {
      const left = characters.length - next - 4
      const message = `Tag ${tag} needs ${Number(length)} characters, but only ${left} are left.`
      return withProblem("too_short", tag, message)
    }
    fields.push({ tag: own, value: slice(next + 4, end), at: where })
    next = end
  }
  return { fields, problem: null }
}
