import { Schema } from "effect"
import { accessSync, constants, statSync } from "node:fs"
import { dirname, extname, resolve } from "node:path"
import { Name } from "../../simulator/scenarios/limits.ts"
import {
  BadOptions,
  baseUrl,
  readCommandLine,
  required,
  refused,
  wholeNumber,
} from "../commandLine.ts"

/** The text of `--help`. */
export const USAGE = `Usage: payport record --target URL --out FILE [options]

Stands between a client and a service, and writes what the client did with payments as a scenario
that payport simulate plays. Requests and answers pass through unchanged. Of them only amounts,
currencies, channels, times and what was done are kept: no keys, ids, names or texts.

  --target URL     the service, such as http://127.0.0.1:4020
  --out FILE       the scenario, a .yaml, .yml or .json file, which is written at the end
  --port N         where the client is to send its requests, on 127.0.0.1 (default 4030; 0 takes a
                   free one)
  --name NAME      what the scenario is called (default recorded)
  --json           prints {"ready"} and at the end {"file", "recorded", "not_expressed"}, the
                   counts of what the file has and of what it has not
  --help           prints this

Example:
  payport record --target http://127.0.0.1:4020 --out monday.yaml
  payport simulate --scenario monday.yaml

It ends with 0 at Ctrl+C, with 1 when it cannot listen, or when no payment was made and nothing was
written, with 2 on a wrong option.
`

const FORMATS = [".yaml", ".yml", ".json"]

const scenarioFile = (name: string, text: string): string => {
  if (statSync(text, { throwIfNoEntry: false })?.isDirectory()) {
    throw refused(name, "a file, such as recorded.yaml in that folder", text)
  }
  if (!FORMATS.includes(extname(text))) throw refused(name, "a .yaml, .yml or .json file", text)
  try {
    accessSync(dirname(resolve(text)), constants.W_OK)
    return text
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new BadOptions(`--${name} cannot be written: ${message}.`, { cause: error })
  }
}

const scenarioName = (name: string, text: string): string => {
  if (Schema.is(Name)(text)) return text
  throw refused(name, "a line of 1 to 200 visible characters", text)
}

const OPTIONS = {
  target: baseUrl,
  out: scenarioFile,
  port: wholeNumber(0, 65_535),
  name: scenarioName,
  json: "flag",
} as const

/** Reads the command line; undefined for `--help`. Throws `BadOptions`. */
export const readOptions = (args: ReadonlyArray<string>) => {
  const given = readCommandLine(args, OPTIONS)?.given
  return (
    given && {
      target: required("target", given.target),
      out: required("out", given.out),
      port: given.port ?? 4_030,
      name: given.name ?? "recorded",
      json: given.json,
    }
  )
}

/** The options of the command. */
export type Options = NonNullable<ReturnType<typeof readOptions>>
