import { Effect, type Scope } from "effect"
import cluster from "node:cluster"
import type { Server } from "node:http"
import { holdServer } from "../../adapters/http/koa/HttpServer.ts"
import { LISTEN_BACKLOG } from "../../adapters/shared/addresses/Connections.ts"
import { StartFailure } from "./StartFailure.ts"

const EVERY = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
])

/** The URL by which this machine reaches a server that listens on the host and port. */
export const localUrl = (host: string, port: number): string => {
  const reached = EVERY.get(host) ?? host
  return `http://${reached.includes(":") ? `[${reached}]` : reached}:${port}`
}

/** The part of the variables' names that says which listener they belong to. */
type Listener = "" | "ADMIN_" | "PROBE_"

const refusal = (host: string, port: number, of: Listener, code: string): StartFailure => {
  const place = `${host}:${port}`
  switch (code) {
    case "EADDRINUSE":
      return new StartFailure({
        message: `PAYPORT_${of}PORT has to be a free port: another program listens on ${place}.`,
      })
    case "EACCES":
      return new StartFailure({
        message: `PAYPORT_${of}PORT has to be a port that you may listen on: ${place} is not.`,
      })
    default:
      return new StartFailure({
        message:
          `PAYPORT_${of}HOST has to be an address of this machine: cannot listen on ${place} ` +
          `(${code}).`,
      })
  }
}

/** A port that this process holds, with the server that will answer on it. */
export interface HeldPort {
  readonly port: number
  /** Undefined if this is a member process that shares the port with others. */
  readonly place?: Server
}

/**
 * Listens on the address before anything else starts (on a free port for port 0), with the server
 * that will answer: otherwise another program could take the port after a check. Early connections
 * are refused. A member process listens only when it is ready; until then, the others answer.
 */
export const holdPort = (
  host: string,
  port: number,
  of: Listener = "",
): Effect.Effect<HeldPort, StartFailure, Scope.Scope> =>
  cluster.isWorker ? Effect.succeed({ port }) : holdAlone(host, port, of)

const holdAlone = (host: string, port: number, of: Listener) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly port: number; readonly place: Server }, StartFailure>((resume) => {
      const place = holdServer()
      place.once("error", (error: NodeJS.ErrnoException) => {
        resume(Effect.fail(refusal(host, port, of, error.code ?? error.message)))
      })
      place.listen({ host, port, exclusive: true, backlog: LISTEN_BACKLOG }, () => {
        const address = place.address()
        const picked = typeof address === "object" && address !== null ? address.port : port
        resume(Effect.succeed({ port: picked, place }))
      })
    }),
    ({ place }) => Effect.sync(() => place.close()),
  )
