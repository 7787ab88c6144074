import { readFile } from "node:fs/promises"
import { join, posix } from "node:path"
import { type Manifest, entriesOf } from "./Manifest.ts"

const COMMENTS = /^[ \t]*\/\*\*[^]*?\*\/\n|^\/\/.*\n?/gm
const BEGINNINGS = new RegExp(
  "\\n(?=/\\*\\* @deprecated |" +
    "(?<!^/\\*\\* @deprecated .*\\n)(?:export|declare|import|interface|type)\\b)",
  "m",
)

/** Before a statement, or before the docstring that belongs to it. */
const DOCUMENTED_BEGINNING = new RegExp(
  [
    String.raw`(?=^/\*\*(?:[^*]|\*(?!/))*\*/\n(?:export|declare|interface|type)\b)`,
    String.raw`(?<!\*/)\n(?=(?:export|declare|import|interface|type)\b)`,
  ].join("|"),
  "m",
)

/** Keeps only the `@deprecated` part of a comment, which is a promise to users. */
const asPromise = (comment: string): string => {
  const [, said] = /@deprecated\s+([^]*?)\s*(?:\*\/|\n\s*\*\s*@)/.exec(comment) ?? []
  if (said === undefined) return ""
  const indent = /^[ \t]*/.exec(comment)?.[0] ?? ""
  return `${indent}/** @deprecated ${said.replaceAll(/\s*\n\s*\*?\s*/g, " ")} */\n`
}

/** The top-level statements of a declaration file, with their docstrings or with promises alone. */
const statementsOf = (text: string, documented: boolean): ReadonlyArray<string> => {
  const parts = documented
    ? text.replaceAll(/^\/\/.*\n?/gm, "").split(DOCUMENTED_BEGINNING)
    : text.replaceAll(COMMENTS, asPromise).split(BEGINNINGS)
  return parts.map((part) => part.trim())
}

interface Named {
  /** As it is exported, and as the file calls it. */
  readonly name: string
  readonly own: string
}

const namesOf = (list: string): ReadonlyArray<Named> =>
  list.split(",").flatMap((item) => {
    const [own = "", name = own] = item
      .trim()
      .replace(/^type /, "")
      .split(" as ")
    return own === "" ? [] : [{ name, own }]
  })

const bare = (statement: string): string => statement.replace(/^\/\*\*[^]*?\*\/\n/, "")

const declares = (statement: string, name: string): boolean => {
  const kinds = "const|class|abstract class|interface|type|function|namespace"
  return new RegExp(`^(?:export )?(?:declare )?(?:${kinds}) ${name}\\b`).test(bare(statement))
}

const target = (file: string, from: string): string =>
  posix.join(posix.dirname(file), from).replace(/\.(?:js|tsx?)$/, ".d.ts")

/**
 * Returns the exported statements of a declaration file by name, on request with their docstrings.
 */
export const exportsOf = async (
  folder: string,
  file: string,
  documented = false,
): Promise<ReadonlyMap<string, ReadonlyArray<string>>> => {
  const statements = statementsOf(await readFile(join(folder, file), "utf8"), documented)
  const found = new Map<string, ReadonlyArray<string>>()
  for (const statement of statements) {
    const code = bare(statement)
    const [, list, from] = /^export (?:type )?\{([^}]*)\} from "(\.[^"]+)"/.exec(code) ?? []
    const [, all] = /^export (?:type )?\* from "(\.[^"]+)"/.exec(code) ?? []
    const [, own] =
      /^export (?:declare )?(?:abstract )?(?:const|class|interface|type|function) (\w+)/.exec(
        code,
      ) ?? []
    if (from !== undefined && list !== undefined) {
      const there = await exportsOf(folder, target(file, from), documented)
      for (const { name, own: theirs } of namesOf(list)) found.set(name, there.get(theirs) ?? [])
    } else if (all !== undefined) {
      for (const [name, text] of await exportsOf(folder, target(file, all), documented))
        found.set(name, text)
    } else if (own !== undefined) {
      const base = statements.filter((one) => declares(one, `${own}_base`))
      found.set(own, [...(found.get(own) ?? []), ...base, statement])
    }
  }
  return found
}

/** Returns the declarations of each entry of a package. */
export const entriesReport = async (dist: string, manifest: Manifest): Promise<string> => {
  const parts: Array<string> = []
  const entries = Object.keys(manifest.exports ?? {}).filter((entry) => !entry.endsWith(".json"))
  const files = entriesOf(manifest)
  for (const [n, entry] of entries.entries()) {
    const shown = await exportsOf(dist, (files[n] ?? "").replace(/\.js$/, ".d.ts"))
    const names = [...shown].toSorted(([a], [b]) => (a < b ? -1 : 1))
    const code = names.flatMap(([, statements]) => statements).join("\n\n")
    parts.push(`## ${manifest.name}${entry.slice(1)}\n\n\`\`\`ts\n${code}\n\`\`\`\n`)
  }
  return parts.join("\n").replaceAll(/[ \t]+$/gm, "")
}

/** Returns the public API of a package, entry by entry. Users notice every change of it. */
export const apiReport = async (dist: string, manifest: Manifest): Promise<string> =>
  [
    `# What ${manifest.name} shows\n\nWritten by \`npm run generate\`.\n`,
    await entriesReport(dist, manifest),
  ].join("\n")
