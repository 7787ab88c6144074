import {
  type AuthInfo,
  type CallToolRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server"
import { VERSION } from "../../core/shared/Version.ts"
import type { Door } from "./doors.ts"
import { Unreachable } from "./remoteService.ts"
import { type Asking, type Call, InvalidParams, RpcError, type Tools } from "./Tools.ts"
import { CREDENTIAL, requiredResult } from "./mpp.ts"
import { PAYMENT } from "./x402.ts"

/** The service's name for clients. */
const IDENTITY = { name: "payport", title: "payport", version: VERSION }

/**
 * The validator of clients' answers to requests by the server. This server sends none, and the
 * library's validator would be as large as the rest of a session.
 */
const unusedValidator = {
  getValidator: () => () => ({
    valid: false as const,
    data: undefined,
    errorMessage: "nothing is asked of clients",
  }),
}

/** Passes the facts about a request through the protocol. */
export const authInfoOf = (asking: Asking): AuthInfo => ({
  token: "",
  clientId: "",
  scopes: [],
  extra: { asking },
})

const askingOf = ({ http }: ServerContext): Asking | undefined =>
  http?.authInfo?.extra?.["asking"] as Asking | undefined

const inProtocol = async <A>(work: Promise<A>): Promise<A> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof InvalidParams) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message)
    }
    if (error instanceof RpcError) throw new ProtocolError(error.code, error.message, error.data)
    const message = error instanceof Unreachable ? error.message : "Internal error"
    throw new ProtocolError(ProtocolErrorCode.InternalError, message)
  }
}

const callOf = ({ _meta, arguments: args = {}, name }: CallToolRequest["params"]): Call => {
  const payment = _meta?.[PAYMENT]
  const credential = _meta?.[CREDENTIAL]
  return {
    name,
    args,
    ...(payment !== undefined && { payment }),
    ...(credential !== undefined && { credential }),
  }
}

const HOUR = 3_600_000

/**
 * Makes a server of the protocol that only has tools. If the list may change, its `ttlMs` is 0: a
 * cached list would name removed tools. A client that caches it listens for changes.
 */
export const makeServer = ({ changes, instructions }: Door, tools: Tools): Server => {
  const server = new Server(IDENTITY, {
    capabilities: { tools: changes ? { listChanged: true } : {} },
    instructions,
    jsonSchemaValidator: unusedValidator,
    cacheHints: {
      "tools/list": { ttlMs: changes ? 0 : HOUR, cacheScope: "public" },
      "server/discover": { ttlMs: HOUR, cacheScope: "public" },
    },
  })
  server.setRequestHandler("tools/list", ({ params }, ctx) =>
    inProtocol(tools.list(params?.cursor, askingOf(ctx))),
  )
  server.setRequestHandler("tools/call", ({ params }, ctx) =>
    inProtocol(
      tools.call(callOf(params), askingOf(ctx), ctx.mcpReq.signal).catch((error: unknown) => {
        // In the revision with envelopes, the code of this error has another meaning.
        const isShown = error instanceof RpcError && ctx.mcpReq.envelope !== undefined
        const result = isShown ? requiredResult(error) : undefined
        if (result === undefined) throw error
        return result
      }),
    ),
  )
  return server
}
