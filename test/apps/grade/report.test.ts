import { describe, expect, test } from "vitest"
import { junitXml } from "../../../apps/reports/junit.ts"
import {
  countsOf,
  exitCodeOf,
  failed,
  firstFlaw,
  type Judged,
  levelOf,
  levelsOf,
  notJudged,
  outcomeOf,
  passed,
  type Report,
  reportJson,
  type Verdict,
} from "../../../apps/grade/report/Report.ts"
import { suiteOf } from "../../../apps/grade/report/suiteOf.ts"
import { summaryText } from "../../../apps/grade/report/reportText.ts"
import { CannotGrade, runChecks } from "../../../apps/grade/runChecks.ts"

const FLAW = failed("status 4xx", "status 200", "Verify it.")
const SILENT = notJudged("--effects was not given")

const judged = (id: string, verdict: Verdict): Judged => ({
  id,
  title: `does ${id}`,
  clause: "Authentication 3",
  verdict,
  duration_ms: 12,
})

const reportOf = (verdicts: ReadonlyArray<Verdict>, cut_off = false): Report => ({
  grader: "receiver",
  subject: "http://127.0.0.1/hook",
  seed: "s",
  checks: verdicts.map((verdict, n) => judged(`check-${n}`, verdict)),
  duration_ms: 1_500,
  cut_off,
})

describe("a report", () => {
  test.each<[string, ReadonlyArray<Verdict>, boolean, string, number]>([
    ["nothing", [], false, "incomplete", 2],
    ["nothing judged", [SILENT], false, "incomplete", 2],
    ["one passed", [passed], false, "passed", 0],
    ["one passed, one not judged", [passed, SILENT], false, "passed", 0],
    ["one failed", [passed, FLAW], false, "failed", 1],
    ["one failed before the end", [FLAW, SILENT], true, "failed", 1],
    ["the end before the last", [passed, SILENT], true, "incomplete", 2],
  ])("of %s", (_, verdicts, cutOff, outcome, code) => {
    const report = reportOf(verdicts, cutOff)
    expect([outcomeOf(report), exitCodeOf(report)]).toEqual([outcome, code])
    expect(reportJson(report)).toMatchObject({ outcome, ...countsOf(report) })
  })

  test.each<[ReadonlyArray<Verdict>, Verdict]>([
    [[], passed],
    [[passed, SILENT, FLAW], FLAW],
    [[passed, SILENT], SILENT],
  ])("of several parts %#", (parts, whole) => {
    expect(firstFlaw(parts)).toEqual(whole)
  })

  test.each<[ReadonlyArray<readonly [level: string, verdict: Verdict]>, string | null]>([
    [[["core", passed]], "core"],
    [[["core", FLAW]], null],
    [[["core", SILENT]], null],
    [
      [
        ["core", passed],
        ["money", passed],
        ["core", SILENT],
      ],
      "money",
    ],
    [
      [
        ["core", passed],
        ["money", FLAW],
        ["webhooks", passed],
      ],
      "core",
    ],
    [
      [
        ["core", passed],
        ["money", SILENT],
        ["webhooks", passed],
      ],
      "core",
    ],
    [
      [
        ["core", passed],
        ["money", passed],
        ["core", FLAW],
      ],
      null,
    ],
  ])("of levels %#", (pairs, highest) => {
    const checks = pairs.map(([level, verdict], n) => ({ ...judged(`check-${n}`, verdict), level }))
    const report = { ...reportOf([]), checks }
    expect(levelOf(report)).toBe(highest)
    expect(reportJson(report)).toMatchObject({ level: highest, levels: levelsOf(report) })
    expect(summaryText(report)).toContain(`Level: ${highest ?? "none"}\n`)
    expect(suiteOf(report).properties).toMatchObject({ level: highest ?? "none" })
  })

  test("without levels says nothing of them", () => {
    const report = reportOf([passed])
    expect([levelOf(report), levelsOf(report)]).toEqual([undefined, []])
    expect(summaryText(report)).not.toContain("Level")
    expect(reportJson(report)).not.toHaveProperty("level")
  })

  test("for people has what failed first, and nothing that a terminal obeys", () => {
    const odd = failed("status 4xx", "status 200 \u001b[2J", "Verify it.")
    const text = summaryText(reportOf([passed, SILENT, odd]))
    expect(text.indexOf("Failed")).toBeLessThan(text.indexOf("Not judged"))
    expect(text).toContain("check-2: does check-2\n    clause    Authentication 3\n")
    expect(text).toContain("1 passed, 1 failed, 1 not judged in 1.5 s (--seed s).")
    expect(text).not.toContain("\u001b")
  })

  test("for build servers is JUnit's XML", () => {
    const counts = 'tests="3" failures="1" errors="0" skipped="1" time="0.036"'
    const odd = failed('a "b" & <c>', "\u0000\ud800 x\ny", "Do it.")
    expect(junitXml([suiteOf(reportOf([passed, odd, SILENT]))])).toBe(`\
<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${counts}>
  <testsuite name="payport grade receiver" ${counts}>
    <properties>
      <property name="subject" value="http://127.0.0.1/hook"/>
      <property name="seed" value="s"/>
    </properties>
    <testcase classname="payport.grade.receiver" name="check-0: does check-0" time="0.012"/>
    <testcase classname="payport.grade.receiver" name="check-1: does check-1" time="0.012">
      <failure message="expected a &quot;b&quot; &amp; &lt;c&gt;, seen \ufffd\ufffd x&#10;y">\
clause    Authentication 3
expected  a &quot;b&quot; &amp; &lt;c&gt;
seen      \ufffd\ufffd x
y
Do it.</failure>
    </testcase>
    <testcase classname="payport.grade.receiver" name="check-2: does check-2" time="0.012">
      <skipped message="--effects was not given"/>
    </testcase>
  </testsuite>
</testsuites>
`)
  })
})

