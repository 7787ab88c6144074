import { Effect } from "effect"
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { MasterKey, MasterKeyFailure } from "../../../core/ports/MasterKey.ts"
import { KEY_BYTES } from "../DataKeys.ts"

/** What an answer of the command may take, in milliseconds and in bytes. */
const TIMEOUT = 15_000
const MOST_BYTES = 64 * 1024

/** What a wrapped key may look like: one line of visible ASCII. */
const WRAPPED = /^[\x21-\x7e]{1,16384}$/

const failure = (reason: MasterKeyFailure["reason"], message: string) =>
  new MasterKeyFailure({ reason, message })

/** What is told of a command that failed: never what it printed, which may be a secret. */
const told = (error: { readonly code?: string | number | null; readonly killed?: boolean }) =>
  error.killed === true ? "did not answer in time" : `ended with ${error.code ?? "a signal"}`

/** Runs the command without a shell; `input` is what it reads. */
const run = (words: ReadonlyArray<string>, args: ReadonlyArray<string>, input: string) =>
  Effect.callback<string, MasterKeyFailure>((resume) => {
    const [program = "", ...given] = words
    const child = execFile(
      program,
      [...given, ...args],
      { timeout: TIMEOUT, maxBuffer: MOST_BYTES, encoding: "utf8", windowsHide: true },
      (error, stdout) =>
        resume(
          error === null
            ? Effect.succeed(stdout.trim())
            : Effect.fail(
                failure(
                  error.code === 2 ? "does_not_open" : "out_of_reach",
                  `The command of the master key, ${program} ${args[0] ?? ""}, ${told(error)}.`,
                ),
              ),
        ),
    )
    // A program that cannot be started, or reads nothing, is told of by its end.
    child.stdin?.on("error", () => undefined)
    child.stdin?.end(input)
    return Effect.sync(() => void child.kill())
  })

const noKey = (verb: string) =>
  failure("out_of_reach", `The command of the master key has to answer ${verb} with one line.`)

/**
 * A master key behind a command, such as a client of a key management service: the key is never in
 * this process. The command is run without a shell, as `… id`, `… wrap NAME` and `… unwrap NAME`.
 * `id` prints the key's name; the others read base64, or what `wrap` printed, and print the answer
 * in a line. Exit code 2 says that it does not open what it read.
 */
export const commandKey = Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
  const name = yield* run(words, ["id"], "")
  if (!WRAPPED.test(name)) return yield* noKey("id")
  const id = `mk_${createHash("sha256").update(name).digest("hex").slice(0, 16)}`
  return MasterKey.of({
    id,
    wrap: Effect.fnUntraced(function* (key, bytes) {
      const wrapped = yield* run(words, ["wrap", key], Buffer.from(bytes).toString("base64"))
      return WRAPPED.test(wrapped) ? wrapped : yield* noKey("wrap")
    }),
    unwrap: Effect.fnUntraced(function* (key, wrapped) {
      const text = yield* run(words, ["unwrap", key], wrapped)
      const bytes = new Uint8Array(Buffer.from(text, "base64"))
      return bytes.length === KEY_BYTES ? bytes : yield* noKey("unwrap")
    }),
  })
})
