import { describe, expect, test } from "vitest"
import { parse } from "yaml"
import { githubAnnotations } from "../../../apps/reports/githubAnnotations.ts"
import { junitXml } from "../../../apps/reports/junit.ts"
import { tapText } from "../../../apps/reports/tap.ts"
import type { TestOutcome, TestSuite } from "../../../apps/reports/TestSuite.ts"

const failing = (line: string, text = line): TestOutcome => ({ type: "failed", line, text })

const suiteOf = (outcomes: ReadonlyArray<TestOutcome>, more: Partial<TestSuite> = {}) => ({
  name: "worlds",
  properties: { scenario: "sale #1" },
  cases: outcomes.map((outcome, n) => ({
    group: "worlds.sale",
    name: `seed ${n}`,
    duration_ms: 12.4,
    outcome,
  })),
  ...more,
})

const PASSED: TestOutcome = { type: "passed" }
const SKIPPED: TestOutcome = { type: "skipped", line: "nothing\nto #judge" }

describe("TAP", () => {
  test("is version 14, a suite a subtest", () => {
    const error: TestOutcome = { type: "error", line: "given up", text: "given up\nat 3" }
    expect(tapText([suiteOf([PASSED, SKIPPED, error]), suiteOf([PASSED])])).toBe(`\
TAP version 14
# Subtest: worlds
    # scenario: sale \\#1
    ok 1 - seed 0
    ok 2 - seed 1 # SKIP nothing to \\#judge
    not ok 3 - seed 2
      ---
      message: "given up"
      severity: error
      group: "worlds.sale"
      duration_ms: 12
      found: "given up\\nat 3"
      ...
    1..3
not ok 1 - worlds
# Subtest: worlds
    # scenario: sale \\#1
    ok 1 - seed 0
    1..1
ok 2 - worlds
1..2
`)
  })

  test("of nothing says so", () => {
    expect(tapText([suiteOf([])])).toContain("    1..0 # SKIP no tests\nok 1 - worlds\n1..1\n")
  })

  test.each([
    "a # skip b",
    "a \\ b",
    "a\nok 2 - forged",
    "a\r\u2028\u0085b",
    "bell \u0007 and \u001b[2J",
    '"quoted": {x}',
  ])("a name is one line, and no directive: %j", (name) => {
    const cases = [{ group: "g", name, duration_ms: 0, outcome: failing(name) }]
    const text = tapText([suiteOf([], { cases, properties: {} })])
    const lines = text.split(/[\n\r\u0085\u2028]/)
    expect(lines.filter((line) => /^ *(not )?ok /.test(line))).toHaveLength(2)
    expect(lines[2]).not.toMatch(/(?<!\\)#/)
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
    const [yaml = ""] = / {6}---\n(.*) {6}\.\.\./s.exec(text)?.slice(1) ?? []
    expect(parse(yaml)).toMatchObject({ message: name, severity: "fail" })
  })
})

describe("JUnit", () => {
  test("counts what came to no end apart from what failed", () => {
    const error: TestOutcome = { type: "error", line: "a < b", text: "a\u0000 & ]]>" }
    const xml = junitXml([suiteOf([PASSED, error, failing("x")])])
    expect(xml).toContain('tests="3" failures="1" errors="1" skipped="0"')
    expect(xml).toContain('<error message="a &lt; b">a\ufffd &amp; ]]&gt;</error>')
  })
})

describe("annotations of GitHub", () => {
  test.each<[string, TestOutcome, string]>([
    ["one line", failing("a, b: c"), "::error title=worlds%3A seed 0::a, b: c"],
    ["lines", failing("a", "b\r\nc"), "::error title=worlds%3A seed 0::a%0Ab%0D%0Ac"],
    ["a percentage", failing("5%0A"), "::error title=worlds%3A seed 0::5%250A"],
    ["a command", failing("\n::set-env::"), "::error title=worlds%3A seed 0::%0A::set-env::"],
  ])("of %s", (_, outcome, line) => {
    expect(githubAnnotations([suiteOf([outcome, PASSED, SKIPPED])])).toEqual([line])
  })

  test("name the file that the tests come from", () => {
    const [line] = githubAnnotations([suiteOf([failing("x")], { file: "a,b:c.yaml" })])
    expect(line).toBe("::error file=a%2Cb%3Ac.yaml,title=worlds%3A seed 0::x")
  })

  test("are ten at the most, of which the last counts the others", () => {
    const ten = githubAnnotations([suiteOf(Array.from({ length: 10 }, () => failing("x")))])
    expect(ten).toHaveLength(10)
    const more = githubAnnotations([suiteOf(Array.from({ length: 25 }, () => failing("x")))])
    expect(more).toHaveLength(10)
    expect(more.at(-1)).toBe("::error title=16 others::16 other tests did not pass.")
  })
})
