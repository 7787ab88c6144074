import { keepNewest } from "./keepNewest.ts"

/** What a request costs somewhere, and the deposits from which it is drawn. */
export interface Price {
  /** The key of the deposits. */
  readonly key: string
  readonly price: number
  /** Whether a paid request's answer had no receipt: a proxy or a browser may hide it. */
  readonly isSilent?: boolean
}

/** The most places that are remembered. */
const MOST = 1_000

/** Whether a request may be sent twice. */
export const isSafe = ({ method }: Request): boolean => method === "GET" || method === "HEAD"

const endpointOf = ({ method, url }: Request): string => {
  const { origin, pathname } = new URL(url)
  return `${method} ${origin}${pathname}`
}

/** Returns the folders of an address, the innermost first, such as `/a/b/`, `/a/` and `/`. */
const foldersOf = ({ url }: Request): ReadonlyArray<string> => {
  const { origin, pathname } = new URL(url)
  const parts = pathname.split("/").slice(1, -1)
  return Array.from({ length: parts.length + 1 }, (_, up) =>
    [origin, ...parts.slice(0, parts.length - up), ""].join("/"),
  )
}

/**
 * Remembers which endpoints were paid from which deposits. An endpoint that is not known is assumed
 * to be like the one in the same folder, or in the next outer one, that was paid last, as with the
 * "Basic" scheme (RFC 7617, section 2.2), whatever its method: where the assumption is wrong,
 * nothing is drawn. But the top folder stands for none below it: several sellers may share an
 * origin, each in a folder of its own, and whoever is shown a deposit's token can draw from it.
 */
export const makePlaces = () => {
  const endpoints = new Map<string, Price | null>()
  const folders = new Map<string, Price>()

  return {
    /** Whether a request to this endpoint was paid, as the last one that is known. */
    knows: (request: Request): boolean => Boolean(endpoints.get(endpointOf(request))),
    /** Whether a request to this endpoint was paid, and its answer had no receipt. */
    isSilent: (request: Request): boolean => endpoints.get(endpointOf(request))?.isSilent === true,
    /** Returns the price that a request has probably; undefined for none. */
    priceOf: (request: Request): Price | undefined => {
      const last = endpoints.get(endpointOf(request))
      if (last !== undefined) return last ?? undefined
      const all = foldersOf(request)
      const own = all.length === 1 ? all : all.slice(0, -1)
      const folder = own.find((one) => folders.has(one))
      return folder === undefined ? undefined : folders.get(folder)
    },
    /** Records that a request was paid. */
    paid: (request: Request, price: Price): void => {
      keepNewest(endpoints, endpointOf(request), price, MOST)
      const [folder] = foldersOf(request)
      if (folder !== undefined) keepNewest(folders, folder, price, MOST)
    },
    /** Records that a request passed without a payment. */
    free: (request: Request): void => keepNewest(endpoints, endpointOf(request), null, MOST),
  }
}
