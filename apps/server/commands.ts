import { Effect } from "effect"
import {
  anyText,
  BadOptions,
  day,
  type Given,
  readCommandLine,
  type Readers,
  wholeNumber,
} from "../commandLine.ts"
import { type Output, outputOf, type Print } from "./Output.ts"

/** Loads a command once its arguments are right: most of its time is loading a part of payport. */
const loaded = (command: () => Promise<Effect.Effect<unknown, unknown>>) =>
  Effect.flatten(Effect.promise(command))

const migration = () => import("./migrate.ts")

const archiving = () => import("./archive/archive.ts")

/** Runs a command after its arguments are read; undefined if they ask for `--help`. */
type Command = (
  args: ReadonlyArray<string>,
  print: Print,
) => Effect.Effect<unknown, unknown> | undefined

/** Makes a command with these options, besides `--json` and `--help`. */
const command =
  <R extends Readers>(
    options: R,
    run: (
      given: Given<R>,
      output: Output,
      positionals: ReadonlyArray<string>,
    ) => Effect.Effect<unknown, unknown>,
    allowPositionals = false,
  ): Command =>
  (args, print) => {
    const read = readCommandLine(args, { ...options, json: "flag" } as const, allowPositionals)
    if (read === undefined) return undefined
    const { given, positionals } = read
    return run(given, outputOf(given.json === true, print), positionals)
  }

const COMMANDS: { readonly [name: string]: Command } = {
  migrate: command({ print: "flag", from: wholeNumber(0, 9_999) }, ({ from, print }, output) => {
    if (print) return loaded(async () => (await migration()).printSchema(from ?? 0, output))
    if (from !== undefined) throw new BadOptions("--from goes with --print.")
    return loaded(async () => (await migration()).migrate(output))
  }),
  move: command({}, (_, output) => loaded(async () => (await migration()).move(output))),
  archive: command({ before: day, verify: "flag" }, ({ before, verify }, output) => {
    if (!verify) return loaded(async () => (await archiving()).archive(before, output))
    if (before !== undefined) throw new BadOptions("--before does not go with --verify.")
    return loaded(async () => (await archiving()).verifyArchive(output))
  }),
  doctor: command({}, (_, output) =>
    loaded(async () => (await import("./doctor/examine.ts")).doctor(output)),
  ),
  audit: command(
    { key: anyText },
    ({ key }, output, [verb, log, ...heads]) => {
      if (verb !== "verify") throw new BadOptions("The only audit command is payport audit verify.")
      if (log === undefined) throw new BadOptions("The copy of the log is missing.")
      return loaded(async () =>
        (await import("./auditVerify.ts")).verifyAudit({ log, heads, key }, output),
      )
    },
    true,
  ),
  "rotate-master-key": command({ finish: "flag" }, ({ finish }, output) =>
    loaded(async () => (await import("./rotateBySettings.ts")).rotateBySettings(finish, output)),
  ),
}

/**
 * Returns what a command other than `start` runs; undefined for an unknown name, null if its help
 * is asked for. Throws `BadOptions`.
 */
export const commandOf = (
  name: string,
  args: ReadonlyArray<string>,
  print: Print,
): Effect.Effect<unknown, unknown> | null | undefined => {
  if (!Object.hasOwn(COMMANDS, name)) return undefined
  return COMMANDS[name]?.(args, print) ?? null
}
