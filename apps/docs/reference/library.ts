import { join } from "node:path"
import { exportsOf } from "../../packages/apiReport.ts"
import { describe, type Described, methodsOf } from "../../packages/describe.ts"
import { entriesOf, readManifest } from "../../packages/Manifest.ts"
import { type Page, slug } from "../Page.ts"
import { ENTRY_TEXTS } from "./entryTexts.ts"

/** An export of a package entry. */
export interface Exported {
  readonly entry: string
  readonly name: string
  /** Its docstring as one text; empty if it has none. */
  readonly about: string
  readonly code: string
}

const DOCSTRING = /^\/\*\*([^]*?)\*\/\n/

const aboutOf = (statement: string): string =>
  (DOCSTRING.exec(statement)?.[1] ?? "")
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd())
    .join("\n")
    .replaceAll(/\{@link (\w+)\}/g, "`$1`")
    .trim()

const codeOf = (statement: string): string =>
  statement
    .replace(DOCSTRING, "")
    .replaceAll("    ", "  ")
    .replace(/^export (?:declare )?/, "")

/** Returns the exports of a package's entries, from its compiled declarations. */
export const exportedBy = async (
  root: string,
  folder: string,
): Promise<ReadonlyArray<Exported>> => {
  const manifest = await readManifest(join(root, folder))
  const entries = Object.keys(manifest.exports ?? {}).filter((entry) => !entry.endsWith(".json"))
  const files = entriesOf(manifest)
  const all = await Promise.all(
    entries.map(async (entry, n) => {
      const file = (files[n] ?? "").replace(/\.js$/, ".d.ts")
      const shown = await exportsOf(join(root, "dist"), file, true)
      return [...shown].map(([name, statements]) => ({
        entry: `${manifest.name}${entry.slice(1)}`,
        name,
        about: aboutOf(statements.find((one) => DOCSTRING.test(one)) ?? ""),
        code: statements.map(codeOf).join("\n\n"),
      }))
    }),
  )
  return all.flat()
}

const exportText = ({ about, code, name }: Exported): string =>
  [`## ${name}`, about, `\`\`\`ts\n${code}\n\`\`\``].join("\n\n")

/** Functions come first, then types. */
const byUse = (a: Exported, b: Exported): number => {
  const rank = ({ code }: Exported) => (/^(?:interface|type)\b/.test(code) ? 1 : 0)
  return rank(a) - rank(b) || (a.name < b.name ? -1 : 1)
}

const entryPage = (entry: string, all: ReadonlyArray<Exported>): Page => {
  const about = ENTRY_TEXTS[entry] ?? ""
  const own = all.filter((one) => one.entry === entry).toSorted(byUse)
  return {
    path: `library/${slug(entry)}`,
    title: entry,
    about,
    part: "Library",
    markdown: [`# ${entry}`, about, ...own.map(exportText)].join("\n\n"),
  }
}

const signature = ({ args, gives, method, resource }: Described, caller: string): string => {
  const own = args.map((arg) => arg.replace("options?: RequestOptions", "options?"))
  const first = caller === "" ? [] : [caller]
  return `payport.${resource}.${method}(${[...first, ...own].join(", ")}): ${gives}`
}

const METHODS_ABOUT =
  "Every method of the typed client and of the embedded library, by what it is about."

const METHODS_INTRODUCTION = `# Methods

${METHODS_ABOUT} The two have the same methods. The client's are called under its API key; the
library's take who calls as the first argument
(\`payport.intents.list(caller, { limit: 10 })\`), but for \`accounts\`, \`reviews\`, \`audit\`
and \`sandbox\`, which are the host's own.
\`Listing\` is awaited for a page, or iterated for all.`

/** Returns the page of all resources' methods with their types. */
const methodPage = (): Page => {
  const methods = methodsOf().map((method) => describe(method, new Map()))
  const sections = [...Map.groupBy(methods, ({ resource }) => resource)].map(([resource, own]) =>
    [
      `## ${resource}`,
      ...own.map((one) => `${one.about}.\n\n\`\`\`ts\n${signature(one, "")}\n\`\`\``),
    ].join("\n\n"),
  )
  return {
    path: "library/methods",
    title: "Methods",
    about: METHODS_ABOUT,
    part: "Library",
    markdown: [METHODS_INTRODUCTION, ...sections].join("\n\n"),
  }
}

/** The packages that programs import. */
const IMPORTED = ["apps/payport", "apps/sdk", "apps/server"]

/** Returns the reference of all packages that programs import, from the output of `tsc -b`. */
export const libraryPages = async (root: string): Promise<ReadonlyArray<Page>> => {
  const all = (await Promise.all(IMPORTED.map((folder) => exportedBy(root, folder)))).flat()
  const entries = [...new Set(all.map(({ entry }) => entry))]
  return [methodPage(), ...entries.map((entry) => entryPage(entry, all))]
}
