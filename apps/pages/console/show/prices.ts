import type { ServiceManifest } from "../../../../adapters/http/client/Resources.ts"
import { money } from "./money.ts"

/** Returns a service's prices as buyers read them. */
export const pricesOf = ({ pricing }: Pick<ServiceManifest, "pricing">): ReadonlyArray<string> => [
  ...(pricing.one_time ?? []).map(
    ({ amount, currency, label }) => `${label}: ${money({ currency, value: amount })}`,
  ),
  ...(pricing.subscription ?? []).map(
    ({ amount, currency, interval, name }) =>
      `${name}: ${money({ currency, value: amount })} ${interval}`,
  ),
  ...(pricing.cumulative === undefined
    ? []
    : [`${pricing.cumulative.rate} minor units per ${pricing.cumulative.unit}`]),
]
