import { serveStdio } from "@modelcontextprotocol/server/stdio"
import type { Server } from "@modelcontextprotocol/server"
import { makeServer } from "./protocol.ts"
import type { Tools } from "./Tools.ts"

/** An agent on the other end of this process's stdin and stdout. */
export interface StdioDoor {
  /** Tells it that the list of tools has changed. */
  readonly toolsChanged: () => void
  readonly close: () => Promise<void>
}

/** Serves tools on stdio, in whichever revision the agent opens with. */
export const openStdioDoor = (tools: Tools, report: (error: Error) => void): StdioDoor => {
  const servers = new Set<Server>()
  const handle = serveStdio(
    () => {
      const server = makeServer(tools)
      servers.add(server)
      return server
    },
    { onerror: report },
  )
  return {
    toolsChanged: () => {
      // One that only answered a probe is closed, and cannot be told.
      for (const server of servers) {
        server.sendToolListChanged().catch(() => servers.delete(server))
      }
    },
    close: () => handle.close(),
  }
}
