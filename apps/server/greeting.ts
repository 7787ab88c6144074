import { join } from "node:path"
import type { Secrets } from "./secrets.ts"
import type { Settings } from "./settings.ts"

/** Where operators and probes are served. */
interface Places {
  readonly operators: string
  readonly probes?: string | undefined
}

/** A service that is ready, as `start --json` prints it. */
export interface Ready {
  /** Where it is reached; nothing but its probes where it only works. */
  readonly ready: string
  /** The folder of the keys that were generated; null where it has none. */
  readonly keys: string | null
  /** Where operators are served; null where nobody is. */
  readonly operators: string | null
  readonly probes: string | null
}

/** What is to be told of a service that is ready. */
export const readyAs = (
  url: string,
  { data_dir, roles }: Pick<Settings, "data_dir" | "roles">,
  secrets: Pick<Secrets, "demo">,
  { operators, probes }: Places = { operators: url },
): Ready => {
  const serves = roles.has("api")
  const keys = secrets.demo === undefined || !serves ? null : data_dir
  return { ready: url, keys, operators: serves ? operators : null, probes: probes ?? null }
}

/** The text for a person once the service is ready; tools wait for its first line. */
export const greeting = ({ keys, operators, probes, ready }: Ready): string => {
  const first = `payport ready on ${ready}`
  const probed = probes === null ? [] : [`  probes           ${probes}`]
  if (keys === null) return [first, ...probed].join("\n")
  return [
    first,
    `  keys             ${join(keys, "{demo-seller,demo-buyer,admin}.key")}, or as they are set`,
    `  next             a payment to look at: ${ready}/sandbox/demo; the API: ${ready}/docs`,
    ...(operators === null || operators === ready ? [] : [`  operators        ${operators}`]),
    ...probed,
  ].join("\n")
}
