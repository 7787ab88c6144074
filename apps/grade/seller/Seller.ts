import { type Chance, makeChance } from "../Chance.ts"
import { makePatiently } from "../patience.ts"
import { type Answer, openTarget, reach } from "../Target.ts"
import { openPurse, type Purse } from "./Purse.ts"
import { type Asked, readAsked } from "./Terms.ts"

/** The seller to grade, and how to pay it. */
export interface SellerOptions {
  readonly url: URL
  /** Another priced resource of the same seller. */
  readonly other: URL | undefined
  /** The sandbox of the payments, with a buyer's key. */
  readonly payport: { readonly url: URL; readonly key: string } | undefined
  /** The seller's key at the sandbox, which can switch its channel off. */
  readonly sellerKey: string | undefined
  readonly seed: string
}

/** Requests the resource, or another one, with these headers. */
type Get = (
  headers?: { readonly [name: string]: string },
  from?: URL,
  patience?: number,
) => Promise<Answer>

/** A seller to be graded. */
export interface Seller {
  readonly options: SellerOptions
  readonly chance: Chance
  /** Requests the resource, or another one, with these headers; again if it is put off (429). */
  readonly get: Get
  /** The same, once only. */
  readonly getOnce: Get
  /** Returns the price of the resource; undefined if the response is not a 402. */
  readonly ask: (from?: URL) => Promise<Asked | undefined>
  readonly purse: Purse | undefined
  /** Findings of checks that later checks need. */
  readonly known: {
    unpaid?: string
    bought?: { readonly answer: Answer; readonly id: string; readonly proof: object }
  }
  readonly close: () => Promise<void>
}

/** Sellers limit how many payments a stranger opens in a minute. */
const WAITS = { each: 61_000, all: 180_000 }

/** Opens a seller. Rejects with `CannotGrade` if nobody listens there, or at the sandbox. */
export const openSeller = async (options: SellerOptions, signal: AbortSignal): Promise<Seller> => {
  const { other, payport, seed, url } = options
  const places = [url, other, payport?.url].filter((place) => place !== undefined)
  for (const place of places) await reach(place, signal)
  const target = openTarget(places, signal)
  const getOnce: Get = (headers = {}, from = url, patience) =>
    target.send({ method: "GET", url: from, headers }, patience)
  const patiently = makePatiently(WAITS, signal)
  const get: Get = (...args) => patiently(() => getOnce(...args))
  return {
    options,
    chance: makeChance(seed),
    get,
    getOnce,
    ask: async (from) => {
      const answer = await get({}, from)
      return answer.status === 402
        ? readAsked(answer.headers["payment-required"], answer.text)
        : undefined
    },
    purse: payport === undefined ? undefined : openPurse(payport, options.sellerKey, target),
    known: {},
    close: target.close,
  }
}
