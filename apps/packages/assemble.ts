import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { entriesOf, flawsOf, readManifest } from "./Manifest.ts"
import { buildDocs } from "../docs/buildDocs.ts"
import { buildPages } from "./buildPages.ts"
import { reach } from "./reach.ts"

/** A package that declares something else than its files need. */
export class WrongManifest extends Error {
  override readonly name = "WrongManifest"
}

/** Removes references to source maps and sources, which the package does not contain. */
const asPublished = (file: string, text: string): string => {
  const unmapped = text.replace(/^\/\/# sourceMappingURL=.*\n?/m, "")
  if (!file.endsWith(".d.ts")) return unmapped
  return unmapped.replaceAll(/(\bfrom |\bimport\()"(\.[^"\n]*)\.tsx?"/g, '$1"$2.js"')
}

/** The result of assembling a package. */
export interface Assembled {
  readonly name: string
  readonly files: number
  readonly packages: ReadonlyArray<string>
}

const declarationOf = (file: string): string => file.replace(/\.js$/, ".d.ts")

/**
 * Copies the compiled files that a package's entries need into the `dist` of its folder. Rejects
 * with `WrongManifest` if its package.json declares other dependencies than these files need. A
 * package that serves pages also gets the browser files, and a program the documentation.
 */
export const assemble = async (root: string, folder: string): Promise<Assembled> => {
  const home = join(root, folder)
  const manifest = await readManifest(home)
  const compiled = join(root, "dist")
  const entries = entriesOf(manifest)
  const { files, packages } = await reach(compiled, [...entries, ...entries.map(declarationOf)])
  const flaws = flawsOf(manifest, packages, manifest.bin !== undefined)
  if (flaws.length > 0) throw new WrongManifest(flaws.join("\n"))
  const target = join(home, "dist")
  await rm(target, { recursive: true, force: true })
  for (const file of files) {
    await mkdir(dirname(join(target, file)), { recursive: true })
    await writeFile(
      join(target, file),
      asPublished(file, await readFile(join(compiled, file), "utf8")),
    )
  }
  if (files.has("adapters/pages/shared/Assets.js")) {
    await buildPages()
    await cp(join(compiled, "pages"), join(target, "pages"), { recursive: true })
  }
  if (manifest.bin !== undefined && files.has("adapters/pages/docs/docsPages.js")) {
    await buildDocs({ ifStale: true })
    await cp(join(compiled, "docs"), join(target, "docs"), { recursive: true })
  }
  for (const document of ["LICENSE", "CHANGELOG.md"]) {
    await cp(join(root, document), join(home, document))
  }
  return { name: manifest.name, files: files.size, packages: [...packages].toSorted() }
}
