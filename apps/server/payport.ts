#!/usr/bin/env node
/**
 * `payport`, the command of `@payport/server`. Each program reads its own arguments, as it does
 * when it is started directly.
 */
import { setFlagsFromString } from "node:v8"
import { V8_FLAGS } from "./v8Flags.ts"

const PROGRAMS: { readonly [name: string]: () => Promise<unknown> } = {
  bench: () => import("../bench/main.ts"),
  simulate: () => import("../simulate/main.ts"),
  grade: () => import("../grade/main.ts"),
  listen: () => import("../listen/main.ts"),
  record: () => import("../record/main.ts"),
  mcp: () => import("../mcp-stdio/main.ts"),
}

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

const [node = "", file = "", name = "start", ...rest] = process.argv
const program = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined

if (program !== undefined) {
  process.argv = [node, file, ...rest]
  await program()
} else {
  const serves = name === "start" || name.startsWith("--")
  if (serves && !process.argv.includes("--help")) takeFlags()
  await import("./main.ts")
}
