import { expect, test } from "vitest"
import { undo } from "../../../apps/server/fixture/undo.ts"

test("all is undone, the last first, and the first failure is told", async () => {
  const done: Array<string> = []
  const step = (name: string, fails: boolean) => () => {
    done.push(name)
    return fails ? Promise.reject(new Error(name)) : Promise.resolve()
  }
  const steps = [step("database", false), step("service", true), step("inbox", true)]
  await expect(undo(steps)).rejects.toThrow("inbox")
  expect(done).toEqual(["inbox", "service", "database"])
})
