import { Data, Effect } from "effect"
import { createServer } from "node:net"

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

/**
 * Checks that the server can listen on the address, before anything else starts, and picks a free
 * port for port 0.
 */
export const reservePort = (
  host: string,
  port: number,
  of: Listener = "",
): Effect.Effect<number, StartFailure> =>
  Effect.callback((resume) => {
    const server = createServer()
    server.once("error", (error: NodeJS.ErrnoException) => {
      resume(Effect.fail(refusal(host, port, of, error.code ?? error.message)))
    })
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address()
      const picked = typeof address === "object" && address !== null ? address.port : port
      server.close(() => resume(Effect.succeed(picked)))
    })
  })
