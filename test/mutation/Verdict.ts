import { describeMutant, type Mutant } from "./Mutant.ts"

/** The verdict of the worlds on a mutant. */
export type Verdict =
  | { readonly type: "noticed"; readonly by: string; readonly world: string }
  /** Worlds reached it, and none was judged differently. `differs` if one ran differently. */
  | { readonly type: "survived"; readonly differs: boolean }
  | { readonly type: "unreached" }

/** A mutant and its verdicts. */
export interface Judged {
  readonly mutant: Mutant
  readonly worlds: Verdict
  /** The test that failed; null if none did, and undefined if none was run. */
  readonly tests: string | null | undefined
}

/** The number of mutants in a sample that were noticed. */
export interface Score {
  readonly mutants: number
  readonly worlds: number
  /** The share noticed by worlds or tests; null if no test was run. */
  readonly together: number | null
}

const isNoticed = ({ worlds }: Judged): boolean => worlds.type === "noticed"

export const scoreOf = (judged: ReadonlyArray<Judged>): Score => ({
  mutants: judged.length,
  worlds: judged.filter(isNoticed).length,
  together: judged.some((one) => !isNoticed(one) && one.tests === undefined)
    ? null
    : judged.filter((one) => isNoticed(one) || typeof one.tests === "string").length,
})

const percent = (part: number, all: number): string =>
  all === 0 ? "none" : `${((100 * part) / all).toFixed(1)}%`

/** The lines of a report: what worlds missed first, then the shares. */
export const reportOf = (judged: ReadonlyArray<Judged>): ReadonlyArray<string> => {
  const missed = judged.filter((one) => !isNoticed(one))
  const told = (title: string, which: (verdict: Verdict) => boolean) => {
    const ones = missed.filter(({ worlds }) => which(worlds))
    if (ones.length === 0) return []
    const by = (tests: Judged["tests"]) =>
      tests === undefined ? "" : tests === null ? " (no test notices)" : " (a test notices)"
    const lines = ones.map(({ mutant, tests }) => `  ${describeMutant(mutant)}${by(tests)}`)
    return ["", title, ...lines.toSorted()]
  }
  const { mutants, together, worlds } = scoreOf(judged)
  const reached = judged.filter((one) => one.worlds.type !== "unreached").length
  return [
    ...told("Worlds go another way, and no invariant notices:", (verdict) => {
      return verdict.type === "survived" && verdict.differs
    }),
    ...told("Worlds come by it, and go the same way:", (verdict) => {
      return verdict.type === "survived" && !verdict.differs
    }),
    ...told("No world comes by it:", ({ type }) => type === "unreached"),
    "",
    `worlds alone notice ${worlds} of ${mutants}: ${percent(worlds, mutants)}`,
    `of those that they come by: ${percent(worlds, reached)} of ${reached}`,
    ...(together === null
      ? []
      : [`worlds or tests notice ${together}: ${percent(together, mutants)}`]),
  ]
}
