import { canonicalJson } from "../../core/shared/Text.ts"

/**
 * Whether two values say the same in JSON, in whatever order their fields stand. Most that are
 * compared do so in the same order, which the engine's own JSON tells several times as fast.
 */
export const saysTheSame = (a: unknown, b: unknown): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b) || canonicalJson(a) === canonicalJson(b)
