import { makeClient } from "../client/client.ts"
import type { ClientOptions } from "../client/RequestOptions.ts"
import type { X402SettleResponse, X402VerifyResponse } from "../client/Resources.ts"

type Network = `${string}:${string}`

/** The requirements of a seller's x402 server, in the form of its package. */
export interface X402Requirements {
  scheme: string
  network: Network
  amount: string
  asset: string
  payTo: string
  maxTimeoutSeconds: number
  extra: { [name: string]: unknown }
}

/** A price as x402's servers write it: dollars, or minor units of a currency. */
export type X402Price =
  | string
  | number
  | {
      readonly asset: string
      readonly amount: string
      readonly extra?: { [name: string]: unknown }
    }

/** A scheme for x402's servers, in the form of their package. */
export interface X402ServerScheme {
  readonly scheme: string
  readonly defaultAssetTransferMethod: string
  readonly paymentFlows: {
    readonly [method: string]: {
      readonly supported: ReadonlyArray<"authorization" | "upfront" | "escrow">
      readonly default: "authorization" | "escrow"
    }
  }
  readonly getAssetDecimals: (asset: string) => number | undefined
  readonly parsePrice: (price: X402Price) => Promise<{
    asset: string
    amount: string
    extra?: { [name: string]: unknown }
  }>
  readonly enhancePaymentRequirements: <R>(requirements: R) => Promise<R>
  /** For `auth-capture`: states that the money is held, and what then happens to it. */
  readonly enrichSettlementPayload?: (context: {
    readonly phase: "before-handler" | "after-handler" | "cancel"
    readonly requirements: { readonly extra: { readonly [name: string]: unknown } }
  }) => Promise<{ [name: string]: unknown } | void>
  /** For `auth-capture`: releases the held money if the route fails. */
  readonly settleOnCancel?: (context: { readonly requirements: X402Held }) => X402Requirements
  readonly enrichPaymentRequiredResponse: <
    R extends Pick<X402Requirements, "scheme" | "network" | "extra">,
  >(context: {
    readonly requirements: ReadonlyArray<R>
    readonly resourceInfo: { readonly url: string }
  }) => Promise<Array<R>>
}

/** Whether a payment is of the price, or at most of the price. */
export interface X402ServerOptions {
  /** `exact` by default. */
  readonly scheme?: "exact" | "upto" | "auth-capture"
}

/**
 * The currencies whose minor unit is no hundredth (ISO 4217). `Intl` has the decimals that people
 * write, which are others for the forint, the rupiah and a dozen more.
 */
