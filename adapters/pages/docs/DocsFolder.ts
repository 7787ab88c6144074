import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { extname, join, resolve } from "node:path"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import type { Incoming } from "../../shared/Exchange.ts"
import { isSameTag } from "../../shared/isSameTag.ts"
import type { PageAnswer } from "../Page.ts"
import { accepts } from "../shared/Assets.ts"

/** The folders that `npm run docs` writes, relative to compiled files and to sources. */
const FOLDERS = ["../../../docs", "../../../dist/docs"]

const TYPES: { readonly [suffix: string]: string } = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
}

/** The form of file names. Other characters, or a way upwards, are not accepted. */
const NAME = /^(?:[a-z0-9-]+\/)*[A-Za-z0-9_-]+\.(?:css|html|js|json|md|txt)$/

/** Returns the file for a path beneath `/docs/`. A page may be named without its extension. */
const fileOf = (path: string): string | undefined => {
  const named = path === "" ? "index.html" : path
  const file = extname(named) === "" ? `${named}.html` : named
  return NAME.test(file) ? file : undefined
}

const packBrotli = promisify(brotliCompress)
const packGzip = promisify(gzip)

/** A higher quality takes much longer than it saves. */
const PARAMS = { [constants.BROTLI_PARAM_QUALITY]: 4 }

const PACKED = {
  br: (bytes: Buffer) => packBrotli(bytes, { params: PARAMS }),
  gzip: (bytes: Buffer) => packGzip(bytes),
} as const

const encodingOf = (accepted: string): keyof typeof PACKED | undefined =>
  (["br", "gzip"] as const).find((encoding) => accepts(accepted, encoding))

/** The most compressed answers that are kept: more than there are while files do not change. */
const KEPT = 1_000

/** Returns the tag of a file's version, compressed or not. */
export const tagOf = (bytes: string | Uint8Array, encoding?: string): string => {
  const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, 22)
  return `"${hash}${encoding === undefined ? "" : `-${encoding}`}"`
}

/** The documentation's files beside the compiled ones. */
export class DocsFolder {
  readonly #folders: ReadonlyArray<string>
  /** Compressed files, by tag. */
  readonly #packed = new Map<string, Buffer>()

  constructor(folders: ReadonlyArray<string> = FOLDERS) {
    this.#folders = folders.map((folder) => resolve(import.meta.dirname, folder))
  }

  /** Reads a file; undefined if there is none. */
  async read(file: string): Promise<Buffer | undefined> {
    for (const folder of this.#folders) {
      const bytes = await readFile(join(folder, file)).catch(() => undefined)
      if (bytes !== undefined) return bytes
    }
    return undefined
  }

  /** Returns the answer to a request beneath `/docs/`; undefined if there is no file. */
  async answer(path: string, { headers }: Pick<Incoming, "headers">) {
    const file = fileOf(path)
    const bytes = file === undefined ? undefined : await this.read(file)
    if (file === undefined || bytes === undefined) return undefined
    const encoding = encodingOf(headers["accept-encoding"]?.toString() ?? "")
    const tag = tagOf(bytes, encoding)
    const said = {
      ETag: tag,
      Vary: "Accept-Encoding",
      // The names of built files contain their hash.
      "Cache-Control": file.startsWith("assets/")
        ? "public, max-age=31536000, immutable"
        : "public, no-cache",
    }
    if (isSameTag(tag, headers["if-none-match"]))
      return { status: 304, headers: said, body: "" } satisfies PageAnswer
    const type = TYPES[extname(file)] ?? "text/plain; charset=utf-8"
    return {
      status: 200,
      headers: {
        ...said,
        "Content-Type": type,
        ...(encoding !== undefined && { "Content-Encoding": encoding }),
      },
      body: encoding === undefined ? bytes : await this.#pack(tag, encoding, bytes),
    } satisfies PageAnswer
  }

  async #pack(tag: string, encoding: keyof typeof PACKED, bytes: Buffer): Promise<Buffer> {
    const known = this.#packed.get(tag)
    if (known !== undefined) return known
    const packed = await PACKED[encoding](bytes)
    if (this.#packed.size >= KEPT) this.#packed.clear()
    this.#packed.set(tag, packed)
    return packed
  }
}
