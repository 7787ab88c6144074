import { isFields } from "../../client/Fields.ts"
import type { Check } from "../Verdict.ts"
import { finishAtEnd, type NodeResponse } from "./node.ts"
import { serving } from "./serving.ts"

/** The part of Koa's context that the middleware uses. */
export interface KoaContext {
  readonly method: string
  readonly href: string
  readonly ip: string
  /** The addresses of `X-Forwarded-For`, if the application trusts its proxies. */
  readonly ips?: ReadonlyArray<string>
  readonly app?: { readonly maxIpsCount?: number }
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  readonly state: { [name: string]: unknown }
  /** The raw body, if an earlier parser has kept it. */
  readonly request?: { readonly rawBody?: string }
  /** Node's response, which Koa ends. */
  readonly res: NodeResponse
  readonly set: (headers: { [name: string]: string }) => void
  status: number
  body: unknown
}

/**
 * Returns the client's address. Without a number of proxies (`maxIpsCount`), Koa's own is the first
 * of `X-Forwarded-For`, which the client may have written. The last is what the nearest proxy saw.
 */
const clientOf = ({ app, ip, ips }: KoaContext): string =>
  (app?.maxIpsCount ?? 0) > 0 ? ip : (ips?.at(-1) ?? ip)

/** The headers that errors had before ours: an application may throw the same error twice. */
const thrown = new WeakMap<object, object>()

/** Gives the headers to an error. Koa answers it with its own alone, and removes all others. */
const addHeaders = (error: unknown, headers: object): void => {
  if (!(error instanceof Error)) return
  const own =
    thrown.get(error) ?? ("headers" in error && isFields(error.headers) ? error.headers : {})
  thrown.set(error, own)
  // An error whose headers cannot be changed is left as it is.
  Reflect.set(error, "headers", { ...headers, ...own })
}

/** Returns Koa middleware. The payment is in `ctx.state.payment`. */
export const onKoa =
  (check: Check) =>
  async (context: KoaContext, next: () => Promise<unknown>): Promise<void> => {
    const { headers, href, method, request } = context
    const body = request?.rawBody
    const said = { method, url: href, headers, client: clientOf(context) }
    const verdict = await check({ ...said, ...(body !== undefined && { body }) })
    if (verdict.paid) {
      context.set(verdict.headers)
      const { hold, payment } = serving(verdict)
      context.state["payment"] = payment
      // Koa sends the body after all middleware, and a stream lasts longer still.
      if (hold !== undefined) finishAtEnd(context.res, hold)
      try {
        await next()
      } catch (error) {
        addHeaders(error, verdict.headers)
        await hold?.finish(false)
        throw error
      }
    } else {
      context.status = verdict.status
      context.body = verdict.body
      // Set after the body, because Koa would set the type of plain JSON.
      context.set(verdict.headers)
    }
  }
