import { randomUUID } from "node:crypto"
import type { Incoming } from "./Exchange.ts"

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/

/** The request's `X-Request-Id` where it is 1 to 128 visible ASCII characters, else a new id. */
export const requestId = ({ headers }: Incoming): string => {
  const sent = headers["x-request-id"]
  return typeof sent === "string" && REQUEST_ID.test(sent) ? sent : `req_${randomUUID()}`
}
