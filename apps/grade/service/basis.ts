import type { Actor, Asked, Service, ServiceOptions } from "./Service.ts"

/** Makes a POST of an account, with a key if one is given. */
export const post = (who: Actor, path: string, body: object | string, key?: string): Asked => {
  const headers = key === undefined ? {} : { headers: { "Idempotency-Key": key } }
  return { who, method: "POST", path, body, ...headers }
}

/** The functions that the checks' actions are made from. */
export type Basis = Pick<
  Service,
  "ask" | "must" | "advance" | "until" | "seller" | "buyer" | "control" | "chance" | "hooks"
> & { readonly options: ServiceOptions; readonly run: string }
