import type { Answer } from "../client.ts"

/** A change that a list has to show from its acknowledgement on. */
export interface Fact {
  /** The list, search or report that shows it. */
  readonly list: string
  /** The account that wrote it. */
  readonly owner: string
  /** The subject. A later fact about the same subject replaces this one. */
  readonly item: string
  /** It in words. */
  readonly what: string
  /** When it was acknowledged, in milliseconds of this process's monotonic clock. */
  readonly at: number
  /** Whether the body of an answer shows it. */
  readonly holds: (body: Answer["body"]) => boolean
}

/** A client's answer for a list. */
export interface Reading {
  readonly list: string
  readonly caller: string
  /** The times of the request and of the answer, by the clock of the facts. */
  readonly asked: number
  readonly answered: number
  readonly answer: Answer
}

/** The limits of an answer, in milliseconds. */
export interface Limits {
  /** The longest time until the answer. */
  readonly within: number
  /** The largest age of a replica that may be read. */
  readonly lag: number
}

/** The text of rows that only exist on a server promoted by mistake. */
export const ALIEN = "written on a server that follows nobody"

const AGE = /^\d+\.\d{3}$/

/** A page shows a hundred; of a list no more are looked for than it surely holds. */
const LOOKED_FOR = 40

/** The acknowledged facts, by the list that has to show them. */
export class Facts {
  readonly #lists = new Map<string, Map<string, Fact>>()

  add(fact: Fact): void {
    const items = this.#lists.get(fact.list) ?? new Map<string, Fact>()
    this.#lists.set(fact.list, items)
    items.delete(fact.item)
    items.set(fact.item, fact)
  }

  /** The newest of a list, an item each. */
  of(list: string): ReadonlyArray<Fact> {
    return [...(this.#lists.get(list)?.values() ?? [])].slice(-LOOKED_FOR)
  }
}

/**
 * Returns the age that an answer reports, in milliseconds. Without an age the answer is current: 0.
 */
const ageOf = ({ age }: Answer): number => (age === null ? 0 : Number(age) * 1_000)

const lacks = (reading: Reading, fact: Fact, age: number): string => {
  const before = Math.round(reading.asked - fact.at)
  const whose = fact.owner === reading.caller ? "its own" : `${fact.owner}'s`
  const says = reading.answer.age === null ? "of now" : `${Math.round(age)} ms old`
  return (
    `${reading.caller} asked for ${reading.list}, was answered ${says}, and missed ` +
    `${whose} ${fact.what}, acknowledged ${before} ms before`
  )
}

/**
 * Describes what is wrong with an answer. It has to contain everything that its caller has written,
 * and what others have written before the time that its age gives.
 */
export const judgeReading = (
  reading: Reading,
  facts: Facts,
  { lag, within }: Limits,
): ReadonlyArray<string> => {
  const { answer, answered, asked, caller, list } = reading
  const told = `${caller} asked for ${list} and`
  const took = Math.round(answered - asked)
  const late = took > within ? [`${told} waited for ${took} ms`] : []
  if (answer.status !== 200) {
    return [...late, `${told} was answered ${answer.status}: ${answer.text.slice(0, 200)}`]
  }
  if (answer.age !== null && !AGE.test(answer.age)) {
    return [...late, `${told} was told the age ${JSON.stringify(answer.age)}`]
  }
  const age = ageOf(answer)
  return [
    ...late,
    ...(age > lag + took ? [`${told} was shown what is ${Math.round(age)} ms old`] : []),
    ...(answer.text.includes(ALIEN) ? [`${told} was shown what is ${ALIEN}`] : []),
    ...facts
      .of(list)
      .filter(({ at, owner }) => at <= (owner === caller ? asked : asked - age))
      .filter(({ holds }) => !holds(answer.body))
      .map((fact) => lacks(reading, fact, age)),
  ]
}
