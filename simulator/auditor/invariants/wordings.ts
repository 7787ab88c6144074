import type { Rule, Rulebook } from "../Observation.ts"
import { difference } from "../saysTheSame.ts"

/** An amount as it is written in a text, and what is meant by it. */
export interface AmountRead {
  readonly written: string
  /** An exact decimal in major units. */
  readonly value: string
  readonly currency?: string | undefined
  /** A name that several currencies have. */
  readonly shared?: string | undefined
}

/** What is said about a text, and what is right. */
export interface WordsJudged {
  readonly what: string
  readonly expected: unknown
  readonly found: unknown
}

type Order = { readonly [field: string]: unknown }

declare module "../Observation.ts" {
  interface Observations {
    /** The amounts that were found in a text, and those that it has. */
    readonly amounts_read: {
      readonly text: string
      readonly meant: ReadonlyArray<AmountRead>
      readonly read: ReadonlyArray<AmountRead>
    }
    readonly words_judged: WordsJudged
    /** The orders that a text was read as, and the one that it gives; undefined for none. */
    readonly orders_read: {
      readonly text: string
      readonly meant: Order | undefined
      readonly read: ReadonlyArray<Order>
      readonly unread: ReadonlyArray<string>
    }
  }
}

const amountsAsMeant: Rule<"amounts_read"> = ({ meant, read, text }) => {
  const differs = difference(meant, read)
  return differs === undefined ? undefined : `has its amounts read with ${differs}: ${text}`
}

/** Other readings are asked about later: they differ in where a name begins and ends. */
const orderAsMeant: Rule<"orders_read"> = ({ meant, read, text, unread }) => {
  if (meant === undefined) {
    const isLeft = read.length === 0 && unread.length > 0
    return isLeft ? undefined : `is read as ${JSON.stringify(read)}: ${text}`
  }
  const differs = difference(meant, read[0]) ?? difference([], unread)
  return differs === undefined ? undefined : `is read with ${differs}: ${text}`
}

const judgedRightly: Rule<"words_judged"> = ({ expected, found, what }) => {
  const differs = difference(expected ?? null, found ?? null)
  return differs === undefined ? undefined : `is judged with ${differs}: ${what}`
}

/** The rules about how words are read. */
export const wordingRules: Rulebook = {
  148: {
    amounts_read: amountsAsMeant,
    orders_read: orderAsMeant,
    words_judged: judgedRightly,
  },
}
