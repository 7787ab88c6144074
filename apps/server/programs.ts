const PROGRAMS: { readonly [name: string]: () => Promise<unknown> } = {
  bench: () => import("../bench/main.ts"),
  simulate: () => import("../simulate/main.ts"),
  grade: () => import("../grade/main.ts"),
  listen: () => import("../listen/main.ts"),
  record: () => import("../record/main.ts"),
  mcp: () => import("../mcp-stdio/main.ts"),
}

/**
 * Returns what runs the separate program of this process's command; undefined if the command is not
 * one. The program then reads its own arguments, as it does when it is started directly.
 */
export const programAsked = (): (() => Promise<unknown>) | undefined => {
  const [node = "", file = "", name = "", ...rest] = process.argv
  const program = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined
  if (program === undefined) return undefined
  return () => {
    process.argv = [node, file, ...rest]
    return program()
  }
}
