import { describe, expect, test } from "vitest"
import { BadOptions } from "../../apps/commandLine.ts"

describe("what is wrong with a command line", () => {
  test.each([
    ["it has no stop", "it has no stop."],
    ["It has one.", "It has one."],
    ["Did you mean it?", "Did you mean it?"],
    ["It ends with a line:\n  of a list\n", "It ends with a line:\n  of a list."],
  ])("%j ends as a sentence, since advice follows", (said, message) => {
    expect(new BadOptions(said).message).toBe(message)
  })
})
