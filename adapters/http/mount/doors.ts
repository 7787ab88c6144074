import type { IncomingMessage, ServerResponse } from "node:http"
import type { Failure } from "../../../core/shared/Failure.ts"
import type { Incoming, Outgoing } from "../../shared/Exchange.ts"
import { type Parsed, takenBody } from "./takenBody.ts"
import { WebIncoming } from "./WebIncoming.ts"
import { WebOutgoing } from "./WebOutgoing.ts"

/** What the doors lead to: the interface, at its place in an app. */
export interface Mountable<Found> {
  /** What is at the target of a request; undefined for what is not the interface's. */
  readonly find: (req: Incoming, url: string | undefined) => Found | undefined
  /** What answers a request that is not the interface's where nobody else does. */
  readonly nothing: (url: string | undefined) => Found
  readonly answer: (req: Incoming, res: Outgoing, found: Found, parsed: Parsed) => Promise<void>
  readonly refuse: (req: Incoming, res: Outgoing, failure: Failure) => void
}

/** What the interface reads of Koa's context; those of Koa 2 and 3 have it. */
export interface KoaContext {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly originalUrl: string
  readonly request: Parsed & { readonly url: string }
  respond?: boolean | undefined
}

/** A request of node's server; frameworks such as Express add what they know of it. */
export type NodeRequest = IncomingMessage & Parsed & { readonly originalUrl?: string }

/** What the host of a fetch handler knows of a request. */
export interface FetchSaid {
  /** The caller's address; without it nothing is limited by address. */
  readonly address?: unknown
}

/** Koa middleware: what is not the interface's goes on, errors and all. */
export const koaDoor =
  <Found>({ answer, find }: Mountable<Found>) =>
  async (ctx: KoaContext, next: () => Promise<unknown>): Promise<void> => {
    const { req, res } = ctx
    const found = find(req, ctx.originalUrl)
    if (found === undefined) {
      await next()
      return
    }
    ctx.respond = false
    const { body, rawBody } = ctx.request
    await answer(req, res, found, { body, rawBody })
  }

/** A handler for node's server and for frameworks that take one, with `next` for other paths. */
export const nodeDoor =
  <Found>({ answer, find, nothing }: Mountable<Found>) =>
  (req: NodeRequest, res: ServerResponse, next?: () => void): void => {
    const url = req.originalUrl ?? req.url
    const found = find(req, url)
    if (found === undefined && next !== undefined) return next()
    void answer(req, res, found ?? nothing(url), req)
  }

/** A handler of the fetch API. It rejects once the caller has gone before the answer began. */
export const fetchDoor =
  <Found>({ answer, find, nothing, refuse }: Mountable<Found>) =>
  async (request: Request, said?: FetchSaid): Promise<Response> => {
    const { method, signal, url } = request
    const address = typeof said?.address === "string" ? said.address : undefined
    const isTaken = request.bodyUsed
    const left = isTaken ? new Request(url, { method, headers: request.headers }) : request
    const req = await WebIncoming.of(left, address)
    const res = new WebOutgoing(method)
    const leave = () => res.abort(signal.reason)
    res.once("close", () => {
      signal.removeEventListener("abort", leave)
      req.destroy()
    })
    signal.addEventListener("abort", leave, { once: true })
    if (signal.aborted) leave()
    else if (isTaken) refuse(req, res, takenBody())
    else void answer(req, res, find(req, url) ?? nothing(url), {})
    return res.response
  }
