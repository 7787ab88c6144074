import type { Outgoing } from "../../../shared/Exchange.ts"
import { SECURITY_HEADERS } from "../../shared/securityHeaders.ts"
import type { Watcher } from "./LiveWorlds.ts"

/** The most bytes that wait for a reader. Beyond that it is disconnected, and starts anew. */
const MOST_WAITING = 1024 * 1024

/** Proxies cut silent streams. */
const HEARTBEAT_EVERY = 15_000

const HEADERS = [
  "Content-Type",
  "text/event-stream; charset=utf-8",
  "Cache-Control",
  "no-store",
  "X-Accel-Buffering",
  "no",
  ...SECURITY_HEADERS,
]

/** Opens a stream of a world's messages. */
export const openWorldStream = (res: Outgoing, headers: ReadonlyArray<string>): Watcher => {
  res.writeHead(200, [...HEADERS, ...headers])
  res.flushHeaders()
  const write = (text: string) => {
    if (res.destroyed) return
    if (res.writableLength > MOST_WAITING) res.destroy()
    else res.write(text)
  }
  const beat = setInterval(() => write(":\n\n"), HEARTBEAT_EVERY).unref()
  res.once("close", () => clearInterval(beat))
  return {
    hear: (json) => write(`event: frame\ndata: ${json}\n\n`),
    ended: (why) => {
      write(`event: ended\ndata: ${why}\n\n`)
      res.end()
    },
  }
}
