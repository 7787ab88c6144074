import { Transform, type TransformCallback } from "node:stream"
import {
  brotliDecompressSync,
  gunzipSync,
  inflateSync,
  type ZlibOptions,
  zstdDecompressSync,
} from "node:zlib"

/** Longer bodies, in bytes, are not decoded. */
const LONGEST = 262_144

const OPEN: { readonly [encoding: string]: (bytes: Buffer, options: ZlibOptions) => Buffer } = {
  identity: (bytes) => bytes,
  gzip: gunzipSync,
  deflate: inflateSync,
  br: (bytes) => brotliDecompressSync(bytes, { maxOutputLength: LONGEST }),
  zstd: (bytes) => zstdDecompressSync(bytes, { maxOutputLength: LONGEST }),
}

/** Passes a body on as it arrives, and keeps it while it is short. */
export class Kept extends Transform {
  #chunks: Array<Buffer> = []
  #length = 0

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#length += chunk.length
    if (this.#length <= LONGEST) this.#chunks.push(chunk)
    else this.#chunks = []
    done(null, chunk)
  }

  /** Returns the body's text; undefined if it is too long or cannot be decompressed. */
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
