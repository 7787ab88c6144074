import type { Server } from "node:http"
import type { Socket } from "node:net"
import type { AddressGate } from "./AddressGate.ts"
import { networkKey } from "./ClientAddress.ts"

/**
 * How many connections the system makes while the process does something else; systems take their
 * own maximum where it is lower. The 512 that Node asks for overflow when a thousand callers come
 * at once: the system drops what is beyond, and those callers try again after 1, 3, 7, up to 31 s.
 */
export const LISTEN_BACKLOG = 4_096

/** Limits of the open connections of a server. */
export interface ConnectionLimits {
  readonly most: number
  /** Of one address; trusted proxies, whose connections are those of many, have no such limit. */
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
 * Closes connections over the limits, and those that send nothing. A connection that has begun to
 * send a request is left to the server's own timeouts, which answer it.
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
