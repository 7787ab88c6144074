import type { Method } from "./Listing.ts"

/** The most characters of a listing's URL. */
export const LONGEST_ADDRESS = 2_048
const LONGEST_TEMPLATE = 512

const TEMPLATE = /^\/[\w:/.~%-]*$/
const PARAMETER = /^:[A-Za-z_]\w{0,63}$/

/** The URL of a resource as it is listed, and the URL to probe. */
export interface Address {
  readonly resource: string
  readonly probe_url: string
}

const unescaped = (text: string): string => {
  try {
    const once = decodeURIComponent(text)
    return once === text ? text : unescaped(once)
  } catch {
    return ".."
  }
}

const isTemplate = (template: string): boolean => {
  if (template.length > LONGEST_TEMPLATE || !TEMPLATE.test(template)) return false
  const plain = unescaped(template)
  return !plain.includes("..") && !plain.includes("://")
}

/** Tells whether a template matches a path. */
const stands = (template: string, path: string): boolean => {
  const [parts, own] = [template.split("/"), path.split("/")]
  return (
    parts.length === own.length &&
    parts.every((part, n) => part === own[n] || (PARAMETER.test(part) && own[n] !== ""))
  )
}

const URL_PARTS = /^(https?:\/\/[^/?#@\\\s]+)(\/[^?#\\\s]*)?(?:[?#]|$)/i

/**
 * Returns the address of a resource from the URL of a purchase. Drops the query, which may contain
 * data about the buyer, and a template (x402, `routeTemplate`) that does not match the path.
 * Undefined for an invalid URL.
 */
export const addressOf = (url: string, template: string | null): Address | undefined => {
  const [, site, path = "/"] = URL_PARTS.exec(url) ?? []
  if (site === undefined) return undefined
  const origin = site.toLowerCase()
  const probe_url = `${origin}${path}`
  if (probe_url.length > LONGEST_ADDRESS) return undefined
  const isOne = template !== null && isTemplate(template) && stands(template, path)
  return { resource: isOne ? `${origin}${template}` : probe_url, probe_url }
}

/** Returns the text that distinguishes the listings of a service. */
export const keyText = (method: Method, resource: string): string => `${method} ${resource}`
