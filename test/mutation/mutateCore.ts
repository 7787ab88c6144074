import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { installTool } from "../support/installTool.ts"
import { projectRoot, sourceFiles } from "../support/sourceFiles.ts"
import { lotOf, type Mutant, type MutatedCore } from "./Mutant.ts"

const PACKAGE = "@stryker-mutator/instrumenter"

/**
 * Omitted operators: no rule depends on the words of messages, and the compiler refuses nearly all
 * emptied bodies, objects and functions.
 */
const LEFT_OUT = ["StringLiteral", "ObjectLiteral", "ArrowFunction", "BlockStatement"]

interface Position {
  readonly line: number
  readonly column: number
}

/** A mutant as the tool reports it, with positions counted from 0. */
interface Found {
  readonly id: string
  readonly fileName: string
  readonly mutatorName: string
  readonly replacement: string
  readonly location: { readonly start: Position; readonly end: Position }
  readonly status?: string
}

interface File {
  readonly name: string
  readonly content: string
}

interface Instrumenter {
  readonly instrument: (
    files: ReadonlyArray<File & { readonly mutate: true }>,
    options: object,
  ) => Promise<{ readonly files: ReadonlyArray<File>; readonly mutants: ReadonlyArray<Found> }>
}

const quiet = () => undefined
const LOGGER = {
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  trace: quiet,
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: quiet,
}

interface Path {
  readonly node: { readonly type: string; readonly pattern?: string; readonly flags?: string }
}

/** The tool takes `\v` for a class and negates it, and with the flag u `\V` is no expression. */
const unreadable = {
  shouldIgnore: ({ node: { flags = "", pattern = "", type } }: Path): string | undefined =>
    type === "RegExpLiteral" && flags.includes("u") && pattern.includes("\\v")
      ? "Its mutants would not load."
      : undefined,
}

const load = async (): Promise<Instrumenter> => {
  const folder = await installTool({
    name: "mutation",
    pinned: join(import.meta.dirname, "tool"),
    provides: PACKAGE,
  })
  const entry = join(folder, "node_modules", PACKAGE, "dist/src/index.js")
  const { Instrumenter } = (await import(pathToFileURL(entry).href)) as {
    readonly Instrumenter: new (logger: object) => Instrumenter
  }
  return new Instrumenter(LOGGER)
}

const between = (lines: ReadonlyArray<string>, { end, start }: Found["location"]): string =>
  lines
    .slice(start.line, end.line + 1)
    .map((line, n, { length }) =>
      line.slice(n === 0 ? start.column : 0, n === length - 1 ? end.column : undefined),
    )
    .join("\n")

/** Returns the core's files whose paths begin with `beginning`, with all their mutants. */
export const mutateCore = async (beginning = "core/"): Promise<MutatedCore> => {
  const isMutated = (path: string) => path.startsWith(beginning) && path.endsWith(".ts")
  const paths = (await sourceFiles()).filter(isMutated)
  const files = await Promise.all(
    paths.map(async (name) => ({
      name,
      mutate: true as const,
      content: await readFile(join(projectRoot, name), "utf8"),
    })),
  )
  const instrumenter = await load()
  const made = await instrumenter.instrument(files, {
    plugins: [],
    ignorers: [unreadable],
    excludedMutations: LEFT_OUT,
  })
  const lines = new Map(files.map(({ content, name }) => [name, content.split("\n")]))
  const seen = new Map<string, number>()
  const mutants = made.mutants.flatMap((found): ReadonlyArray<Mutant> => {
    if (found.status !== undefined) return []
    const change = {
      file: found.fileName,
      operator: found.mutatorName,
      original: between(lines.get(found.fileName) ?? [], found.location),
      replacement: found.replacement,
    }
    const alike = JSON.stringify(change)
    const nth = seen.get(alike) ?? 0
    seen.set(alike, nth + 1)
    const line = found.location.start.line + 1
    return [{ id: found.id, lot: lotOf(change, nth), line, ...change }]
  })
  return { mutants, sources: new Map(made.files.map(({ content, name }) => [name, content])) }
}
