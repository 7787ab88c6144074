import type { StatementLine } from "../../core/ports/Channels.ts"
import type { Stage } from "../world/Stage.ts"

/** How often a line is left out of a statement, and how often it says something else. */
export interface Crooked {
  readonly statement_dropped: number
  readonly statement_changed: number
}

/** What was wrong with the statements that were shown, by channel and line. */
export interface Forged {
  readonly dropped: ReadonlyMap<string, StatementLine>
  readonly changed: ReadonlyMap<string, StatementLine>
}

const nameOf = (channel: string, { at, kind, number, out_trade_no }: StatementLine): string =>
  [channel, kind, out_trade_no, number, at].join(" ")

/** A refund may be said to have failed; what is of money may always be said of another amount. */
const changed = (line: StatementLine, status: boolean): StatementLine =>
  status && line.kind === "refund"
    ? { ...line, status: "failed" }
    : { ...line, amount: { ...line.amount, value: line.amount.value + 1 } }

/**
 * What channels show of their books. A statement that is crooked is so in the same lines whenever
 * it is asked for, since a line's lot is cast by its name.
 */
export class Statements {
  readonly #stage: Stage
  #crooked: Crooked | undefined
  #dropped = new Map<string, StatementLine>()
  #changed = new Map<string, StatementLine>()

  constructor(stage: Stage) {
    this.#stage = stage
  }

  /** From now on statements are as crooked as this, whatever the world's faults say. */
  bend(crooked: Crooked): void {
    this.#crooked = crooked
    this.#dropped = new Map()
    this.#changed = new Map()
  }

  /** What was left out and said wrongly since the statements were last bent. */
  forged(): Forged {
    return { dropped: this.#dropped, changed: this.#changed }
  }

  /** A channel's lines as they leave it. */
  shown(channel: string, lines: ReadonlyArray<StatementLine>): ReadonlyArray<StatementLine> {
    const { statement_changed, statement_dropped } = this.#crooked ?? this.#stage.faults()
    if (statement_changed === 0 && statement_dropped === 0) return lines
    return lines.flatMap((line) => {
      const name = nameOf(channel, line)
      const chance = this.#stage.chance(`statement ${name}`)
      if (chance.hits(statement_dropped)) {
        this.#stage.log.note("statement_dropped")
        this.#dropped.set(name, line)
        return []
      }
      if (!chance.hits(statement_changed)) return [line]
      this.#stage.log.note("statement_changed")
      const shown = changed(line, chance.hits(0.5))
      this.#changed.set(name, shown)
      return [shown]
    })
  }
}
