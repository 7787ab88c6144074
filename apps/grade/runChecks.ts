import { failed, type Judged, type Named, notJudged, type Verdict } from "./report/Report.ts"

/** Why nothing can be graded, in a sentence that says what to do. */
export class CannotGrade extends Error {
  override readonly name = "CannotGrade"
}

/** One requirement of a subject. */
export interface Check<Subject> extends Named {
  /** Earlier checks; if they have not passed, this check would prove nothing. */
  readonly needs?: ReadonlyArray<string>
  /** Runs the check. `CannotGrade` cuts the run off; any other error is a failed check. */
  readonly judge: (subject: Subject) => Promise<Verdict>
}

/** How checks are run. */
export interface RunOptions {
  /** Aborts when the run's time is up, or somebody stops it. */
  readonly signal: AbortSignal
  /** Receives each check when it ends. */
  readonly tell: (judged: Judged) => void
  /** A clock in milliseconds, from any start. */
  readonly now: () => number
}

/** The results of all checks. */
export interface Ran {
  readonly checks: ReadonlyArray<Judged>
  readonly duration_ms: number
  readonly cut_off: boolean
}

/** The verdict where a check breaks. A hostile answer may be made for that; the others count. */
const unreadable = (error: unknown): Verdict =>
  failed(
    "an answer that can be judged",
    error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    "Send a plainer answer. If yours is right, report a bug of this grader.",
  )

const judgeOne = async <Subject>(
  judge: Check<Subject>["judge"],
  subject: Subject,
  signal: AbortSignal,
): Promise<Verdict> => {
  try {
    return await judge(subject)
  } catch (error) {
    // A check that was running when the signal came may end in any way.
    if (error instanceof CannotGrade && !signal.aborted) throw error
    return unreadable(error)
  }
}

const TIME_UP = notJudged("the run ended before it could be judged: give it more --seconds")

const isJudged = ({ verdict }: Judged): boolean => verdict.outcome !== "not_judged"

/**
 * Runs checks one after the other. A check is not judged if a check that it needs has not passed,
 * or if it was running when the signal came: the end of the run may have caused what it saw. After
 * a check with `CannotGrade`, such as because the subject has ended, no more are judged, and what
 * was judged counts. Rejects with it if nothing was.
 */
export const runChecks = async <Subject>(
  checks: ReadonlyArray<Check<Subject>>,
  subject: Subject,
  { now, signal, tell }: RunOptions,
): Promise<Ran> => {
  const begun = now()
  const judged: Array<Judged> = []
  const hasPassed = (id: string) =>
    judged.some((one) => one.id === id && one.verdict.outcome === "passed")
  let cutOff = false
  let broken: Verdict | undefined
  const verdictOf = async ({ judge, needs = [] }: Check<Subject>): Promise<Verdict> => {
    if (broken !== undefined) return broken
    const missing = needs.find((id) => !hasPassed(id))
    if (missing !== undefined) return notJudged(`it says something only once ${missing} passes`)
    if (!signal.aborted) {
      try {
        const verdict = await judgeOne(judge, subject, signal)
        if (!signal.aborted) return verdict
      } catch (error) {
        if (!(error instanceof CannotGrade && judged.some(isJudged))) throw error
        cutOff = true
        return (broken = notJudged(`the run ended here: ${error.message}`))
      }
    }
    cutOff = true
    return TIME_UP
  }
  for (const check of checks) {
    const started = now()
    const verdict = await verdictOf(check)
    const { clause, id, level, title } = check
    const named = { id, title, clause, ...(level !== undefined && { level }) }
    const one = { ...named, verdict, duration_ms: Math.round(now() - started) }
    judged.push(one)
    tell(one)
  }
  return { checks: judged, duration_ms: Math.round(now() - begun), cut_off: cutOff }
}
