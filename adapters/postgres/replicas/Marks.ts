/** Where the primary's WAL ended at a moment, by this process's clock that never jumps. */
export interface Mark {
  readonly at: number
  /** What the primary has written down of itself: whoever has replayed that has followed it. */
  readonly history: string
  /** Which server that is, and how often it has been promoted. */
  readonly line: string
  readonly position: bigint
}

/** What a page of the WAL begins with, in bytes: usually, and where it is the first of a file. */
const PAGE = 8_192n
const HEADERS: ReadonlySet<bigint> = new Set([24n, 40n])

const parsePart = (text: string): bigint => BigInt(`0x${text}`)

/**
 * A position in the WAL, such as `16/B374D848`. One behind nothing but a page's header is that of
 * the page: a replica that has replayed everything stands there.
 */
export const parsePosition = (text: string): bigint => {
  const [high = "0", low = "0"] = text.split("/")
  const position = (parsePart(high) << 32n) | parsePart(low)
  const within = position % PAGE
  return HEADERS.has(within) ? position - within : position
}

/** What is known of the primary's last moments. */
export class Marks {
  readonly #longest: number
  #marks: Array<Mark> = []

  /** Nobody asks for what is older than `longest`, in milliseconds. */
  constructor(longest: number) {
    this.#longest = longest
  }

  add(mark: Mark): void {
    this.#marks = this.#marks.filter(({ at }) => mark.at - at <= this.#longest)
    this.#marks.push(mark)
  }

  /** The last moment all of which a server shows that has replayed so much of that history. */
  shownBy(history: string, position: bigint): number | undefined {
    return this.#marks.findLast((mark) => mark.history === history && mark.position <= position)?.at
  }
}
