import { readFile, readdir } from "node:fs/promises"
import { readFileSync } from "node:fs"
import { extname, join, resolve } from "node:path"
import { Data } from "effect"
import type { Incoming } from "../../shared/Exchange.ts"
import type { PageAnswer } from "../Page.ts"

/** The files that browsers load are not there: not built, or left behind by a bundler. */
class AssetsMissing extends Data.TaggedError("AssetsMissing")<Record<never, never>> {
  override get message(): string {
    return (
      "What the pages load is not beside their code. In a clone, run `npm run build`; an app that" +
      " is bundled has to keep payport out of its bundle (external)."
    )
  }
}

/** Relative to compiled files, and to sources with the project's bundle. */
const FOLDERS = ["../../../pages", "../../../dist/pages", "../../dist/pages"]

const TYPES: { readonly [suffix: string]: string } = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
}

/** The compressed forms, shortest first. */
const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const

/** Whether an `Accept-Encoding` header accepts an encoding. */
export const accepts = (header: string, encoding: string): boolean =>
  header.split(",").some((item) => {
    const [name = "", weight = ""] = item.split(";")
    return name.trim().toLowerCase() === encoding && !/^\s*q=0(?:\.0*)?\s*$/.test(weight)
  })

const readManifest = (folder: string): { readonly [name: string]: string } | undefined => {
  try {
    const text = readFileSync(join(folder, "manifest.json"), "utf8")
    return (JSON.parse(text) as { readonly files: { readonly [name: string]: string } }).files
  } catch {
    return undefined
  }
}

/** The files that browsers load, built by `apps/pages`. Names hold a hash, so they never change. */
export class Assets {
  readonly #folder: string
  readonly #names: { readonly [name: string]: string }
  #files: Promise<ReadonlySet<string>> | undefined

  constructor(folders: ReadonlyArray<string> = FOLDERS) {
    // A bundle of CommonJS has no such folder.
    const here: string | undefined = import.meta.dirname
    const paths = here === undefined ? [] : folders.map((folder) => resolve(here, folder))
    for (const path of paths) {
      const names = readManifest(path)
      if (names === undefined) continue
      this.#folder = path
      this.#names = names
      return
    }
    throw new AssetsMissing()
  }

  /** Returns the file's name with its hash. */
  nameOf(name: string): string {
    const hashed = this.#names[name]
    if (hashed === undefined) throw new AssetsMissing()
    return hashed
  }

  /** Returns the answer to a request for a file; undefined if there is none. */
  async answer(name: string, { headers }: Pick<Incoming, "headers">) {
    this.#files ??= readdir(this.#folder).then((names) => new Set(names))
    const [files, type] = [await this.#files, TYPES[extname(name)]]
    if (type === undefined || !files.has(name)) return undefined
    const accepted = headers["accept-encoding"]?.toString() ?? ""
    const found = ENCODINGS.find(
      ([encoding, suffix]) => accepts(accepted, encoding) && files.has(`${name}${suffix}`),
    )
    return {
      status: 200,
      headers: {
        "Content-Type": type,
        "Cache-Control": "public, max-age=31536000, immutable",
        Vary: "Accept-Encoding",
        ...(found !== undefined && { "Content-Encoding": found[0] }),
      },
      body: await readFile(join(this.#folder, `${name}${found?.[1] ?? ""}`)),
    } satisfies PageAnswer
  }
}
