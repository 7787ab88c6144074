import type { Traceparent } from "../../../adapters/shared/Traceparent.ts"

/** Decides which requests are recorded in traces. */
export interface Sampler {
  /** The ratio of recorded requests, from 0 to 1. */
  readonly ratio: number
  /** Whether the caller's decision is followed, if there is one. */
  readonly followsCaller: boolean
}

const RATIOS: { readonly [name: string]: number | undefined } = {
  always_on: 1,
  always_off: 0,
  traceidratio: undefined,
}

const FOLLOWING = "parentbased_"

/** The samplers of OpenTelemetry (`OTEL_TRACES_SAMPLER`) that are supported. */
export const SAMPLERS = Object.keys(RATIOS).flatMap((name) => [name, FOLLOWING + name])

/** Returns a sampler by its name, with its argument (`OTEL_TRACES_SAMPLER_ARG`), 1 by default. */
export const samplerOf = (name: string, argument = 1): Sampler => {
  const followsCaller = name.startsWith(FOLLOWING)
  const bare = followsCaller ? name.slice(FOLLOWING.length) : name
  return { ratio: RATIOS[bare] ?? argument, followsCaller }
}

const DIGITS = 13

/** Returns a number from 0 to below 1 that every process derives from a trace in the same way. */
const fractionOf = (traceId: string): number =>
  Number.parseInt(traceId.slice(-DIGITS), 16) / 16 ** DIGITS

/** Whether a request is recorded. `chance` is from 0 to below 1, for requests without a trace. */
export const isSampled = (
  { followsCaller, ratio }: Sampler,
  caller: Traceparent | undefined,
  chance: number,
): boolean => {
  if (caller === undefined) return chance < ratio
  return followsCaller ? caller.sampled : fractionOf(caller.traceId) < ratio
}
