/** What a test came to. `line` says it in a sentence, `text` in as many lines as it takes. */
export type TestOutcome =
  | { readonly type: "passed" }
  | { readonly type: "failed"; readonly line: string; readonly text: string }
  /** It came to no end, so that nobody knows. */
  | { readonly type: "error"; readonly line: string; readonly text: string }
  | { readonly type: "skipped"; readonly line: string }

/** A test of a suite. */
export interface TestCase {
  /** What it belongs to, with dots between the parts. */
  readonly group: string
  readonly name: string
  readonly duration_ms: number
  readonly outcome: TestOutcome
}

/** Tests with a name, and what is good to know about all of them. */
export interface TestSuite {
  readonly name: string
  readonly cases: ReadonlyArray<TestCase>
  readonly properties: { readonly [name: string]: string }
  /** The file of the project that the tests come from, where there is one. */
  readonly file?: string
}

/** A test that did not pass. */
export interface Flaw extends TestCase {
  readonly outcome: Extract<TestOutcome, { readonly type: "failed" | "error" }>
}

/** Whether a test failed, or came to no end. */
export const isFlaw = (test: TestCase): test is Flaw =>
  test.outcome.type === "failed" || test.outcome.type === "error"
