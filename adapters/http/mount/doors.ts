import type { IncomingMessage, ServerResponse } from "node:http"
import type { Failure } from "../../../core/shared/Failure.ts"
import type { Incoming, Outgoing } from "../../shared/Exchange.ts"
import { type Parsed, takenBody } from "./takenBody.ts"
import { WebIncoming } from "./WebIncoming.ts"
import { WebOutgoing } from "./WebOutgoing.ts"

/** The interface at its place in an app, as the mounts use it. */
export interface Mountable<Found> {
  /** Returns the match of a request's target; undefined outside the interface. */
  readonly find: (req: Incoming, url: string | undefined) => Found | undefined
  /** Returns the match for a request outside the interface that nobody else answers. */
  readonly nothing: (url: string | undefined) => Found
  readonly answer: (req: Incoming, res: Outgoing, found: Found, parsed: Parsed) => Promise<void>
  readonly refuse: (req: Incoming, res: Outgoing, failure: Failure) => void
}

/** The part of Koa's context that the interface reads, the same in Koa 2 and 3. */
export interface KoaContext {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly originalUrl: string
  readonly request: Parsed & { readonly url: string }
  respond?: boolean | undefined
}

/** A request of Node's server, with the additions of frameworks such as Express. */
export type NodeRequest = IncomingMessage & Parsed & { readonly originalUrl?: string }

/** What the host of a fetch handler knows about a request. */
export interface FetchSaid {
  /** The caller's address. Without it nothing is limited by address. */
  readonly address?: unknown
}

/** Returns Koa middleware. Requests outside the interface continue, including their errors. */
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

/** Returns a handler for Node's server and frameworks, with `next` for other paths. */
export const nodeDoor =
  <Found>({ answer, find, nothing }: Mountable<Found>) =>
  (req: NodeRequest, res: ServerResponse, next?: () => void): void => {
    const url = req.originalUrl ?? req.url
    const found = find(req, url)
    if (found === undefined && next !== undefined) return next()
    void answer(req, res, found ?? nothing(url), req)
  }

/** Returns a handler of the fetch API. It rejects if the caller goes before the answer begins. */
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
