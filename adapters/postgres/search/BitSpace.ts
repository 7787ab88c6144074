import { type Bits, wordsFor } from "./Bits.ts"

/** How many words a piece of memory has that sets are made in: 1 MiB. */
const PIECE = 262_144

/** How many pieces are kept for the next search; a larger one takes more, and gives them back. */
const KEPT = 4

/**
 * Memory for the sets of one search, used again by the next: sets in memory of their own would be
 * megabytes a search that have to be collected, which stops the process for longer than searching.
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

  /** An empty set of so many positions. */
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

  /** Takes back all sets that it has made: whoever had one has it no more. */
  clear(): void {
    this.#pieces.length = Math.min(this.#pieces.length, KEPT)
    this.#piece = 0
    this.#used = 0
  }
}

/** How many spaces are kept: more searches than that are seldom under way in one process. */
const SPACES = 3

/** The spaces of a process, of which each search has one to itself. */
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
