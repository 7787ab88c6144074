import { join } from "node:path"
import type { Secrets } from "./secrets.ts"
import type { Settings } from "./settings.ts"

/** The addresses of the listeners for operators and probes. */
interface Places {
  readonly operators: string
  readonly probes?: string | undefined
}

/** A ready service, as `start --json` prints it. */
export interface Ready {
  /** The service's URL; that of its probes if it is only a worker. */
  readonly ready: string
  /** The folder of the generated keys; null if there is none. */
  readonly keys: string | null
  /** The URL of the operators' listener; null if there is none. */
  readonly operators: string | null
  readonly probes: string | null
}

/** Describes a ready service. */
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

/** Returns the text for people once the service is ready; tools wait for its first line. */
export const greeting = ({ keys, operators, probes, ready }: Ready): string => {
  const first = `payport ready on ${ready}`
  const probed = probes === null ? [] : [`  probes           ${probes}`]
  if (keys === null) return [first, ...probed].join("\n")
  return [
    first,
    `  keys             ${join(keys, "{demo-seller,demo-buyer,admin}.key")}, or the keys you set`,
    `  next             a payment to look at: ${ready}/sandbox/demo; the API: ${ready}/docs`,
    ...(operators === null || operators === ready ? [] : [`  operators        ${operators}`]),
    ...probed,
  ].join("\n")
}
