/** The result of a check. */
export type Verdict =
  | { readonly outcome: "passed" }
  | {
      readonly outcome: "failed"
      readonly expected: string
      readonly seen: string
      /** What the subject's author has to do, as a sentence. */
      readonly advice: string
    }
  | { readonly outcome: "not_judged"; readonly why: string }

/** The name and origin of a check. */
export interface Named {
  /** The check's stable id for programs, such as `forged`. */
  readonly id: string
  /** What a correct subject does: `refuses a body that another secret signed`. */
  readonly title: string
  /** Its source: a section of the specification, or a public standard. */
  readonly clause: string
  /** Its level, if its grader has levels. */
  readonly level?: string
}

/** A check with its verdict and duration. */
export interface Judged extends Named {
  readonly verdict: Verdict
  readonly duration_ms: number
}

/** The results of a grader for a subject. */
export interface Report {
  readonly grader: string
  /** The subject: an address or a command. */
  readonly subject: string
  /** Repeats the grader's random choices. */
  readonly seed: string
  readonly checks: ReadonlyArray<Judged>
  readonly duration_ms: number
  /** Whether the run ended before its checks. */
  readonly cut_off: boolean
}

/** The number of checks for each outcome. */
export type Counts = { readonly [O in Verdict["outcome"]]: number }

/** Passed. */
export const passed: Verdict = { outcome: "passed" }

/** Makes a failed verdict: what was expected, what was seen, and what to do, in words. */
export const failed = (expected: string, seen: string, advice: string): Verdict => ({
  outcome: "failed",
  expected,
  seen,
  advice,
})

/** Makes a verdict of a check that was not judged, with the reason. */
export const notJudged = (why: string): Verdict => ({ outcome: "not_judged", why })

/** Returns the first verdict of a check's parts that is not passed; passed if all are. */
export const firstFlaw = (verdicts: ReadonlyArray<Verdict>): Verdict =>
  verdicts.find(({ outcome }) => outcome === "failed") ??
  verdicts.find(({ outcome }) => outcome === "not_judged") ??
  passed

/** Returns the number of a report's checks for each outcome. */
export const countsOf = ({ checks }: Pick<Report, "checks">): Counts => {
  const count = (outcome: Verdict["outcome"]) =>
    checks.filter(({ verdict }) => verdict.outcome === outcome).length
  return { passed: count("passed"), failed: count("failed"), not_judged: count("not_judged") }
}

/** The result of a subject in one of its grader's levels. */
export interface Level {
  readonly name: string
  /** Whether none of its checks failed, one passed, and the levels before it are reached. */
  readonly reached: boolean
  /** The checks that prevent this. */
  readonly failed: ReadonlyArray<string>
}

/** Returns the levels of a grader, the lowest first; empty if it has none. */
export const levelsOf = ({ checks }: Pick<Report, "checks">): ReadonlyArray<Level> => {
  const names = [...new Set(checks.flatMap(({ level }) => level ?? []))]
  let reached = true
  return names.map((name) => {
    const own = checks.filter(({ level }) => level === name)
    const flaws = own.filter(({ verdict }) => verdict.outcome === "failed").map(({ id }) => id)
    const has = own.some(({ verdict }) => verdict.outcome === "passed")
    reached = reached && has && flaws.length === 0
    return { name, reached, failed: flaws }
  })
}

/** Returns the highest level reached: null for none, undefined if there are no levels. */
export const levelOf = (report: Pick<Report, "checks">): string | null | undefined => {
  const levels = levelsOf(report)
  if (levels.length === 0) return undefined
  return levels.findLast(({ reached }) => reached)?.name ?? null
}

/** Returns the outcome of a run; `incomplete` if it judged nothing or was cut off. */
export const outcomeOf = (report: Report): "passed" | "failed" | "incomplete" => {
  const { failed: flaws, passed: right } = countsOf(report)
  if (flaws > 0) return "failed"
  return report.cut_off || right === 0 ? "incomplete" : "passed"
}

const EXIT_CODES = { passed: 0, failed: 1, incomplete: 2 } as const

/** Returns the exit code: 0 if all judged checks passed, 1 if one failed, 2 if incomplete. */
export const exitCodeOf = (report: Report): 0 | 1 | 2 => EXIT_CODES[outcomeOf(report)]

/** Returns the report for programs. */
export const reportJson = (report: Report): object => ({
  grader: report.grader,
  subject: report.subject,
  seed: report.seed,
  outcome: outcomeOf(report),
  ...(levelOf(report) !== undefined && { level: levelOf(report), levels: levelsOf(report) }),
  ...countsOf(report),
  duration_ms: report.duration_ms,
  checks: report.checks.map(({ verdict, ...check }) => ({ ...check, ...verdict })),
})
