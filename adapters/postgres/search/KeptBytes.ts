/** The approximate overhead of an entry, in bytes. */
const ENTRY = 256

/** A cache of bytes that never change. It drops the least recently used ones first. */
export class KeptBytes {
  readonly #kept = new Map<string, Uint8Array>()
  readonly #most: number
  #size = 0

  constructor(most: number) {
    this.#most = most
  }

  get(key: string): Uint8Array | undefined {
    const found = this.#kept.get(key)
    if (found === undefined) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, found)
    return found
  }

  keep(key: string, bytes: Uint8Array): void {
    if (this.#kept.has(key) || bytes.length > this.#most) return
    this.#kept.set(key, bytes)
    this.#size += bytes.length + ENTRY
    for (const [oldest, { length }] of this.#kept) {
      if (this.#size <= this.#most) return
      this.#kept.delete(oldest)
      this.#size -= length + ENTRY
    }
  }
}
