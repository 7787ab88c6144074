import type { Chance } from "../Chance.ts"
import type { Answer } from "../Target.ts"
import type { CallbackReceiver } from "./CallbackReceiver.ts"

/** Which gateway is graded, and what was agreed with it. */
export interface GatewayOptions {
  /** What the protocol's paths stand behind. */
  readonly url: URL
  readonly channel: string
  readonly keyId: string
  readonly secret: string
  readonly currency: string
  /** Lets the payer pay when it is posted to, `{out_trade_no}` in it filled in. */
  readonly pay: string | undefined
  /** Where callbacks arrive on loopback, and what signs them; undefined where nobody listens. */
  readonly callbacks: { readonly port: number; readonly secret: string } | undefined
  readonly seed: string
}

/** How a request differs from one that is signed now with the agreed secret. */
export interface Unusual {
  readonly secret?: string
  readonly keyId?: string
  /** How many milliseconds after now it says that it was signed. */
  readonly later?: number
  /** What is sent in place of what was signed. */
  readonly body?: string
  readonly query?: { readonly [name: string]: string }
  readonly unsigned?: boolean
}

/** Any JSON object. */
export type Fields = { readonly [field: string]: unknown }

/** An answer with what its body says, and whether it is signed for this request. */
export interface Heard {
  readonly answer: Answer
  /** Empty where the body is no JSON object. */
  readonly fields: Fields
  /** Why nobody can believe it; undefined where it is properly signed. */
  readonly flaw: string | undefined
}

/** A charge of the checks. */
export interface Charge {
  readonly out_trade_no: string
  readonly charge_id: string
  readonly value: number
}

/** A gateway that is being graded. */
export interface Gateway {
  readonly options: GatewayOptions
  readonly chance: Chance
  readonly send: (
    method: "GET" | "POST",
    path: string,
    fields?: Fields,
    unusual?: Unusual,
  ) => Promise<Heard>
  /** A charge that nobody has heard of. */
  readonly draft: (value?: number) => Charge
  /** Registers a charge. */
  readonly register: (charge: Charge, unusual?: Unusual) => Promise<Heard>
  /** Asks for a movement of money, under a number of its own unless one is given. */
  readonly request: (charge: Charge, action: string, value: number, no?: string) => Promise<Heard>
  readonly look: (charge: Charge) => Promise<Heard>
  /** The payer pays; undefined where nobody can be made to. */
  readonly pay: ((charge: Charge) => Promise<void>) | undefined
  readonly number: () => string
  /** The numbers of the charges that were registered. */
  readonly known: () => ReadonlySet<string>
  readonly callbacks: { readonly receiver: CallbackReceiver; readonly secret: string } | undefined
  readonly close: () => Promise<void>
}
