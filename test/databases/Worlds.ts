import { OptionError } from "../support/commandLine.ts"

/** Seeds, from the first to the last; none where the last is before the first. */
export interface Worlds {
  readonly first: number
  readonly last: number
}

/** Reads `N`, which means 1 to N, or `FROM..TO`. Throws an `OptionError`. */
export const readWorlds = (text: string): Worlds => {
  const [, from, to] = /^(?:(\d{1,6})\.\.)?(\d{1,6})$/.exec(text) ?? []
  const worlds = { first: Number(from ?? 1), last: Number(to) }
  const isRange = from === undefined || (worlds.first > 0 && worlds.last >= worlds.first)
  if (to !== undefined && isRange) return worlds
  const wanted = "a number such as 200 or a range such as 101..200"
  throw new OptionError(`--worlds has to be ${wanted}, not ${JSON.stringify(text)}.`)
}
