import { describe, expect, it } from "vitest"
import { DIAGRAMS, diagrams, lifecycles, movesOf } from "../../apps/docs/lifecycles.ts"
import { sourceFiles, sourceText } from "../support/sourceFiles.ts"

describe("the lifecycles of the core", () => {
  it("are all drawn", async () => {
    const files = (await sourceFiles()).filter((path) => /^core\/.*\.ts$/.test(path))
    const texts = await Promise.all(files.map(sourceText))
    const withMachine = files.filter((_, n) => /\bMachine\.make</.test(texts[n] ?? ""))
    expect(lifecycles.map(({ file }) => file).toSorted()).toStrictEqual(withMachine)
  })

  it("are drawn as they are", async () => {
    expect(await sourceText(DIAGRAMS), "`npm run diagrams` draws it anew").toBe(diagrams())
  })

  it.each(lifecycles)("$title reaches each of its states", (lifecycle) => {
    const reached = new Set([lifecycle.first])
    for (const from of reached) {
      for (const move of movesOf(lifecycle)) if (move.from === from) reached.add(move.to)
    }
    expect([...reached].toSorted()).toStrictEqual(Object.keys(lifecycle.table).toSorted())
  })

  it.each([
    ["Appeal", ["under_review upheld upheld", "under_review overturned overturned"]],
    ["Webhook endpoint", ["enabled disabled disabled", "disabled enabled enabled"]],
    [
      "Mandate",
      [
        "pending approved active",
        "pending unanswered pending",
        "pending ended_by_channel revoked",
        "pending withdrawn revoked",
        "active ended_by_channel revoked",
        "active withdrawn revoked",
        "revoked unanswered revoked",
        "revoked end_acknowledged revoked",
      ],
    ],
  ])("%s has these moves and no others", (title, moves) => {
    const found = lifecycles.filter((lifecycle) => lifecycle.title === title).flatMap(movesOf)
    expect(found.map(({ event, from, to }) => `${from} ${event} ${to}`)).toStrictEqual(moves)
  })
})
