#!/usr/bin/env node
/**
 * `payport`, the command of `@payport/server`. Each program reads its own arguments, as it does
 * when it is started by itself.
 */
const PROGRAMS: { readonly [name: string]: () => Promise<unknown> } = {
  simulate: () => import("../simulate/main.ts"),
  listen: () => import("../listen/main.ts"),
  mcp: () => import("../mcp-stdio/main.ts"),
}

const [node = "", file = "", name = "start", ...rest] = process.argv
const program = PROGRAMS[name]

if (program === undefined) await import("./main.ts")
else {
  process.argv = [node, file, ...rest]
  await program()
}
