import { join } from "node:path"
import type { Secrets } from "./secrets.ts"
import type { Settings } from "./settings.ts"

/** Where operators and probes are served. */
interface Places {
  readonly operators: string
  readonly probes?: string | undefined
}

/** The text for a person once the service is ready; tools wait for its first line. */
export const greeting = (
  url: string,
  settings: Settings,
  secrets: Secrets,
  { operators, probes }: Places = { operators: url },
): string => {
  const ready = `payport ready on ${url}`
  const probed = probes === undefined ? [] : [`  probes           ${probes}`]
  if (secrets.demo === undefined || !settings.roles.has("api")) return [ready, ...probed].join("\n")
  const keys = join(settings.data_dir, "{demo-seller,demo-buyer,admin}.key")
  return [
    ready,
    `  keys             ${keys}, or as they are set`,
    `  next             three curls in README.md, then every route: ${url}/openapi.json`,
    ...(operators === url ? [] : [`  operators        ${operators}`]),
    ...probed,
  ].join("\n")
}
