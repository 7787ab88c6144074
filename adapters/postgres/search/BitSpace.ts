import { type Bits, wordsFor } from "./Bits.ts"

/** Words in one piece of memory for sets: 1 MiB. */
const PIECE = 262_144

/** The number of pieces that are kept for the next search. A larger search frees its others. */
const KEPT = 4

/**
 * Memory for the sets of one search, which the next search reuses. Separate allocations would be
 * megabytes per search, and collecting them stops the process for longer than the search takes.
 */
export class BitSpace {
  readonly #pieces: Array<Uint32Array> = []
  #piece = 0
  #used = 0

  #take(words: number): Bits {
    if (words > PIECE) return new Uint32Array(words)
    if (this.#used + words > PIECE) {
      this.#piece += 1
      this.#used = 0
    }
    const piece = (this.#pieces[this.#piece] ??= new Uint32Array(PIECE))
    const from = this.#used
    this.#used += words
    return piece.subarray(from, from + words)
  }

  /** Returns an empty set for that many positions. */
  noBits(size: number): Bits {
    return this.noWords(wordsFor(size))
  }

  noWords(words: number): Bits {
    return this.#take(words).fill(0)
  }

  copy(bits: Bits): Bits {
    const made = this.#take(bits.length)
    made.set(bits)
    return made
  }

  /** Takes back all sets. None of them may be used afterwards. */
  clear(): void {
    this.#pieces.length = Math.min(this.#pieces.length, KEPT)
    this.#piece = 0
    this.#used = 0
  }
}

/** The number of spaces that are kept. A process seldom runs more searches at once. */
const SPACES = 3

/** The spaces of a process. Each search takes one. */
export class BitSpaces {
  readonly #free: Array<BitSpace> = []

  take(): BitSpace {
    return this.#free.pop() ?? new BitSpace()
  }

  giveBack(space: BitSpace): void {
    space.clear()
    if (this.#free.length < SPACES) this.#free.push(space)
  }
}