describe("running checks", () => {
  const check = (id: string, verdict: Verdict, needs: ReadonlyArray<string> = []) => ({
    ...judged(id, verdict),
    needs,
    judge: async () => verdict,
  })
  const run = (checks: ReadonlyArray<ReturnType<typeof check>>, signal?: AbortSignal) =>
    runChecks(checks, undefined, {
      signal: signal ?? new AbortController().signal,
      tell: () => undefined,
      now: () => 0,
    })

  test("judges nothing whose needs have not passed", async () => {
    const { checks } = await run([
      check("a", FLAW),
      check("b", passed, ["a"]),
      check("c", passed),
      check("d", FLAW, ["c"]),
    ])
    const outcomes = checks.map(({ verdict }) => verdict.outcome)
    expect(outcomes).toEqual(["failed", "not_judged", "passed", "failed"])
  })

  test("judges nothing that the end of the run has cut off", async () => {
    const ending = new AbortController()
    const cut = {
      ...check("b", FLAW),
      judge: async () => {
        ending.abort()
        return FLAW
      },
    }
    const { checks, cut_off } = await run(
      [check("a", passed), cut, check("c", FLAW)],
      ending.signal,
    )
    const outcomes = checks.map(({ verdict }) => verdict.outcome)
    expect(outcomes).toEqual(["passed", "not_judged", "not_judged"])
    expect(cut_off).toBe(true)
  })

  test("goes on to a report where the end of the run breaks a check off", async () => {
    const ending = new AbortController()
    const broken = {
      ...check("a", FLAW),
      judge: () => {
        ending.abort()
        return Promise.reject(new Error("Nobody answers."))
      },
    }
    const { checks, cut_off } = await run([broken], ending.signal)
    expect([checks[0]?.verdict.outcome, cut_off]).toEqual(["not_judged", true])
  })

  test("fails a check that an answer breaks, and goes on with the others", async () => {
    const deep = {
      ...check("a", passed),
      judge: () => Promise.reject(new RangeError("Too deep.")),
    }
    const { checks } = await run([deep, check("b", passed)])
    expect(checks.map(({ verdict }) => verdict)).toEqual([
      expect.objectContaining({ outcome: "failed", seen: "RangeError: Too deep." }),
      passed,
    ])
  })

  test("keeps what was judged where a later check finds nobody there", async () => {
    const gone = {
      ...check("c", passed),
      judge: () => Promise.reject(new CannotGrade("Nobody is there.")),
    }
    const { checks, cut_off } = await run([
      check("a", passed),
      check("b", FLAW),
      gone,
      check("d", passed),
    ])
    const ended = { outcome: "not_judged", why: "the run ended here: Nobody is there." }
    expect(checks.map(({ verdict }) => verdict)).toEqual([passed, FLAW, ended, ended])
    expect(cut_off).toBe(true)
  })

  test("has no report where nothing can be graded", async () => {
    const gone = {
      ...check("a", passed),
      judge: () => Promise.reject(new CannotGrade("Nobody is there.")),
    }
    await expect(run([gone])).rejects.toThrow("Nobody is there.")
  })
})
