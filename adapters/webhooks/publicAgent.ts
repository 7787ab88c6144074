import { Effect, type Scope } from "effect"
import { Agent } from "undici"
import { makePublicConnector } from "./publicConnector.ts"
import { makeResolveName, type ResolveName } from "./resolveName.ts"

export interface AgentOptions {
  /** Whether addresses on this machine are allowed, by the names for it. */
  readonly local: boolean
  /** Time limit of an attempt in milliseconds. */
  readonly timeout?: number
  /** The most connections to one origin. Further requests wait, within their own time limit. */
  readonly connections?: number
  readonly maxHeaderSize?: number
  readonly resolveName?: ResolveName
  /** Trusted authorities instead of the usual ones, as PEM. */
  readonly ca?: string
}

/** Opens an agent that connects only to public addresses, and closes with the scope. */
export const openAgent = (
  options: AgentOptions & { readonly timeout: number },
): Effect.Effect<Agent, never, Scope.Scope> => {
  const { ca, connections = 64, local, maxHeaderSize = 16 * 1_024, timeout } = options
  const resolveName = options.resolveName ?? makeResolveName()
  const connector = { local, resolveName, timeout, ...(ca !== undefined && { ca }) }
  const open = Effect.sync(
    () =>
      new Agent({
        connect: makePublicConnector(connector),
        connections,
        allowH2: false,
        maxHeaderSize,
        // The caller limits the whole attempt, so that a slow answer cannot extend it.
        headersTimeout: 0,
        bodyTimeout: 0,
      }),
  )
  return Effect.acquireRelease(open, (agent) => Effect.promise(() => agent.destroy()))
}
