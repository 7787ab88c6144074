import { Effect, type Scope } from "effect"
import { Agent } from "undici"
import { makePublicConnector } from "./publicConnector.ts"
import { makeResolveName, type ResolveName } from "./resolveName.ts"

export interface AgentOptions {
  /** Whether addresses on this machine are allowed, under the names for it. */
  readonly local: boolean
  /** Milliseconds for all of an attempt. */
  readonly timeout?: number
  /** Connections to one origin at a time; further requests wait, at the cost of their own time. */
  readonly connections?: number
  readonly maxHeaderSize?: number
  readonly resolveName?: ResolveName
  /** Authorities that are trusted instead of the usual ones, as PEM. */
  readonly ca?: string
}

/** Connections to public addresses alone, which close with the scope. */
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
        // The whole attempt is limited by its caller, so that a slow answer cannot stretch it.
        headersTimeout: 0,
        bodyTimeout: 0,
      }),
  )
  return Effect.acquireRelease(open, (agent) => Effect.promise(() => agent.destroy()))
}
