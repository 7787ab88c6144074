/** The protections that can be disabled: by a setting, or by replacing a line of code. */
const TAKEN_OUT = {
  /** All requests are accepted, as far as the setting allows. */
  admission: { PAYPORT_REQUESTS_AT_ONCE: "10000" },
  /** A session is still used although its server has become read-only. */
  dropping: {
    module: "/adapters/postgres/failures.",
    line: "export const meansReadOnly = (",
    instead: "export const meansReadOnly = () => false; const unused = (",
  },
  /** A pool that failed to open a session waits a minute. */
  trying: {
    module: "/adapters/postgres/sessions/Backoff.",
    line: "Math.min(LONGEST,",
    instead: "Math.max(60_000,",
  },
  /** A process does not know its own writes. */
  own_writes: {
    module: "/adapters/postgres/replicas/Writers.",
    line: "return this.#wrote.get(name)",
    instead: "return undefined",
  },
  /** An answer from a replica claims to be current. */
  ages: {
    module: "/adapters/postgres/replicas/readApart.",
    line: "accepts?.(performance.now() - shown)",
    instead: "accepts?.(0)",
  },
  /** A promoted server counts as one that follows the primary. */
  following: {
    module: "/adapters/postgres/replicas/Replica.",
    line: "follows !== true || position",
    instead: "position",
  },
} as const
export type Fix = keyof typeof TAKEN_OUT
export const FIXES = Object.keys(TAKEN_OUT) as ReadonlyArray<Fix>

/** The flag of node for a program that is run before the service. */
export const importing = (program: string): string =>
  `--import "data:text/javascript,${encodeURIComponent(program)}"`

const replacing = (what: object): string => `
  import { registerHooks } from "node:module"
  const { module, line, instead } = ${JSON.stringify(what)}
  const load = (url, context, next) => {
    const loaded = next(url, context)
    if (!url.includes(module)) return loaded
    const source = String(loaded.source)
    if (!source.includes(line)) throw new Error(module + " has no line " + line)
    return { ...loaded, source: source.replace(line, instead) }
  }
  registerHooks({ load })`

/** The variables of a service from which a fix is taken out. */
export const variablesWithout = (fix: Fix | undefined): { readonly [variable: string]: string } => {
  if (fix === undefined) return {}
  const taken = TAKEN_OUT[fix]
  return "module" in taken ? { NODE_OPTIONS: importing(replacing(taken)) } : taken
}
