import type { StatementLine } from "../../core/ports/Channels.ts"
import type { Stage } from "../world/Stage.ts"

/** How often a line of a statement is left out, and how often it is changed. */
export interface Crooked {
  readonly statement_dropped: number
  readonly statement_changed: number
}

/** What was wrong with the shown statements, by channel and line. */
export interface Forged {
  readonly dropped: ReadonlyMap<string, StatementLine>
  readonly changed: ReadonlyMap<string, StatementLine>
}

const nameOf = (channel: string, { at, kind, number, out_trade_no }: StatementLine): string =>
  [channel, kind, out_trade_no, number, at].join(" ")

/** Changes a line: a refund may be reported as failed, and any amount may be changed. */
const changed = (line: StatementLine, status: boolean): StatementLine =>
  status && line.kind === "refund"
    ? { ...line, status: "failed" }
    : { ...line, amount: { ...line.amount, value: line.amount.value + 1 } }

/**
 * The channels' statements of their books. A wrong statement is wrong in the same lines each time,
 * since the name of a line decides about it.
 */
export class Statements {
  readonly #stage: Stage
  #crooked: Crooked | undefined
  #dropped = new Map<string, StatementLine>()
  #changed = new Map<string, StatementLine>()

  constructor(stage: Stage) {
    this.#stage = stage
  }

  /** Sets how wrong statements are from now on, whatever the world's faults say. */
  bend(crooked: Crooked): void {
    this.#crooked = crooked
    this.#dropped = new Map()
    this.#changed = new Map()
  }

  /** Returns what was left out and changed since the last `bend`. */
  forged(): Forged {
    return { dropped: this.#dropped, changed: this.#changed }
  }

  /** Returns a channel's lines as it sends them. */
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
