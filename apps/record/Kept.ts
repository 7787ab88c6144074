import { Transform, type TransformCallback } from "node:stream"
import {
  brotliDecompressSync,
  gunzipSync,
  inflateSync,
  type ZlibOptions,
  zstdDecompressSync,
} from "node:zlib"

/** A body that is longer than so many bytes is not read. */
const LONGEST = 262_144

const OPEN: { readonly [encoding: string]: (bytes: Buffer, options: ZlibOptions) => Buffer } = {
  identity: (bytes) => bytes,
  gzip: gunzipSync,
  deflate: inflateSync,
  br: (bytes) => brotliDecompressSync(bytes, { maxOutputLength: LONGEST }),
  zstd: (bytes) => zstdDecompressSync(bytes, { maxOutputLength: LONGEST }),
}

/** Passes a body on as it comes, and keeps it as long as it is short. */
export class Kept extends Transform {
  #chunks: Array<Buffer> = []
  #length = 0

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#length += chunk.length
    if (this.#length <= LONGEST) this.#chunks.push(chunk)
    else this.#chunks = []
    done(null, chunk)
  }

  /** The body's text; undefined for one that is long or that cannot be unpacked. */
  text(encoding = "identity"): string | undefined {
    const open = OPEN[encoding.toLowerCase()]
    if (this.#length > LONGEST || open === undefined) return undefined
    try {
      return open(Buffer.concat(this.#chunks), { maxOutputLength: LONGEST }).toString("utf8")
    } catch {
      return undefined
    }
  }
}
