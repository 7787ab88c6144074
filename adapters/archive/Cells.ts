import { Data, type Effect } from "effect"
import { createHash, type Hash } from "node:crypto"

/** A value of a row: whole numbers and milliseconds since the epoch as bigint, all else as text. */
export type Cell = string | bigint | null

/** The values of a row, in the order of its table's columns. */
export type Cells = ReadonlyArray<Cell>

/** A column of an archived table. A time is a moment in milliseconds since the epoch. */
export interface ArchivedColumn {
  readonly name: string
  readonly type: "text" | "integer" | "time"
  readonly isNullable: boolean
}

/** The columns of an amount in minor units and of its currency, which are added up. */
export interface MoneyColumns {
  readonly amount: string
  readonly currency: string
}

/** A table of the archive. */
export interface ArchivedTable {
  readonly name: string
  readonly columns: ReadonlyArray<ArchivedColumn>
  readonly money?: MoneyColumns | undefined
}

/** Returns the next rows, and none at the end. */
export type NextRows<E> = Effect.Effect<ReadonlyArray<Cells>, E>

/** Something is wrong with the archive or its folder. The message says what, in one line. */
export class ArchiveFailure extends Data.TaggedError("ArchiveFailure")<{
  readonly message: string
}> {}

/** The sums of a currency's amounts in minor units, as whole numbers in text. */
interface Sums {
  /** The sum of the amounts above zero: debits. */
  readonly positive: string
  /** The sum of the amounts below zero: credits. */
  readonly negative: string
}

/** What rows amount to. Equal rows in equal order have equal contents. */
export interface Content {
  readonly rows: number
  /**
   * The SHA-256 of the rows, in lower-case hex. Each row is a line: a JSON array of its columns as
   * texts or null, and a line feed.
   */
  readonly rows_sha256: string
  /** By currency, in the order of their names. */
  readonly sums: { readonly [currency: string]: Sums }
}

/** Counts, hashes and adds up rows. */
export class Tally {
  readonly #hash: Hash = createHash("sha256")
  readonly #sums = new Map<string, { positive: bigint; negative: bigint }>()
  readonly #amount: number
  readonly #currency: number
  #rows = 0

  constructor(columns: ReadonlyArray<string>, money: MoneyColumns | undefined) {
    this.#amount = columns.indexOf(money?.amount ?? "")
    this.#currency = columns.indexOf(money?.currency ?? "")
  }

  get rows(): number {
    return this.#rows
  }

  add(rows: ReadonlyArray<Cells>): void {
    for (const row of rows) {
      this.#rows += 1
      this.#hash.update(`${JSON.stringify(row.map((cell) => cell?.toString() ?? null))}\n`)
      const amount = row[this.#amount]
      if (typeof amount === "bigint") this.#addAmount(String(row[this.#currency]), amount)
    }
  }

  #addAmount(currency: string, amount: bigint): void {
    const sums = this.#sums.get(currency) ?? { positive: 0n, negative: 0n }
    if (amount > 0n) sums.positive += amount
    else sums.negative += amount
    this.#sums.set(currency, sums)
  }

  /** Ends the tally. */
  content(): Content {
    const sums = [...this.#sums].toSorted(([one], [other]) => (one < other ? -1 : 1))
    return {
      rows: this.#rows,
      rows_sha256: this.#hash.digest("hex"),
      sums: Object.fromEntries(
        sums.map(([currency, { negative, positive }]) => [
          currency,
          { positive: String(positive), negative: String(negative) },
        ]),
      ),
    }
  }
}

/** Returns whether two contents are equal. */
export const isSameContent = (one: Content, other: Content): boolean =>
  one.rows === other.rows &&
  one.rows_sha256 === other.rows_sha256 &&
  JSON.stringify(one.sums) === JSON.stringify(other.sums)
