import { expect, test } from "vitest"
import { sourceFiles, sourceText } from "../../support/sourceFiles.ts"

const paths = (await sourceFiles()).filter((path) => /^adapters\/receiver\/\w+\.ts$/.test(path))

test("a receiver needs tweetnacl and Node, and nothing else of this project's", async () => {
  const imported = new Set<string>()
  for (const path of paths) {
    const text = await sourceText(path)
    for (const [, from = ""] of text.matchAll(/ from "([^"]+)"/g)) {
      imported.add(from.replace(/^\.\/\w+\.ts$/, "its own"))
    }
  }
  expect([...imported].toSorted()).toEqual(["its own", "node:crypto", "tweetnacl"])
})
