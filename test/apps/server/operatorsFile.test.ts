import { createHash } from "node:crypto"
import { rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Exit, Scope } from "effect"
import { expect, onTestFinished, test, vi } from "vitest"
import { layerJsonLines } from "../../../adapters/shared/jsonLines.ts"
import { followOperators } from "../../../apps/server/operatorsFile.ts"
import { temporaryFolder } from "./service.ts"

const entry = (name: string, ...roles: ReadonlyArray<string>) => ({
  [name]: { roles, key_sha256: createHash("sha256").update(name).digest("hex") },
})

const fileOf = (...entries: ReadonlyArray<object>) =>
  JSON.stringify({ operators: Object.assign({}, ...entries) })

const ann = entry("ann", "review")
const ben = entry("ben", "review", "accounts")

/** Follows a file with that content, and records the log. */
const follow = async (text: string) => {
  const path = join(await temporaryFolder(), "operators.json")
  await writeFile(path, text)
  const lines: Array<string> = []
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const following = followOperators(path).pipe(
    Effect.provide(layerJsonLines((line) => void lines.push(line))),
    Scope.provide(scope),
  )
  const operators = await Effect.runPromise(following)
  /** Replaces the file atomically. */
  const replace = async (by: string) => {
    await writeFile(`${path}.new`, by)
    await rename(`${path}.new`, path)
  }
  const names = () => operators().map(({ name }) => name)
  return { path, replace, names, log: () => lines.join("") }
}

test("the operators' file may begin with a byte order mark", async () => {
  const { names } = await follow(`\ufeff${fileOf(ann, ben)}`)
  expect(names()).toEqual(["ann", "ben"])
})

const within = (assertion: () => void) => vi.waitFor(assertion, { timeout: 30_000, interval: 50 })

test("a change of the operators' file counts without a restart", async () => {
  const { log, names, path, replace } = await follow(fileOf(ann, ben))
  expect([names(), log()]).toEqual([["ann", "ben"], ""])
  await replace(fileOf(ben))
  await within(() => expect(names()).toEqual(["ben"]))
  await within(() => expect(log()).toContain("has fewer than two operators with the role review"))

  for (const [broken, problem] of [
    ['{"operators": {"ann"', "the file has to be JSON"],
    [fileOf(entry("eve", "everything")), "operators.eve.roles.0 has the wrong form"],
  ] as const) {
    await replace(broken)
    await within(() => expect(log()).toContain(problem))
    expect(names()).toEqual(["ben"])
  }
  await rm(path)
  await within(() => expect(log()).toContain("the file cannot be read (ENOENT)"))
  expect(names()).toEqual(["ben"])
  await replace(fileOf(ann, ben))
  await within(() => expect(names()).toEqual(["ann", "ben"]))
  expect(log().match(/stay as they were/g)).toHaveLength(3)
  expect(log()).not.toContain('key_sha256":')
})

test.each(["", "{}", fileOf({ "no name": {} })])("a file %j ends the start", async (text) => {
  await expect(follow(text)).rejects.toThrow(/^PAYPORT_OPERATORS: /)
})
