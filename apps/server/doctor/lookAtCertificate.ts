import { Effect } from "effect"
import { connect as connectPlain, isIP, type Socket } from "node:net"
import { connect, type TLSSocket } from "node:tls"
import type { ServerPlace } from "../../../adapters/postgres/ConnectionSettings.ts"
import type { Certificate } from "./Finding.ts"

const PATIENCE = 5_000

/** PostgreSQL's request for TLS on an open connection: its length and its code. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

const codeOf = (error: Error): string =>
  "code" in error && typeof error.code === "string" ? error.code : error.message

/** Reads the certificate that a connection shows. The machine's own authorities verify it. */
const shownBy = (server: string, opened: () => TLSSocket | Promise<TLSSocket>, isTrusted = true) =>
  Effect.promise<Certificate>(async () => {
    const socket = await Promise.resolve(opened()).catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    )
    if (typeof socket === "string") return { server, problem: socket }
    const shown = await new Promise<Certificate>((resolve) => {
      socket.setTimeout(PATIENCE, () => resolve({ server, problem: "it does not answer" }))
      socket.once("error", (error: Error) => resolve({ server, problem: codeOf(error) }))
      socket.once("secureConnect", () => {
        const { valid_to: until } = socket.getPeerCertificate()
        // The reason is a string, whatever its type says. An expired certificate is reported
        // separately.
        const problem = String(socket.authorizationError)
        const isGood = !isTrusted || socket.authorized || problem === "CERT_HAS_EXPIRED"
        resolve(isGood ? { server, until: Date.parse(until) } : { server, problem })
      })
    })
    socket.destroy()
    return shown
  })

/** Reads the certificate of an HTTPS server. */
export const certificateOf = (url: URL) => {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1")
  const port = Number(url.port || 443)
  const name = isIP(host) === 0 ? { servername: host } : {}
  return shownBy(url.host, () => connect({ host, port, ...name, rejectUnauthorized: false }))
}

const askForTls = (plain: Socket) =>
  new Promise<void>((resolve, reject) => {
    plain.setTimeout(PATIENCE, () => reject(new Error("it does not answer")))
    plain.once("error", (error) => reject(new Error(codeOf(error))))
    plain.once("data", (answer) =>
      answer.toString() === "S" ? resolve() : reject(new Error("it does not support TLS")),
    )
    plain.write(SSL_REQUEST)
  })

/** Reads the certificate of a PostgreSQL server. The TLS setting decides about its issuer. */
export const certificateOfDatabase = ({ host, port }: ServerPlace) =>
  shownBy(
    `${host}:${port}`,
    async () => {
      const plain = connectPlain({ host, port })
      await askForTls(plain)
      return connect({ socket: plain, rejectUnauthorized: false })
    },
    false,
  )
