import { nearestOf } from "../../core/shared/Nearest.ts"
import { variables } from "./settingVariables.ts"

const PREFIX = "PAYPORT_"

/** What Kubernetes sets for a Service of such a name: addresses, which are nobody's mistake. */
const SERVICE_LINK = /_SERVICE_(?:HOST|PORT)|_PORT_\d+_/

/** The address in `PAYPORT_API_PORT`, which it sets for a Service that is called `payport-api`. */
const LINKED = /^(?:tcp|udp|sctp):\/\//

const isLink = (name: string, value = ""): boolean =>
  SERVICE_LINK.test(name) || (name.endsWith("_PORT") && LINKED.test(value))

/** The environment of a process. */
type Environment = { readonly [name: string]: string | undefined }

/**
 * Returns a line for each variable that is no setting and is nearly called like one. Without it, a
 * service with a misspelt database would start on the embedded one, and a worker with a misspelt
 * archive would remove what is not archived.
 */
export const misspelt = (environment: Environment): ReadonlyArray<string> => {
  const names = Object.values(variables).flatMap(({ name }) =>
    name.startsWith(PREFIX) ? name.slice(PREFIX.length) : [],
  )
  const known = new Set(names)
  return Object.entries(environment).flatMap(([name, value]) => {
    const rest = name.slice(PREFIX.length)
    const isOurs = name.startsWith(PREFIX) && !known.has(rest) && !isLink(name, value)
    const meant = isOurs ? nearestOf(rest, names) : undefined
    return meant === undefined
      ? []
      : [`${name} is not a setting and has no effect. Is ${PREFIX}${meant} meant?`]
  })
}
