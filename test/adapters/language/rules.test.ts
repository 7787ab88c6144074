import { describe, expect, test } from "vitest"
import { currencies } from "../../../adapters/fx/Currencies.ts"
import { understand } from "../../../adapters/language/rules/engine.ts"
import { evaluate, utterancesOf } from "./evaluate.ts"

const codes = new Set(currencies.keys())
const engine = (text: string) => understand(text, codes)

const percent = (share: number) => `${(share * 100).toFixed(1)}%`

describe("the rules", () => {
  test.each([
    ["texts that they were made with", "seen.txt"],
    ["texts that were kept from who made them", "unseen.txt"],
  ])("understand %s", (_name, file) => {
    const utterances = utterancesOf(file)
    const { entities, intents, mistakes } = evaluate(utterances, engine)
    const told = `intent ${percent(intents)}, entities ${percent(entities)}`
    process.stdout.write(`${file}, ${utterances.length} texts: ${told}\n`)
    expect(intents, mistakes.join("\n")).toBeGreaterThanOrEqual(0.97)
    expect(entities, mistakes.join("\n")).toBeGreaterThanOrEqual(0.93)
  })

  test("are measured on 300 texts and more, of which 15% and more were kept from them", () => {
    const seen = utterancesOf("seen.txt").length
    const unseen = utterancesOf("unseen.txt").length
    expect(seen + unseen).toBeGreaterThanOrEqual(300)
    expect(unseen / (seen + unseen)).toBeGreaterThanOrEqual(0.15)
  })

  test("are not kept busy by any text", () => {
    const hostile = [
      "pay ".repeat(250),
      "refund back ".repeat(80),
      "9".repeat(1_000),
      "一".repeat(1_000),
      "$".repeat(1_000),
      `${"a ".repeat(400)}for ${"b ".repeat(90)}`,
      "0,".repeat(500),
    ]
    for (const text of hostile) {
      const began = process.cpuUsage()
      engine(text)
      expect(process.cpuUsage(began).user).toBeLessThan(5_000_000)
    }
  })
})
