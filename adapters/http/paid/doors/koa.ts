import type { Check } from "../Verdict.ts"
import { isServed, serving } from "./serving.ts"

/** The part of Koa's context that the middleware uses. */
export interface KoaContext {
  readonly method: string
  readonly href: string
  readonly ip: string
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  readonly state: { [name: string]: unknown }
  /** The raw body, if an earlier parser has kept it. */
  readonly request?: { readonly rawBody?: string }
  readonly set: (headers: { [name: string]: string }) => void
  status: number
  body: unknown
}

/** Returns Koa middleware. The payment is in `ctx.state.payment`. */
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
      // Set after the body, because Koa would set the type of plain JSON.
      context.set(verdict.headers)
    }
  }
