/** The result of a test. `line` describes it in a sentence, `text` in several lines. */
export type TestOutcome =
  | { readonly type: "passed" }
  | { readonly type: "failed"; readonly line: string; readonly text: string }
  /** The test did not come to an end, so its result is unknown. */
  | { readonly type: "error"; readonly line: string; readonly text: string }
  | { readonly type: "skipped"; readonly line: string }

/** A test of a suite. */
export interface TestCase {
  /** The test's groups, joined by dots. */
  readonly group: string
  readonly name: string
  readonly duration_ms: number
  readonly outcome: TestOutcome
}

/** Tests with a name and facts about all of them. */
export interface TestSuite {
  readonly name: string
  readonly cases: ReadonlyArray<TestCase>
  readonly properties: { readonly [name: string]: string }
  /** The project's file with the tests, if there is one. */
  readonly file?: string
}

/** A test that did not pass. */
export interface Flaw extends TestCase {
  readonly outcome: Extract<TestOutcome, { readonly type: "failed" | "error" }>
}

/** Whether a test failed or did not come to an end. */
export const isFlaw = (test: TestCase): test is Flaw =>
  test.outcome.type === "failed" || test.outcome.type === "error"
