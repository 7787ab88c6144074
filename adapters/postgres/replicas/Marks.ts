/** The end of the primary's WAL at one time. */
export interface Mark {
  /** When the primary was asked, by `performance.now()`. */
  readonly at: number
  /** The row that only this primary writes. A server that shows it has followed this primary. */
  readonly history: string
  /** The server's system identifier and its timeline, which changes with each promotion. */
  readonly line: string
  readonly position: bigint
}

/** Size of a page header in the WAL, in bytes: in most pages, and in the first page of a file. */
const PAGE = 8_192n
const HEADERS: ReadonlySet<bigint> = new Set([24n, 40n])

const parsePart = (text: string): bigint => BigInt(`0x${text}`)

/**
 * Parses a position in the WAL, such as `16/B374D848`. A position right after a page header becomes
 * the start of the page, since that is the position of a replica that has replayed everything.
 */
export const parsePosition = (text: string): bigint => {
  const [high = "0", low = "0"] = text.split("/")
  const position = (parsePart(high) << 32n) | parsePart(low)
  const within = position % PAGE
  return HEADERS.has(within) ? position - within : position
}

/** The recent marks of the primary. */
export class Marks {
  readonly #longest: number
  #marks: Array<Mark> = []

  /** Marks older than `longest`, in milliseconds, are dropped. */
  constructor(longest: number) {
    this.#longest = longest
  }

  add(mark: Mark): void {
    this.#marks = this.#marks.filter(({ at }) => mark.at - at <= this.#longest)
    this.#marks.push(mark)
  }

  /**
   * Returns the time of the newest mark that a server has replayed, by the history that it shows
   * and its position. The server shows all commits before that time.
   */
  shownBy(history: string, position: bigint): number | undefined {
    return this.#marks.findLast((mark) => mark.history === history && mark.position <= position)?.at
  }
}
