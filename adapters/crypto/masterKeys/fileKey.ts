import { Effect } from "effect"
import { readFile, stat } from "node:fs/promises"
import { MasterKeyFailure } from "../../../core/ports/MasterKey.ts"
import { localKey } from "./localKey.ts"

const FORM = /^[A-Za-z0-9+/_-]{43}=?$/

/** The file modes of others. */
const OTHERS = 0o077

const unusable = (message: string) => new MasterKeyFailure({ reason: "out_of_reach", message })

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error)

/**
 * Reads the master key from a file: 32 bytes in base64, as secret stores mount them. Fails if the
 * file cannot be read, holds no key, or is readable by others than its owner.
 */
export const fileKey = Effect.fnUntraced(function* (path: string) {
  const { mode, text } = yield* Effect.tryPromise({
    try: async () => ({ mode: (await stat(path)).mode, text: await readFile(path, "utf8") }),
    catch: (error) =>
      unusable(`The file of the master key, ${path}, cannot be read (${codeOf(error)}).`),
  })
  if (process.platform !== "win32" && (mode & OTHERS) !== 0) {
    return yield* unusable(
      `The file of the master key, ${path}, can be read by other users: run chmod 600 on it.`,
    )
  }
  const bytes = FORM.test(text.trim()) ? Buffer.from(text.trim(), "base64") : undefined
  if (bytes?.length !== 32) {
    return yield* unusable(
      `The file of the master key, ${path}, has to contain 32 bytes in base64.`,
    )
  }
  return localKey(new Uint8Array(bytes))
})
