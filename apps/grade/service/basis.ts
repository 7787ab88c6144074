import type { Actor, Asked, Service, ServiceOptions } from "./Service.ts"

/** A POST of somebody, under a key where one is given. */
export const post = (who: Actor, path: string, body: object | string, key?: string): Asked => {
  const headers = key === undefined ? {} : { headers: { "Idempotency-Key": key } }
  return { who, method: "POST", path, body, ...headers }
}

/** What the actions of the checks are made of. */
export type Basis = Pick<
  Service,
  "ask" | "must" | "advance" | "until" | "seller" | "buyer" | "control" | "chance" | "hooks"
> & { readonly options: ServiceOptions; readonly run: string }
