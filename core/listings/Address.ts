import type { Method } from "./Listing.ts"

/** How long an address of a listing can be. */
export const LONGEST_ADDRESS = 2_048
const LONGEST_TEMPLATE = 512

const TEMPLATE = /^\/[\w:/.~%-]*$/
const PARAMETER = /^:[A-Za-z_]\w{0,63}$/

/** Where a resource is: how it is listed, and where it can be asked. */
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

/** Whether a path is one of those that a template stands for. */
const stands = (template: string, path: string): boolean => {
  const [parts, own] = [template.split("/"), path.split("/")]
  return (
    parts.length === own.length &&
    parts.every((part, n) => part === own[n] || (PARAMETER.test(part) && own[n] !== ""))
  )
}

const URL_PARTS = /^(https?:\/\/[^/?#@\\\s]+)(\/[^?#\\\s]*)?(?:[?#]|$)/i

/**
 * The address of a resource whose URL somebody was sold, without its query, which may say something
 * of the buyer. A template (x402, `routeTemplate`) that the path is not one of is left out.
 * Undefined for what is no URL of a resource.
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

/** What tells one listed resource of a service from another. */
export const keyText = (method: Method, resource: string): string => `${method} ${resource}`
