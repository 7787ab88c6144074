import { Data, Effect, type Scope } from "effect"
import cluster from "node:cluster"
import type { Server } from "node:http"
import { holdServer } from "../../adapters/http/koa/HttpServer.ts"
import { LISTEN_BACKLOG } from "../../adapters/shared/addresses/Connections.ts"

/** The service cannot start; the message says in one line what to do. */
export class StartFailure extends Data.TaggedError("StartFailure")<{
  readonly message: string
}> {}

const EVERY = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
])

/** The URL by which this machine reaches a server that listens on the host and port. */
export const localUrl = (host: string, port: number): string => {
  const reached = EVERY.get(host) ?? host
  return `http://${reached.includes(":") ? `[${reached}]` : reached}:${port}`
}

/** The part of the variables' names that tells which listener they are of. */
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

/** A port that this process listens on with a server that is to answer. */
export interface HeldPort {
  readonly port: number
  /** Undefined where another process keeps this one and the port. */
  readonly place?: Server
}

/**
 * Listens on the address before anything else starts, on a free port for port 0, with the server
 * that is to answer: between a check and a second attempt to listen another program could take the
 * port. Who connects too early is turned away. A process that another one keeps listens only when
 * it is ready: who comes meanwhile is answered by the others.
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
