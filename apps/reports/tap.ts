import type { TestCase, TestOutcome, TestSuite } from "./TestSuite.ts"
import { isFlaw } from "./TestSuite.ts"

/** Characters that end a line or control a terminal. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g

/**
 * Puts a description or a reason on one line, and escapes `#`, which begins a directive, and `\`.
 */
const described = (text: string): string =>
  text.replaceAll(CONTROL, " ").replaceAll(/[\\#]/g, "\\$&").trim()

const escaped = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/** Quotes a text for YAML's double quotes, which support JSON's escapes. */
const quoted = (text: string): string =>
  JSON.stringify(text).replaceAll(/[\u007f-\u009f\u2028\u2029\ufeff]/g, escaped)

const indented = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.map((line) => `    ${line}`)

const SEVERITIES = { failed: "fail", error: "error" } as const

/** Returns the YAML object after a test that did not pass. */
const diagnostic = (test: TestCase): ReadonlyArray<string> => {
  if (!isFlaw(test)) return []
  const { duration_ms, group, outcome } = test
  return [
    "  ---",
    `  message: ${quoted(outcome.line)}`,
    `  severity: ${SEVERITIES[outcome.type]}`,
    `  group: ${quoted(group)}`,
    `  duration_ms: ${Math.round(duration_ms)}`,
    `  found: ${quoted(outcome.text)}`,
    "  ...",
  ]
}

const directive = (outcome: TestOutcome): string =>
  outcome.type === "skipped" ? ` # SKIP ${described(outcome.line)}` : ""

const caseLines = (test: TestCase, n: number): ReadonlyArray<string> => {
  const result = isFlaw(test) ? "not ok" : "ok"
  const point = `${result} ${n + 1} - ${described(test.name)}${directive(test.outcome)}`
  return [point, ...diagnostic(test)]
}

const plan = (count: number): string => (count === 0 ? "1..0 # SKIP no tests" : `1..${count}`)

const suiteLines = ({ cases, name, properties }: TestSuite, n: number): ReadonlyArray<string> => [
  `# Subtest: ${described(name)}`,
  ...indented([
    ...Object.entries(properties).map(([key, value]) => `# ${described(`${key}: ${value}`)}`),
    ...cases.flatMap(caseLines),
    plan(cases.length),
  ]),
  `${cases.some(isFlaw) ? "not ok" : "ok"} ${n + 1} - ${described(name)}`,
]

/** The stream that test harnesses read, in version 14 of the Test Anything Protocol. */
export const tapText = (suites: ReadonlyArray<TestSuite>): string =>
  ["TAP version 14", ...suites.flatMap(suiteLines), plan(suites.length), ""].join("\n")
