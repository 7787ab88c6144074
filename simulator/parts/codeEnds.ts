// Written independently of core/qr on purpose: what is wrong with the end of a code is known.

import { checksum } from "./merchantCodes.ts"

/** What is wrong with a code, and where. */
export interface Problem {
  readonly code: string
  readonly tag: string | null
  readonly at: number | null
}

export const problem = (code: string, tag: string | null, at: number | null): Problem => ({
  code,
  tag,
  at,
})

/** How a code may end. */
export type End =
  | "sound"
  | "small"
  | "short"
  | "missing"
  | "changed"
  | "not_last"
  | "bad_tag"
  | "bad_length"
  | "cut"

/** The ends with something unusual. */
export const ENDS = [
  "small",
  "short",
  "missing",
  "changed",
  "not_last",
  "bad_tag",
  "bad_length",
  "cut",
] as const

/** Ends a code, and returns what is wrong with its end. */
export const ended = (body: string, end: End) => {
  const size = [...body].length
  const sum = checksum(`${body}6304`)
  const changed = `${sum.startsWith("0") ? "1" : "0"}${sum.slice(1)}`
  const lost = problem("missing_tag", "63", null)
  const whole = `${body}6304${sum}`
  const none: ReadonlyArray<Problem> = []
  const ends: { readonly [E in End]: readonly [string, typeof none, typeof none] } = {
    sound: [whole, none, none],
    small: [`${body}6304${sum.toLowerCase()}`, none, none],
    short: [`${body}6304${sum.replace(/^0{1,3}/, "")}`, none, none],
    missing: [body, none, [lost]],
    changed: [`${body}6304${changed}`, none, [problem("bad_crc", "63", size)]],
    not_last: [`${whole}9001x`, none, [problem("crc_not_last", "63", size)]],
    bad_tag: [`${body}X1`, [problem("bad_tag", null, size)], [lost]],
    bad_length: [`${body}90x1`, [problem("bad_length", "90", size)], [lost]],
    cut: [`${body}9009abc`, [problem("too_short", "90", size)], [lost]],
  }
  const [text, first, last] = ends[end]
  const hasSum = !last.includes(lost)
  const crc = end === "changed" ? changed : sum
  return { text, first, last, crc: hasSum ? crc : null, isRight: last.length === 0 }
}
