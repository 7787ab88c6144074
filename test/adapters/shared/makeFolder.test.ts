import { mkdtemp, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { makeFolder, makeFolderSync } from "../../../adapters/shared/makeFolder.ts"
import { sourceFiles, sourceText } from "../../support/sourceFiles.ts"

let root = ""
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "payport-folder-"))
})
afterAll(() => rm(root, { recursive: true }))

const codeOf = (run: Promise<void>) =>
  run.then(
    () => undefined,
    (error: unknown) => (error as NodeJS.ErrnoException).code,
  )

describe.each([
  ["makeFolder", (folder: string) => makeFolder(folder)],
  ["makeFolderSync", async (folder: string) => makeFolderSync(folder)],
])("%s", (name, make) => {
  test("makes a folder with those above it, which may exist", async () => {
    const folder = join(root, name, "a/b/c")
    await make(folder)
    await make(folder)
    await make(join(folder, "d"))
    expect((await stat(join(folder, "d"))).isDirectory()).toBe(true)
    await make("/")
  })

  test("refuses a file, and what is below one", async () => {
    const file = join(root, `${name}.txt`)
    await writeFile(file, "mine")
    expect(await codeOf(make(file))).toBe("EEXIST")
    expect(await codeOf(make(join(file, "below")))).toBe("ENOTDIR")
  })

  test.runIf(process.platform === "linux")("ends where no folder can be made", async () => {
    expect(await codeOf(make("/proc/payport"))).toBe("ENOENT")
    expect(await codeOf(make("/proc/payport/below"))).toBe("ENOENT")
  })
})

test("is made with its mode, and those above it, too", async () => {
  await Promise.all(
    ["one", "two"].map((last) => makeFolder(join(root, "private/deep", last), 0o700)),
  )
  for (const folder of ["private", "private/deep", "private/deep/one", "private/deep/two"]) {
    expect((await stat(join(root, folder))).mode & 0o777).toBe(0o700)
  }
})

test("nothing that is shipped makes folders otherwise", async () => {
  const shipped = (await sourceFiles()).filter(
    (path) => path.endsWith(".ts") && !/^(test|apps\/(packages|examples))\//.test(path),
  )
  const texts = await Promise.all(
    shipped.map(async (path) => [path, await sourceText(path)] as const),
  )
  const others = texts.filter(([, text]) => /mkdir(Sync)?\([^;]*?recursive: true/.test(text))
  expect(others.map(([path]) => path)).toEqual([])
})
