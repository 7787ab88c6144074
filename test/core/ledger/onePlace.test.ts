import { expect, it } from "vitest"
import { sourceFiles, sourceText } from "../../support/sourceFiles.ts"

/** A write of an intent, however it is broken into lines. */
const INTENT_WRITE = /op\b[^}]{0,80}kind: "payment_intent"|kind: "payment_intent"[^}]{0,80}\bop:/

it("the core writes intents in one place, which also keeps the books", async () => {
  const core = (await sourceFiles()).filter((path) => /^core\/.*\.ts$/.test(path))
  const texts = await Promise.all(core.map(sourceText))
  const writing = core.filter((_, index) => INTENT_WRITE.test(texts[index] ?? ""))
  expect(core.length).toBeGreaterThan(50)
  expect(writing).toStrictEqual(["core/payments/writeIntent.ts"])
})
