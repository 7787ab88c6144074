import { expect, test } from "vitest"
import { Assets } from "../../../adapters/pages/shared/Assets.ts"

test("a bundle that has left the pages' files behind says what to do", () => {
  expect(() => new Assets(["../nowhere"])).toThrow(/keep payport out of its bundle/)
})
