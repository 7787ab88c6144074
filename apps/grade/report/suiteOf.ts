import type { TestOutcome, TestSuite } from "../../reports/TestSuite.ts"
import { levelOf, type Report, type Verdict } from "./Report.ts"

const outcomeOf = (clause: string, verdict: Verdict): TestOutcome => {
  switch (verdict.outcome) {
    case "passed":
      return { type: "passed" }
    case "failed": {
      const { advice, expected, seen } = verdict
      const text = [`clause    ${clause}`, `expected  ${expected}`, `seen      ${seen}`, advice]
      return { type: "failed", line: `expected ${expected}, seen ${seen}`, text: text.join("\n") }
    }
    case "not_judged":
      return { type: "skipped", line: verdict.why }
  }
}

const levelProperty = (report: Pick<Report, "checks">): { readonly level?: string } => {
  const level = levelOf(report)
  return level === undefined ? {} : { level: level ?? "none" }
}

/** Returns a grader's report as a suite with a test for each check. */
export const suiteOf = ({ checks, grader, seed, subject }: Report): TestSuite => ({
  name: `payport grade ${grader}`,
  properties: { subject, seed, ...levelProperty({ checks }) },
  cases: checks.map(({ clause, duration_ms, id, title, verdict }) => ({
    group: `payport.grade.${grader}`,
    name: `${id}: ${title}`,
    duration_ms,
    outcome: outcomeOf(clause, verdict),
  })),
})
