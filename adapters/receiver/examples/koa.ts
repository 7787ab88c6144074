import type { Middleware } from "koa"
import { memorySeen, readRawBody, receive, type ReceiveOptions, WebhookError } from "../webhooks.ts"

type Options = Omit<ReceiveOptions, "seen">

/** A receiver for Koa. It reads the body itself, so it goes before body parsers. */
export const webhooks = (options: Options, report: (error: unknown) => void): Middleware => {
  const seen = memorySeen()
  return async (context) => {
    try {
      const body = await readRawBody(context.req)
      const { status } = await receive({ headers: context.headers, body }, { ...options, seen })
      context.status = status
    } catch (error) {
      report(error)
      context.status = error instanceof WebhookError ? error.status : 500
      context.set("Connection", "close")
    }
  }
}
