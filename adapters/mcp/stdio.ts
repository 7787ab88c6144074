import type { Server } from "@modelcontextprotocol/server"
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import { PassThrough } from "node:stream"
import type { Door } from "./doors.ts"
import { makeServer } from "./protocol.ts"
import type { Tools } from "./Tools.ts"
import { Unanswered } from "./Unanswered.ts"

/** The MCP server on this process's stdin and stdout. */
export interface StdioServer {
  /** Notifies the agent that the list of tools has changed. */
  readonly toolsChanged: () => void
  /** Resolves when every request that was read is answered. */
  readonly answered: () => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Serves tools on stdio, in the revision that the agent opens with. It can still answer after stdin
 * has ended, since a script may send its requests and close.
 */
export const openStdioServer = (
  door: Door,
  tools: Tools,
  report: (error: Error) => void,
): StdioServer => {
  const servers = new Set<Server>()
  const unanswered = new Unanswered()
  // The library's transport closes when its input ends, and then discards answers.
  const transport = new StdioServerTransport(process.stdin.pipe(new PassThrough(), { end: false }))
  const handle = serveStdio(
    () => {
      const server = makeServer(door, tools)
      servers.add(server)
      return server
    },
    { onerror: report, transport },
  )
  const { onmessage } = transport
  const send = transport.send.bind(transport)
  const counted: Pick<StdioServerTransport, "onmessage" | "send"> = {
    onmessage: (message) => {
      unanswered.received(message)
      onmessage?.(message)
    },
    send: async (message) => {
      await send(message)
      unanswered.sent(message)
    },
  }
  Object.assign(transport, counted)
  return {
    toolsChanged: () => {
      // A server that only answered a probe is closed and cannot notify.
      for (const server of servers) {
        server.sendToolListChanged().catch(() => servers.delete(server))
      }
    },
    answered: () => unanswered.none(),
    close: () => handle.close(),
  }
}
