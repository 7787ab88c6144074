import type { Shrunk } from "./Shrinker.ts"
import { faultsOn, type NamedThing } from "./Thing.ts"

/** Formats a count with a noun. */
const counted = (count: number, what: string): string => {
  if (count === 0) return `no ${what}`
  return count === 1 ? `one ${what}` : `${count} ${what}s`
}

const line = ({ about, kind, name }: NamedThing): string =>
  `  ${kind} ${name}${about === "" ? "" : ` (${about})`}`

/** The texts for reached limits: the limit, and how to raise it. */
export interface Limits {
  readonly out_of_tries: string
  /** Set if there is a time limit. */
  readonly out_of_time?: string
}

const whyText = ({ needed, why }: Shrunk, limits: Limits): string => {
  switch (why) {
    case "each_is_needed":
      return needed.length === 0
        ? "Nothing is left that could be left out."
        : "It gets no smaller: without any one of these the failure is gone."
    case "few_enough":
      return "Fewer than three of each are few enough; it may get smaller still."
    case "out_of_tries":
      return `It may get smaller. ${limits.out_of_tries}`
    case "out_of_time":
      return `It may get smaller. ${limits.out_of_time ?? "Its time is over."}`
    case "interrupted":
      return "It may get smaller. Reducing it was interrupted."
  }
}

/** Describes the result of shrinking: how small it is, why not smaller, what is needed. */
export const tellShrunk = (shrunk: Shrunk, limits: Limits): ReadonlyArray<string> => {
  const { needed, script, tries, why } = shrunk
  const payments = counted(script.payments.length, "payment")
  const faults = counted(faultsOn(script).length, "fault")
  const isPart = why !== "each_is_needed" && needed.length > 0
  return [
    `Reduced to ${payments} and ${faults} in ${tries} ${tries === 1 ? "try" : "tries"}.`,
    whyText(shrunk, limits),
    ...(isPart ? ["Without any one of these the failure is gone:"] : []),
    ...needed.map(line),
  ]
}
