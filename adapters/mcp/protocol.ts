import {
  type AuthInfo,
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  SERVER_INFO_META_KEY,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server"
import { VERSION } from "../../core/shared/Version.ts"
import type { Door } from "./doors.ts"
import type { PlainCall } from "./plainCall.ts"
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

/** Who calls a tool, when the client no longer waits, and by which revision it calls. */
interface Calling {
  readonly asking: Asking | undefined
  readonly cancelled: AbortSignal
  readonly hasEnvelope: boolean
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

/** Calls a tool. Rejects only with a `ProtocolError`. */
const callTool = (
  tools: Tools,
  params: CallToolRequest["params"],
  { asking, cancelled, hasEnvelope }: Calling,
): Promise<CallToolResult> =>
  inProtocol(
    tools.call(callOf(params), asking, cancelled).catch((error: unknown) => {
      // In the revision with envelopes, the code of this error has another meaning.
      const isShown = error instanceof RpcError && hasEnvelope
      const result = isShown ? requiredResult(error) : undefined
      if (result === undefined) throw error
      return result
    }),
  )

/** Answers a call as the library answers it in the revision with envelopes. */
export const answerCall = async (
  tools: Tools,
  { id, params }: PlainCall,
  calling: Omit<Calling, "hasEnvelope">,
): Promise<object> => {
  try {
    const { _meta, ...result } = await callTool(tools, params, { ...calling, hasEnvelope: true })
    const meta = { ..._meta, [SERVER_INFO_META_KEY]: IDENTITY }
    return { result: { resultType: "complete", ...result, _meta: meta }, jsonrpc: "2.0", id }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    const { code, data, message } = error
    return { jsonrpc: "2.0", id, error: { code, message, ...(data !== undefined && { data }) } }
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
  server.setRequestHandler("tools/call", ({ params }, ctx) => {
    const hasEnvelope = ctx.mcpReq.envelope !== undefined
    return callTool(tools, params, {
      asking: askingOf(ctx),
      cancelled: ctx.mcpReq.signal,
      hasEnvelope,
    })
  })
  return server
}
