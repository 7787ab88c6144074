import { readFile } from "node:fs/promises"
import { join, posix } from "node:path"

/**
 * The files and packages that entries need: compiled files beneath their folder, and packages by
 * name.
 */
export interface Reached {
  readonly files: ReadonlySet<string>
  readonly packages: ReadonlySet<string>
}

/** Programs that are started by name, by the file that starts them. */
const STARTED: { readonly [file: string]: ReadonlyArray<string> } = {
  "adapters/qr/ReaderProcess.js": ["adapters/qr/program.js"],
  "apps/server/fixture.js": ["apps/server/fixture/service.js", "apps/server/fixture/keeper.js"],
  "apps/simulate/batch/Thread.js": ["apps/simulate/batch/worker.js"],
  "apps/simulate/live/LiveThread.js": ["apps/simulate/live/worker.js"],
}

const COMMENTS = /\/\*[^]*?\*\/|^\s*\/\/.*$/gm
const SPECIFIERS = [
  /^(?:import|export)\b[^"'`;]*?\bfrom\s*"([^"\n]+)"/gm,
  /^import\s*"([^"\n]+)"/gm,
  /\bimport\(\s*"([^"\n]+)"\s*\)/g,
  /\bimport\.meta\.resolve\("([^"\n]+)"\)/g,
]

/** Returns the imports in the text of a compiled file, as written. */
export const specifiersOf = (text: string): ReadonlyArray<string> => {
  const code = text.replace(COMMENTS, "")
  const types = /^\/\/\/ <reference types="([^"]+)"/gm
  return [
    ...SPECIFIERS.flatMap((pattern) => [...code.matchAll(pattern)]),
    ...text.matchAll(types),
  ].flatMap(([, from]) => (from === undefined ? [] : [from]))
}

/** `@scope/name/deep` and `name/deep` are of `@scope/name` and `name`. */
export const packageOf = (specifier: string): string =>
  specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/")

/** Declarations import `./x.ts`, which is declared in `x.d.ts`. */
const targetOf = (file: string, specifier: string): string => {
  const path = posix.join(posix.dirname(file), specifier)
  return file.endsWith(".d.ts") ? path.replace(/\.(?:js|tsx?)$/, ".d.ts") : path
}

/**
 * Follows the imports of compiled files, given by their paths beneath a folder: code to code and
 * declarations to declarations. Rejects where a file is not there.
 */
export const reach = async (folder: string, entries: ReadonlyArray<string>): Promise<Reached> => {
  const files = new Set<string>()
  const packages = new Set<string>()
  const left = [...entries]
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    if (files.has(file)) continue
    files.add(file)
    const text = await readFile(join(folder, file), "utf8")
    for (const specifier of specifiersOf(text)) {
      if (specifier.startsWith(".")) left.push(targetOf(file, specifier))
      else if (!specifier.startsWith("node:")) packages.add(packageOf(specifier))
      else if (file.endsWith(".d.ts")) packages.add("@types/node")
    }
    left.push(...(STARTED[file] ?? []))
  }
  return { files, packages }
}
