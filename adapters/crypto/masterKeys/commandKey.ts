import { Effect } from "effect"
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { MasterKey, MasterKeyFailure } from "../../../core/ports/MasterKey.ts"
import { KEY_BYTES } from "../DataKeys.ts"

/** The limits of the command's answer, in milliseconds and in bytes. */
const TIMEOUT = 15_000
const MOST_BYTES = 64 * 1024

/** The form of a wrapped key: one line of visible ASCII. */
const WRAPPED = /^[\x21-\x7e]{1,16384}$/

const failure = (reason: MasterKeyFailure["reason"], message: string) =>
  new MasterKeyFailure({ reason, message })

/** Describes a failed command, without its output, which may be a secret. */
const told = (error: { readonly code?: string | number | null; readonly killed?: boolean }) =>
  error.killed === true ? "did not answer in time" : `ended with ${error.code ?? "a signal"}`

/** Runs the command without a shell. `input` is its standard input. */
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
    // The command's end reports that it cannot be started or reads nothing.
    child.stdin?.on("error", () => undefined)
    child.stdin?.end(input)
    return Effect.sync(() => void child.kill())
  })

const noKey = (verb: string) =>
  failure("out_of_reach", `The command of the master key has to answer ${verb} with one line.`)

/**
 * A master key behind a command, such as a client of a key management service: the key is never in
 * this process. The command runs without a shell, as `… id`, `… wrap NAME` and `… unwrap NAME`.
 * `id` prints the key's name. `wrap` reads base64, `unwrap` reads the output of `wrap`, and both
 * print one line. Exit code 2 means that `unwrap` cannot open its input.
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
