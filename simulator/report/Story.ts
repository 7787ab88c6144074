import { fromIso, toIso } from "../../core/shared/Timestamp.ts"
import type { Violation } from "../auditor/Auditor.ts"
import type { Note } from "../auditor/Trace.ts"

/** What the parts of the world call what they name by its id. */
const NAMES: { readonly [prefix: string]: string } = {
  pi: "payment",
  ref: "refund",
  creq: "channel request",
  evt: "event",
  wd: "delivery",
  we: "receiver",
  acct: "account",
  rvk: "revocation",
  qr: "charge",
  disc: "discrepancy",
}

const ID = /\b([a-z]+)_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

const OPENINGS: ReadonlyArray<readonly [pattern: RegExp, words: string]> = [
  [/^commit client /, "A client's request stores "],
  [/^commit worker /, "A worker stores "],
  [/^commit callback /, "A callback stores "],
  [/^commit nobody /, "The world stores "],
  [/^claim /, "A worker takes on "],
  [/^entry (\S+) charge /, "$1 opens a charge, "],
  [/^entry (\S+) hold /, "A payer authorizes at $1, which holds the money: "],
  [/^entry (\S+) payment /, "A payer pays at $1: "],
  [/^entry (\S+) (\S+) /, "$1 books a $2, "],
  [/^callback (\S+ ?\S*) (\S+) null Success/, "A channel says $2 of $1, and is heard"],
  [/^callback (\S+ ?\S*) (\S+) null Failure/, "A channel says $2 of $1, and is refused"],
  [/^callback (\S+ ?\S*) (\S+) (.+) (Success|Failure)/, "Somebody says $2 of $1 ($3): $4"],
  [/^answer (\S+ \S+) (\S+) 2\d\d(.*)/, "A client's $1 under key $2 is answered $3"],
  [/^answer (\S+ \S+) (\S+) (.*)/, "A client's $1 under key $2 is refused: $3"],
  [/^read /, "A client reads "],
  [/^gate /, "A gate asks: "],
  [/^(process \S+) /, "── $1 "],
]

const LONGEST = 400

/** How long after the beginning, for people. */
const elapsed = (millis: number): string => {
  const days = Math.floor(millis / 86_400_000)
  return `${days > 0 ? `+${days} d ` : ""}${toIso(millis % 86_400_000).slice(11, 23)}`
}

/**
 * Tells what happens in a world, a line a step: ids become numbers in the order in which they are
 * heard of, and times are counted from the beginning.
 */
export class Story {
  readonly #start: number
  readonly #numbers = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  constructor(start: number) {
    this.#start = start
  }

  /** A step in words. */
  tell({ at, what }: Note): string {
    const named = this.#named(what)
    const opening = OPENINGS.find(([pattern]) => pattern.test(named))
    const said = opening === undefined ? named : named.replace(opening[0], opening[1])
    return `${elapsed(at - this.#start)}  ${said.slice(0, LONGEST).trimEnd()}`
  }

  /** A broken invariant in words. */
  complain({ at, finding, name, number, subject }: Violation): string {
    const time = elapsed((fromIso(at) ?? this.#start) - this.#start)
    return `${time}  ✗ INVARIANT ${number} (${name}): ${this.#named(`${subject} ${finding}`)}`
  }

  #named(text: string): string {
    return text.replaceAll(ID, (id, prefix: string) => this.#nameOf(id, prefix))
  }

  #nameOf(id: string, prefix: string): string {
    const known = this.#numbers.get(id)
    if (known !== undefined) return known
    const kind = NAMES[prefix] ?? prefix
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    const name = `${kind} #${count}`
    this.#numbers.set(id, name)
    return name
  }
}
