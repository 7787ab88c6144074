import { connect } from "node:net"

/** An answer as it came over the wire. */
export interface RawReply {
  readonly status: number
  readonly head: string
  readonly body: string
  /** Whether the server closed the connection. */
  readonly closed: boolean
}

const split = (text: string, closed: boolean): RawReply => {
  const end = text.indexOf("\r\n\r\n")
  const head = end < 0 ? text : text.slice(0, end)
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0)
  return { status, head, body: end < 0 ? "" : text.slice(end + 4), closed }
}

const isWhole = (text: string): boolean => {
  const end = text.indexOf("\r\n\r\n")
  const length = /^content-length: (\d+)$/im.exec(text)?.[1]
  return end >= 0 && length !== undefined && text.length >= end + 4 + Number(length)
}

/**
 * Sends bytes unchanged and reads one answer. With `untilClosed` it reads until the server closes
 * the connection, with `until` until that text arrives, and at most `within` milliseconds.
 */
export const sendRaw = (
  port: number,
  parts: ReadonlyArray<string | Uint8Array>,
  options: {
    readonly untilClosed?: boolean
    readonly until?: string
    readonly within?: number
  } = {},
): Promise<RawReply> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    let text = ""
    const done = (closed: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(split(text, closed))
    }
    const timer = setTimeout(() => done(false), options.within ?? 30_000)
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1")
      if (options.untilClosed === true) return
      if (options.until === undefined ? isWhole(text) : text.includes(options.until)) done(false)
    })
    socket.on("close", () => done(true))
    socket.on("error", () => undefined)
    for (const part of parts) socket.write(part)
  })

/** Returns a request with that head and body, with the body's length unless the head has one. */
export const request = (
  line: string,
  headers: { readonly [name: string]: string },
  body: string | Uint8Array = "",
): ReadonlyArray<string | Uint8Array> => {
  const bytes = typeof body === "string" ? Buffer.from(body) : body
  const names = Object.keys(headers).map((name) => name.toLowerCase())
  const measured = names.includes("content-length") || names.includes("transfer-encoding")
  const all = { Host: "payport.test", ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = measured || bytes.length === 0 ? "" : `Content-Length: ${bytes.length}\r\n`
  return [`${line} HTTP/1.1\r\n${lines.join("")}${length}\r\n`, bytes]
}
