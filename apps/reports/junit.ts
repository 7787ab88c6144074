import type { TestCase, TestOutcome, TestSuite } from "./TestSuite.ts"

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

const tagged = (tag: string, { line, text }: { readonly line: string; readonly text: string }) =>
  `      <${tag}${attributes({ message: line })}>${content(text)}</${tag}>`

const inside = (outcome: TestOutcome): ReadonlyArray<string> => {
  switch (outcome.type) {
    case "passed":
      return []
    case "failed":
      return [tagged("failure", outcome)]
    case "error":
      return [tagged("error", outcome)]
    case "skipped":
      return [`      <skipped${attributes({ message: outcome.line })}/>`]
  }
}

const caseXml = ({ duration_ms, group, name, outcome }: TestCase): ReadonlyArray<string> => {
  const tag = `    <testcase${attributes({ classname: group, name, time: seconds(duration_ms) })}`
  const lines = inside(outcome)
  return lines.length === 0 ? [`${tag}/>`] : [`${tag}>`, ...lines, "    </testcase>"]
}

const totalsOf = (cases: ReadonlyArray<TestCase>) => {
  const count = (type: TestOutcome["type"]) =>
    cases.filter(({ outcome }) => outcome.type === type).length
  const time = cases.reduce((sum, { duration_ms }) => sum + duration_ms, 0)
  return {
    tests: cases.length,
    failures: count("failed"),
    errors: count("error"),
    skipped: count("skipped"),
    time: seconds(time),
  }
}

const suiteXml = ({ cases, name, properties }: TestSuite): ReadonlyArray<string> => [
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
export const junitXml = (suites: ReadonlyArray<TestSuite>): string => {
  const totals = totalsOf(suites.flatMap(({ cases }) => cases))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes(totals)}>`,
    ...suites.flatMap(suiteXml),
    "</testsuites>",
    "",
  ].join("\n")
}
