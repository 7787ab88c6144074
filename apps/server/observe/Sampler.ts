import type { Traceparent } from "../../../adapters/shared/Traceparent.ts"

/** Which requests are recorded in traces. */
export interface Sampler {
  /** The part of them, from 0 to 1. */
  readonly ratio: number
  /** Whether what the caller does decides, where it says so. */
  readonly followsCaller: boolean
}

const RATIOS: { readonly [name: string]: number | undefined } = {
  always_on: 1,
  always_off: 0,
  traceidratio: undefined,
}

const FOLLOWING = "parentbased_"

/** The samplers that OpenTelemetry names (`OTEL_TRACES_SAMPLER`) and that are known here. */
export const SAMPLERS = Object.keys(RATIOS).flatMap((name) => [name, FOLLOWING + name])

/** A sampler by its name, with its argument (`OTEL_TRACES_SAMPLER_ARG`), 1 unless given. */
export const samplerOf = (name: string, argument = 1): Sampler => {
  const followsCaller = name.startsWith(FOLLOWING)
  const bare = followsCaller ? name.slice(FOLLOWING.length) : name
  return { ratio: RATIOS[bare] ?? argument, followsCaller }
}

const DIGITS = 13

/** A number from 0 to below 1 that everybody makes alike of a trace. */
const fractionOf = (traceId: string): number =>
  Number.parseInt(traceId.slice(-DIGITS), 16) / 16 ** DIGITS

/** Whether a request is recorded. `chance` is from 0 to below 1, for those without a trace. */
export const isSampled = (
  { followsCaller, ratio }: Sampler,
  caller: Traceparent | undefined,
  chance: number,
): boolean => {
  if (caller === undefined) return chance < ratio
  return followsCaller ? caller.sampled : fractionOf(caller.traceId) < ratio
}
