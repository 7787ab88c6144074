/** What a check came to. */
export type Verdict =
  | { readonly outcome: "passed" }
  | {
      readonly outcome: "failed"
      readonly expected: string
      readonly seen: string
      /** What whoever writes the subject is to do, as a sentence. */
      readonly advice: string
    }
  | { readonly outcome: "not_judged"; readonly why: string }

/** What a report names a check by. */
export interface Named {
  /** The check's name for programs, such as `forged`; it stays the same between versions. */
  readonly id: string
  /** What the subject does, if it is right: `refuses a body that another secret signed`. */
  readonly title: string
  /** Where that is said: a section of the specification, or a public standard. */
  readonly clause: string
  /** The level that it is part of, where its grader has levels. */
  readonly level?: string
}

/** A check with what it came to, and how long that took. */
export interface Judged extends Named {
  readonly verdict: Verdict
  readonly duration_ms: number
}

/** What a grader found of a subject. */
export interface Report {
  readonly grader: string
  /** What was graded: an address or a command. */
  readonly subject: string
  /** Repeats what the grader chose. */
  readonly seed: string
  readonly checks: ReadonlyArray<Judged>
  readonly duration_ms: number
  /** Whether the run ended before its checks did. */
  readonly cut_off: boolean
}

/** How many checks came to what. */
export type Counts = { readonly [O in Verdict["outcome"]]: number }

/** Passed. */
export const passed: Verdict = { outcome: "passed" }

/** Failed: what was expected, what was seen, and what to do, each in words. */
export const failed = (expected: string, seen: string, advice: string): Verdict => ({
  outcome: "failed",
  expected,
  seen,
  advice,
})

/** Not judged, and why. */
export const notJudged = (why: string): Verdict => ({ outcome: "not_judged", why })

/** The first verdict of a check's parts that is not passed; passed where all are. */
export const firstFlaw = (verdicts: ReadonlyArray<Verdict>): Verdict =>
  verdicts.find(({ outcome }) => outcome === "failed") ??
  verdicts.find(({ outcome }) => outcome === "not_judged") ??
  passed

/** How many checks of a report came to what. */
export const countsOf = ({ checks }: Pick<Report, "checks">): Counts => {
  const count = (outcome: Verdict["outcome"]) =>
    checks.filter(({ verdict }) => verdict.outcome === outcome).length
  return { passed: count("passed"), failed: count("failed"), not_judged: count("not_judged") }
}

/** What a subject comes to in one of the levels of its grader. */
export interface Level {
  readonly name: string
  /** Whether none of its checks failed and one passed, and the levels before it are reached. */
  readonly reached: boolean
  /** The checks that keep it from that. */
  readonly failed: ReadonlyArray<string>
}

/** The levels of a grader, the lowest first: none where it has none. */
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

/** The highest level that is reached: null for none, undefined where there are no levels. */
export const levelOf = (report: Pick<Report, "checks">): string | null | undefined => {
  const levels = levelsOf(report)
  if (levels.length === 0) return undefined
  return levels.findLast(({ reached }) => reached)?.name ?? null
}

/** What a whole run came to; `incomplete` where it judged nothing or was cut off. */
export const outcomeOf = (report: Report): "passed" | "failed" | "incomplete" => {
  const { failed: flaws, passed: right } = countsOf(report)
  if (flaws > 0) return "failed"
  return report.cut_off || right === 0 ? "incomplete" : "passed"
}

const EXIT_CODES = { passed: 0, failed: 1, incomplete: 2 } as const

/** How the process ends: 0 all judged passed, 1 something failed, 2 it could not run to its end. */
export const exitCodeOf = (report: Report): 0 | 1 | 2 => EXIT_CODES[outcomeOf(report)]

/** The report as a program reads it. */
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
