import { aManifest } from "../../support/manifests.ts"
import type { Service } from "./startService.ts"

/** The JSON of a response. */
export type Json = { readonly [field: string]: unknown }

/** Sends a request to a service with one of its keys. Fails where it is refused. */
export const send = async (
  { keys, url }: Service,
  who: keyof Service["keys"],
  method: string,
  path: string,
  body?: object,
): Promise<Json> => {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${keys[who]}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return JSON.parse(text) as Json
}

/** Registers and activates a service of the demo seller; returns its id. */
export const openShopAt = async (service: Service, fields: object): Promise<string> => {
  const manifest = aManifest({ default_channel: "wallet_a", ...fields })
  const { id } = await send(service, "seller", "POST", "/v1/services", manifest)
  await send(service, "seller", "PATCH", `/v1/services/${String(id)}/activate`)
  return String(id)
}
