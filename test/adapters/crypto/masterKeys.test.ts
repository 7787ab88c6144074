import { Effect, Exit, Result } from "effect"
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { commandKey } from "../../../adapters/crypto/masterKeys/commandKey.ts"
import { fileKey } from "../../../adapters/crypto/masterKeys/fileKey.ts"
import { localKey } from "../../../adapters/crypto/masterKeys/localKey.ts"
import type { MasterKey } from "../../../core/ports/MasterKey.ts"

const bytes = Uint8Array.from({ length: 32 }, (_, n) => n)
const dataKey = new Uint8Array(32).fill(9)

let folder = ""
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "payport-master-"))
})
afterAll(() => rm(folder, { recursive: true }))

/** A key management service of some lines: it wraps by reversing the name and the key. */
const program = async (name: string, body: string) => {
  const path = join(folder, name)
  await writeFile(path, body)
  return [process.execPath, path]
}

const SERVICE = `
const [, , verb, name] = process.argv
const flip = (text) => [...text].toReversed().join("")
let input = ""
process.stdin.on("data", (text) => (input += text)).on("end", () => {
  if (verb === "id") console.log("arn:kms:key/1")
  else if (verb === "wrap") console.log(flip(name) + ":" + flip(input))
  else if (!input.startsWith(flip(name) + ":")) process.exit(2)
  else console.log(flip(input.slice(name.length + 1)))
})`

const inFile = async (name: string, text: string, mode = 0o600) => {
  const path = join(folder, name)
  await writeFile(path, text)
  await chmod(path, mode)
  return path
}

const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(Effect.result(effect))

const messageOf = async (effect: Effect.Effect<unknown, { readonly message: string }>) => {
  const result = await run(effect)
  return Result.isFailure(result) ? result.failure.message : "no failure"
}

const places: ReadonlyArray<[string, () => Promise<MasterKey["Service"]>]> = [
  ["in the process", async () => localKey(bytes)],
  [
    "in a file",
    async () =>
      Effect.runPromise(fileKey(await inFile("key", `${Buffer.from(bytes).toString("base64")}\n`))),
  ],
  [
    "behind a command",
    async () => Effect.runPromise(commandKey(await program("kms.mjs", SERVICE))),
  ],
]

describe.each(places)("a master key %s", (_, open) => {
  test("unwraps what it has wrapped, under its name alone", async () => {
    const key = await open()
    expect(key.id).toMatch(/^mk_[0-9a-f]{16}$/)
    const wrapped = await Effect.runPromise(key.wrap("root", dataKey))
    expect(wrapped).toMatch(/^[\x21-\x7e]+$/)
    expect(await Effect.runPromise(key.unwrap("root", wrapped))).toEqual(dataKey)
    const other = await run(key.unwrap("other", wrapped))
    expect(Result.isFailure(other) && other.failure.reason).toBe("does_not_open")
    const broken = await Effect.runPromiseExit(key.unwrap("root", `x${wrapped}`))
    expect(Exit.isFailure(broken)).toBe(true)
  })
})

describe("a file of a master key is refused", () => {
  const text = Buffer.from(bytes).toString("base64")
  test.each<[string, () => Promise<string>, string]>([
    ["that is not there", async () => join(folder, "none"), "cannot be read (ENOENT)"],
    ["that others can read", () => inFile("open", text, 0o644), "chmod 600"],
    ["without a key", () => inFile("short", text.slice(4)), "32 bytes in base64"],
  ])("%s", async (_, path, message) => {
    expect(await messageOf(fileKey(await path()))).toContain(message)
    expect(await messageOf(fileKey(await path()))).not.toContain(text.slice(4))
  })
})

describe("a command of a master key is refused", () => {
  test.each([
    ["that is no program", "", "ended with ENOENT"],
    ["that fails", "console.log('a secret'); process.exit(7)", "ended with 7"],
    ["that says nothing", "", "has to answer id with one line"],
    ["that says too much", "console.log('one\\ntwo')", "has to answer id with one line"],
  ])("%s", async (title, body, message) => {
    const words = title.endsWith("program")
      ? [join(folder, "nothing-there")]
      : await program(`${title}.mjs`, body)
    const told = await messageOf(commandKey(words))
    expect(told).toContain(message)
    expect(told).not.toContain("a secret")
  })
})
