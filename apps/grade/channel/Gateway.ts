import type { Chance } from "../Chance.ts"
import type { Answer } from "../Target.ts"
import type { CallbackReceiver } from "./CallbackReceiver.ts"

/** The gateway to grade, and the agreed secrets. */
export interface GatewayOptions {
  /** The base URL of the protocol's paths. */
  readonly url: URL
  readonly channel: string
  readonly keyId: string
  readonly secret: string
  readonly currency: string
  /** A URL that pays as the payer when posted to; `{out_trade_no}` in it is replaced. */
  readonly pay: string | undefined
  /** The loopback port and the secret of callbacks; undefined if nobody listens. */
  readonly callbacks: { readonly port: number; readonly secret: string } | undefined
  /** Within how many milliseconds it repeats a failed callback twice; undefined if unknown. */
  readonly repeatsWithin: number | undefined
  /** Within how many milliseconds it shows what payers and wallets do; undefined if unknown. */
  readonly showsWithin: number | undefined
  readonly seed: string
}

/** The differences of a request from one that is correctly signed now. */
export interface Unusual {
  readonly secret?: string
  readonly keyId?: string
  /** The offset of the signature's time, in milliseconds. */
  readonly later?: number
  /** Whether another amount is sent than was signed, or another path if there is no body. */
  readonly altered?: boolean
  readonly query?: { readonly [name: string]: string }
  readonly unsigned?: boolean
}

/** Any JSON object. */
export type Fields = { readonly [field: string]: unknown }

/** A response with its parsed body, and whether its signature fits this request. */
export interface Heard {
  readonly answer: Answer
  /** Empty if the body is not a JSON object. */
  readonly fields: Fields
  /** Why its signature is invalid; undefined if it is valid. */
  readonly flaw: string | undefined
}

/** A charge of the checks. */
export interface Charge {
  readonly out_trade_no: string
  readonly charge_id: string
  readonly value: number
}

/** How many milliseconds a gateway has to show what a payer or a wallet has done. */
export const patienceOf = ({ showsWithin = 10_000 }: GatewayOptions): number => showsWithin

/** A gateway to be graded. */
export interface Gateway {
  readonly options: GatewayOptions
  readonly chance: Chance
  readonly send: (
    method: "GET" | "POST",
    path: string,
    fields?: Fields,
    unusual?: Unusual,
  ) => Promise<Heard>
  /** Makes a new charge that is not registered. */
  readonly draft: (value?: number) => Charge
  /** Registers a charge. */
  readonly register: (charge: Charge, unusual?: Unusual) => Promise<Heard>
  /** Requests a movement of money, with a new number unless one is given. */
  readonly request: (
    charge: Charge,
    action: string,
    value: number,
    no?: string,
    unusual?: Unusual,
  ) => Promise<Heard>
  readonly look: (charge: Charge, unusual?: Unusual) => Promise<Heard>
  /** Asks what has come of a request under its number. */
  readonly outcome: (charge: Charge, no: string, unusual?: Unusual) => Promise<Heard>
  /**
   * Pays as the payer, waits until the charge shows it, and returns whether it does; undefined if
   * there is no way to. After one that does not, none is waited for without `showsWithin`.
   */
  readonly pay: ((charge: Charge) => Promise<boolean>) | undefined
  readonly number: () => string
  /** Returns the numbers of the registered charges. */
  readonly known: () => ReadonlySet<string>
  readonly callbacks: { readonly receiver: CallbackReceiver; readonly secret: string } | undefined
  readonly close: () => Promise<void>
}
