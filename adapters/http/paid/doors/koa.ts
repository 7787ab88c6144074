import type { Check } from "../Verdict.ts"
import { isServed, serving } from "./serving.ts"

/** The part of Koa's context that the middleware uses. */
export interface KoaContext {
  readonly method: string
  readonly href: string
  readonly ip: string
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  readonly state: { [name: string]: unknown }
  /** With the body, where a parser before this one has kept it. */
  readonly request?: { readonly rawBody?: string }
  readonly set: (headers: { [name: string]: string }) => void
  status: number
  body: unknown
}

/** Middleware of Koa; the payment is in `ctx.state.payment`. */
export const onKoa =
  (check: Check) =>
  async (context: KoaContext, next: () => Promise<unknown>): Promise<void> => {
    const { headers, href, ip, method, request } = context
    const body = request?.rawBody
    const said = { method, url: href, headers, client: ip }
    const verdict = await check({ ...said, ...(body !== undefined && { body }) })
    if (verdict.paid) {
      context.set(verdict.headers)
      const { finish, payment } = serving(verdict)
      context.state["payment"] = payment
      try {
        await next()
      } catch (error) {
        await finish(false)
        throw error
      }
      context.set(await finish(isServed(context.status)))
    } else {
      context.status = verdict.status
      context.body = verdict.body
      // After the body, whose type Koa would take for plain JSON.
      context.set(verdict.headers)
    }
  }
