import { isId, isUuid } from "../shared/Id.ts"

/** A link of this protocol in a QR code. */
export type QrLink =
  | {
      readonly type: "pay" | "service"
      /** The id of a payment or a service. */
      readonly id: string
      readonly channel: string | null
    }
  | { readonly type: "broken"; readonly message: string }

const LINK = /^svc:\/\/(pay\/s|pay|service)\/([^/?#]+)(?:\?([^#]*))?$/i

const CHANNEL = /(?:^|&)channel=([^&]*)/

/** Returns the link in a service's static code for one of its channels. */
export const serviceLink = (id: string, channel: string): string =>
  `svc://pay/s/${id}?channel=${channel}`

/** Returns the URL of that code's page, which any phone can open. */
export const servicePage = (base_url: string, id: string): string => `${base_url}/pay/s/${id}`

/**
 * Parses `svc://pay/{id}?channel={channel}` and `svc://pay/s/{id}?channel={channel}`. Other
 * parameters, such as the amount of a deep link, are ignored. `svc://service/{id}` is the older
 * form of a service's code.
 */
export const parseLink = (text: string): QrLink => {
  const [, kind, id = "", query = ""] = LINK.exec(text) ?? []
  if (kind === undefined) {
    return { type: "broken", message: "The link is neither svc://pay/{id} nor svc://pay/s/{id}." }
  }
  const type = kind.toLowerCase() === "pay" ? "pay" : "service"
  const named = CHANNEL.exec(query)?.[1]
  const channel = named === undefined || named === "" ? null : named
  if (channel !== null && !/^[\w.-]{1,64}$/.test(channel)) {
    return { type: "broken", message: "The link's channel is not a valid channel name." }
  }
  if (type === "pay" ? isId("pi", id) : isUuid(id)) return { type, id, channel }
  const what = type === "pay" ? "payment" : "service"
  return { type: "broken", message: `The link does not contain the id of a ${what}.` }
}

/** Tells whether a text begins like a link of this protocol. */
export const isLink = (text: string): boolean => /^svc:\/\//i.test(text)
