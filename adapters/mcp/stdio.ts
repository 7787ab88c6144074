import { serveStdio } from "@modelcontextprotocol/server/stdio"
import type { Server } from "@modelcontextprotocol/server"
import type { Door } from "./doors.ts"
import { makeServer } from "./protocol.ts"
import type { Tools } from "./Tools.ts"

/** The MCP server on this process's stdin and stdout. */
export interface StdioServer {
  /** Notifies the agent that the list of tools has changed. */
  readonly toolsChanged: () => void
  readonly close: () => Promise<void>
}

/** Serves tools on stdio, in the revision that the agent opens with. */
export const openStdioServer = (
  door: Door,
  tools: Tools,
  report: (error: Error) => void,
): StdioServer => {
  const servers = new Set<Server>()
  const handle = serveStdio(
    () => {
      const server = makeServer(door, tools)
      servers.add(server)
      return server
    },
    { onerror: report },
  )
  return {
    toolsChanged: () => {
      // A server that only answered a probe is closed and cannot notify.
      for (const server of servers) {
        server.sendToolListChanged().catch(() => servers.delete(server))
      }
    },
    close: () => handle.close(),
  }
}
