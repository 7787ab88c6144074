import { writeSync } from "node:fs"
import type { Reporter, SerializedError, TestCase, TestModule, TestRunEndReason } from "vitest/node"

/** The results of a run. An error outside any test counts as a failure. */
interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** Returns the counts in words. A run without a passed test is a failure. */
const closingLine = ({ passed, failed, skipped }: Tally): string => {
  const failures = passed === 0 ? Math.max(failed, 1) : failed
  return `${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`
}

/** Counts a finished run. A test that was collected and never ran counts as failed. */
const tally = (
  modules: ReadonlyArray<TestModule>,
  unhandledErrors: ReadonlyArray<SerializedError>,
  reason: TestRunEndReason,
): Tally => {
  let passed = 0
  let failed = unhandledErrors.length
  let skipped = 0
  for (const module of modules) {
    failed += module.errors().length
    for (const suite of module.children.allSuites()) failed += suite.errors().length
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state === "passed") passed += 1
      else if (state === "skipped") skipped += 1
      else failed += 1
    }
  }
  return { passed, skipped, failed: reason === "passed" ? failed : Math.max(failed, 1) }
}

/** The name of a test that failed and then passed, with its first error. */
const described = (test: TestCase): string => {
  const message = test.result().errors?.[0]?.message ?? "no error"
  return `  ${test.module.relativeModuleId} > ${test.fullName}\n    ${message.split("\n")[0]}`
}

/** Names the tests that failed first and passed when they were run again; empty without any. */
const unstable = (modules: ReadonlyArray<TestModule>): string => {
  const tests = modules
    .flatMap(({ children }) => [...children.allTests()])
    .filter((test) => test.diagnostic()?.flaky === true)
  if (tests.length === 0) return ""
  return `\nUnstable: passed at the second try\n${tests.map(described).join("\n")}\n`
}

/**
 * Prints the closing line after all other output, when the process exits. Before it, it lists the
 * tests that needed a second try.
 */
export class ClosingLine implements Reporter {
  #line: string | undefined

  onInit(): void {
    process.once("exit", () => {
      if (this.#line !== undefined) writeSync(1, `${this.#line}\n`)
    })
  }

  onTestRunEnd(
    modules: ReadonlyArray<TestModule>,
    unhandledErrors: ReadonlyArray<SerializedError>,
    reason: TestRunEndReason,
  ): void {
    const result = tally(modules, unhandledErrors, reason)
    this.#line = `${unstable(modules)}\n${closingLine(result)}`
    if (result.passed === 0 || result.failed > 0) process.exitCode = 1
  }
}
