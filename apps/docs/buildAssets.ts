import { cp, readFile } from "node:fs/promises"
import { join } from "node:path"
import { buildPages } from "../packages/buildPages.ts"
import { root } from "./written.ts"
import type { Assets } from "./render/layout.ts"

const built = join(root, "dist/pages")

/** Copies the built scripts and styles of the documentation into a folder. */
export const buildAssets = async (folder: string): Promise<Assets> => {
  await buildPages()
  const manifest = JSON.parse(await readFile(join(built, "manifest.json"), "utf8")) as {
    readonly files: { readonly [name: string]: string }
  }
  const copied = async (name: string): Promise<string> => {
    const file = manifest.files[name]
    if (file === undefined) throw new Error(`apps/pages has no ${name}.`)
    await cp(join(built, file), join(folder, file))
    return file
  }
  return {
    styles: [await copied("styles.css"), await copied("docs.css")],
    script: await copied("docs.js"),
  }
}