const OTHER_DECIMALS: ReadonlyMap<string, number> = new Map(
  (
    [
      [0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"],
      [3, "BHD IQD JOD KWD LYD OMR TND"],
      [4, "CLF UYW"],
    ] as const
  ).flatMap(([decimals, codes]) => codes.split(" ").map((code) => [code, decimals] as const)),
)

/** Returns the decimals of a currency's minor unit; undefined for what is no currency's code. */
const decimalsOf = (currency: string): number | undefined =>
  /^[A-Z]{3}$/.test(currency) ? (OTHER_DECIMALS.get(currency) ?? 2) : undefined

/** Returns the minor units of a price in dollars, digit by digit, because a float would round. */
const minorUnits = (text: string): string => {
  const [, whole = "", part = ""] = /^\$?(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text) ?? []
  const minor = `${whole}${part.padEnd(2, "0")}`.replace(/^0+/, "")
  if (whole !== "" && minor !== "") return minor
  throw new TypeError(
    `The price ${text} is no amount of dollars and whole cents, such as "$0.25". ` +
      'Give other currencies in minor units: { asset: "EUR", amount: "25" }.',
  )
}

/** The requirements of a held payment, which x402's package freezes. */
export interface X402Held extends Readonly<Omit<X402Requirements, "extra">> {
  readonly extra: { readonly [name: string]: unknown }
}

const AT_ONCE = {
  paymentFlows: {
    default: { supported: ["authorization", "upfront"], default: "authorization" },
  },
} as const satisfies Partial<X402ServerScheme>

/**
 * What a payload asks for in each phase. The seller's server says it in all of them: x402's package
 * refuses a payload in which the buyer has said it.
 */
const TYPES = { "before-handler": "hold", "after-handler": "capture", cancel: "void" } as const

/** Held before the route runs; captured after it, or released if it fails. */
const HOLDING = {
  paymentFlows: {
    default: { supported: ["escrow", "authorization"], default: "escrow" },
  },
  enrichSettlementPayload: ({ phase, requirements }) =>
    Promise.resolve(
      requirements.extra["paymentFlow"] === "authorization" ? undefined : { type: TYPES[phase] },
    ),
  settleOnCancel: ({ requirements }) => ({ ...requirements, extra: { ...requirements.extra } }),
} as const satisfies Partial<X402ServerScheme>

/**
 * Returns payport's side of a scheme for any x402 server:
 * `server.register("payport:*", x402Server())`. Prices are US dollars (`"$0.25"`) or minor units of
 * any currency (`{ asset: "EUR", amount: "25" }`). `payTo` is the id of the seller's service. Each
 * payment is bound to its address.
 *
 * With `{ scheme: "upto" }` the price is the maximum. A route states the used amount by its
 * package's settlement overrides, such as `setSettlementOverrides(response, { amount: "10" })`. By
 * default the whole price is captured, and with `"0"` nothing. With `{ scheme: "auth-capture" }`
 * the money is held before the route runs, captured after it, and released if it fails.
 */
export const x402Server = ({ scheme = "exact" }: X402ServerOptions = {}): X402ServerScheme => ({
  scheme,
  defaultAssetTransferMethod: "default",
  ...(scheme === "auth-capture" ? HOLDING : AT_ONCE),
  getAssetDecimals: decimalsOf,
  parsePrice: (price) =>
    Promise.resolve().then(() =>
      typeof price === "object" ? price : { asset: "USD", amount: minorUnits(String(price)) },
    ),
  enhancePaymentRequirements: (requirements) => Promise.resolve(requirements),
  enrichPaymentRequiredResponse: ({ requirements, resourceInfo: { url } }) =>
    Promise.resolve(
      requirements.map((one) =>
        one.scheme === scheme && one.network.startsWith("payport:")
          ? { ...one, extra: { ...one.extra, resource: url } }
          : one,
      ),
    ),
})

/** A facilitator for x402's servers, in the form of their package. */
export interface X402Facilitator {
  readonly verify: (
    payload: { readonly x402Version: number },
    requirements: X402Requirements,
  ) => Promise<X402VerifyResponse>
  readonly settle: (
    payload: { readonly x402Version: number },
    requirements: X402Requirements,
  ) => Promise<X402SettleResponse & { network: Network }>
  readonly getSupported: () => Promise<{
    kinds: Array<{ x402Version: number; scheme: string; network: Network }>
    extensions: Array<string>
    signers: { [network: string]: Array<string> }
  }>
}

const said = <P extends { readonly x402Version: number }>(
  payload: P,
  required: X402Requirements,
) => ({
  x402Version: payload.x402Version,
  paymentPayload: { ...payload },
  paymentRequirements: { ...required },
})

/**
 * Returns payport's facilitator for any x402 server, with the seller's key:
 * `new x402ResourceServer(x402Facilitator(options))`. A settlement whose answer was lost is
 * requested again under its own key. So the money is captured once, and one payment opens one
 * response, however often its proof is shown. Rejects with `PayportError` or `ConnectionFailed`.
 */
export const x402Facilitator = (options: ClientOptions): X402Facilitator => {
  const { facilitator } = makeClient(options)
  return {
    verify: (payload, required) => facilitator.verify(said(payload, required)),
    settle: async (payload, required) => ({
      ...(await facilitator.settle(said(payload, required))),
      network: required.network,
    }),
    getSupported: async () => {
      const { extensions, kinds } = await facilitator.supported()
      return {
        kinds: kinds.map((kind) => ({ ...kind, network: kind.network as Network })),
        extensions: [...extensions],
        signers: {},
      }
    },
  }
}
