import { Result } from "effect"
import { type Terms, usualTerms } from "../../core/terms/Terms.ts"
import { flawOfLimits, TERMS_INPUT } from "../../core/terms/TermsInput.ts"
import { decodeOption, type Read, wrong } from "./decodeOption.ts"

/**
 * The fees and limits of the service: of each table only the rows that differ from the defaults,
 * each row whole. Every payport on one store needs the same terms.
 */
export type TermsOption = {
  readonly [Table in keyof Terms]?: Partial<Terms[Table]>
}

const decoders = {
  fees: decodeOption(TERMS_INPUT.fees),
  limits: decodeOption(TERMS_INPUT.limits),
  plans: decodeOption(TERMS_INPUT.plans),
  usage: decodeOption(TERMS_INPUT.usage),
}

/** Reads the terms from the options of `makePayport`, with the defaults filled in. */
export const readTerms = (given: unknown = {}): Read<Terms> =>
  Result.gen(function* () {
    const tables = Object.keys(decoders).join(", ")
    if (typeof given !== "object" || given === null || Array.isArray(given)) {
      return yield* wrong("terms", `has to be an object with ${tables}`)
    }
    const unknown = Object.keys(given).find((name) => !Object.hasOwn(decoders, name))
    if (unknown !== undefined) {
      return yield* wrong(`terms.${unknown}`, `is not known. There are: ${tables}`)
    }
    const of = (table: keyof Terms): unknown => {
      const rows: unknown = Reflect.get(given, table)
      return rows === undefined ? {} : rows
    }
    const { fees, limits, plans, usage } = usualTerms
    const terms: Terms = {
      fees: { ...fees, ...(yield* decoders.fees("terms.fees", of("fees"))) },
      limits: { ...limits, ...(yield* decoders.limits("terms.limits", of("limits"))) },
      plans: { ...plans, ...(yield* decoders.plans("terms.plans", of("plans"))) },
      usage: { ...usage, ...(yield* decoders.usage("terms.usage", of("usage"))) },
    }
    const flaw = flawOfLimits(terms.limits)
    return flaw === undefined ? terms : yield* wrong(`terms.limits.${flaw.field}`, flaw.reason)
  })
