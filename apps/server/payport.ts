#!/usr/bin/env node
/**
 * `payport`, the command of `@payport/server`, and `npm start`. It starts a separate program
 * without loading the service, and the service with V8's flags.
 */
import { setFlagsFromString } from "node:v8"
import { programAsked } from "./programs.ts"
import { V8_FLAGS } from "./v8Flags.ts"

/**
 * Replaces this process with one that has V8's flags, which costs 25 ms. A running process takes
 * only some flags; it has only these if it cannot be replaced (Windows).
 */
const takeFlags = (): void => {
  if (V8_FLAGS.every((flag) => process.execArgv.includes(flag))) return
  const { argv, env, execArgv, execPath } = process
  try {
    process.execve?.(execPath, [execPath, ...V8_FLAGS, ...execArgv, ...argv.slice(1)], env)
  } catch {
    setFlagsFromString(V8_FLAGS.join(" "))
  }
}

const program = programAsked()

if (program !== undefined) await program()
else {
  const [, , name = "start"] = process.argv
  const serves = name === "start" || name.startsWith("--")
  if (serves && !process.argv.includes("--help")) takeFlags()
  await import("./main.ts")
}
