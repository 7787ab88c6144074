import type { Server } from "node:http"
import type { Socket } from "node:net"
import type { AddressGate } from "./AddressGate.ts"
import { networkKey } from "./networkKey.ts"

/**
 * The most connections that the system accepts while the process is busy, unless the system's own
 * maximum is lower. Node's default of 512 overflows with a thousand simultaneous callers: the
 * system drops the rest, and those callers try again after 1, 3, 7, up to 31 s.
 */
export const LISTEN_BACKLOG = 4_096

/** Limits of the open connections of a server. */
export interface ConnectionLimits {
  readonly most: number
  /** Per address. Trusted proxies, which connect for many clients, have no such limit. */
  readonly mostOfAddress: number
  /** How long a connection may stay silent before its first byte, in milliseconds. */
  readonly silentFor: number
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  most: 10_000,
  mostOfAddress: 1_000,
  silentFor: 5_000,
}

/**
 * Closes connections over the limits, and those that send nothing. Once a connection has begun to
 * send a request, the server's own timeouts apply, which answer it.
 */
export const limitConnections = (
  server: Server,
  { most, mostOfAddress, silentFor }: ConnectionLimits,
  gate: AddressGate | undefined,
): void => {
  const open = new Map<string, number>()
  const count = (address: string, change: 1 | -1) => {
    const left = (open.get(address) ?? 0) + change
    if (left === 0) open.delete(address)
    else open.set(address, left)
    return left
  }
  server.maxConnections = most
  server.on("connection", (socket: Socket) => {
    const silence = setTimeout(() => socket.bytesRead === 0 && socket.destroy(), silentFor).unref()
    const address = networkKey(socket.remoteAddress ?? "")
    const isOver = count(address, 1) > mostOfAddress && gate?.isProxy(socket.remoteAddress) !== true
    socket.once("close", () => {
      clearTimeout(silence)
      count(address, -1)
    })
    if (isOver) socket.destroy()
  })
}
