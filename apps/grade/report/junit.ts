/** What a test came to; `text` says more than the line. */
export type JunitOutcome =
  | { readonly type: "passed" }
  | { readonly type: "failed"; readonly line: string; readonly text: string }
  | { readonly type: "skipped"; readonly line: string }

/** A test of a suite. */
export interface JunitCase {
  /** What it belongs to, with dots between the parts. */
  readonly group: string
  readonly name: string
  readonly duration_ms: number
  readonly outcome: JunitOutcome
}

/** Tests with a name, and what is good to know about all of them. */
export interface JunitSuite {
  readonly name: string
  readonly cases: ReadonlyArray<JunitCase>
  readonly properties: { readonly [name: string]: string }
}

/** What XML 1.0 cannot hold, not even escaped. */
const NOT_XML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const ENTITIES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
}

const escaped = (text: string): string =>
  text.replaceAll(NOT_XML, "\ufffd").replaceAll(/[&<>"\t\n\r]/g, (found) => ENTITIES[found] ?? "")

/** Text between tags keeps its lines. */
const content = (text: string): string => escaped(text).replaceAll("&#10;", "\n")

const attributes = (values: { readonly [name: string]: string | number }): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join("")

const seconds = (millis: number): string => (millis / 1_000).toFixed(3)

const inside = (outcome: JunitOutcome): ReadonlyArray<string> => {
  switch (outcome.type) {
    case "passed":
      return []
    case "failed": {
      const { line, text } = outcome
      return [`      <failure${attributes({ message: line })}>${content(text)}</failure>`]
    }
    case "skipped":
      return [`      <skipped${attributes({ message: outcome.line })}/>`]
  }
}

const caseXml = ({ duration_ms, group, name, outcome }: JunitCase): ReadonlyArray<string> => {
  const tag = `    <testcase${attributes({ classname: group, name, time: seconds(duration_ms) })}`
  const lines = inside(outcome)
  return lines.length === 0 ? [`${tag}/>`] : [`${tag}>`, ...lines, "    </testcase>"]
}

const totalsOf = (cases: ReadonlyArray<JunitCase>) => {
  const count = (type: JunitOutcome["type"]) =>
    cases.filter(({ outcome }) => outcome.type === type).length
  const time = cases.reduce((sum, { duration_ms }) => sum + duration_ms, 0)
  return {
    tests: cases.length,
    failures: count("failed"),
    errors: 0,
    skipped: count("skipped"),
    time: seconds(time),
  }
}

const suiteXml = ({ cases, name, properties }: JunitSuite): ReadonlyArray<string> => [
  `  <testsuite${attributes({ name, ...totalsOf(cases) })}>`,
  "    <properties>",
  ...Object.entries(properties).map(
    ([property, value]) => `      <property${attributes({ name: property, value })}/>`,
  ),
  "    </properties>",
  ...cases.flatMap(caseXml),
  "  </testsuite>",
]

/** The file that build servers read: JUnit's XML, as Jenkins' schema has it. */
export const junitXml = (suites: ReadonlyArray<JunitSuite>): string => {
  const totals = totalsOf(suites.flatMap(({ cases }) => cases))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes(totals)}>`,
    ...suites.flatMap(suiteXml),
    "</testsuites>",
    "",
  ].join("\n")
}
