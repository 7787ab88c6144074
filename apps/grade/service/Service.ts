import type { Schema } from "effect"
import type { ChannelFaults, SimulatedAction } from "../../../core/ports/Sandbox.ts"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import type { Control } from "../../simulate/blackbox/Control.ts"
import type { Chance } from "../Chance.ts"
import type { Hooks } from "./Hooks.ts"
import type { Payment, Refund } from "./Wire.ts"

/** The service to grade, and its options. */
export interface ServiceOptions {
  /** Without a slash at its end. */
  readonly url: string
  readonly keys: GivenKeys
  /** The control interface; the sandbox's own routes by default. */
  readonly control: { readonly url: string; readonly key: string | undefined } | undefined
  readonly channel: string
  readonly currency: string
  readonly receiverPort: number
  /** The URL at which the service reaches the receivers; loopback by default. */
  readonly receiverUrl: string | undefined
  /** How many payments of a simulated world are played; 0 for none. */
  readonly payments: number
  readonly seed: string
}

/** Accounts, or the operator's key that opens them. */
export type GivenKeys =
  | { readonly type: "operator"; readonly admin: string }
  | {
      readonly type: "accounts"
      readonly seller: string
      readonly buyer: string
      readonly other: string | undefined
    }

/** An account that makes requests. */
export interface Actor {
  readonly name: string
  readonly key: string
}

/** A request to the service. */
export interface Asked {
  readonly who?: Actor | undefined
  readonly method?: "GET" | "POST" | "PUT" | "PATCH"
  /** With the query. */
  readonly path: string
  /** A string is sent as it is. */
  readonly body?: object | string
  readonly headers?: { readonly [name: string]: string }
}

/** A response, or none. */
export interface Reply {
  readonly status: number | null
  readonly headers: { readonly [name: string]: string }
  readonly text: string
  /** Undefined if the body is not JSON. */
  readonly json: unknown
  /** Its description for people. */
  readonly said: string
  /** The code of an error, in either form. */
  readonly code: string | undefined
}

/** An error that was seen, with its request. */
interface SeenRefusal {
  readonly where: string
  readonly reply: Reply
}

/** The optional properties of a check's payment. */
export interface Wish {
  readonly value?: number
  readonly key?: string
  readonly fields?: object
}

/** A service to be graded. */
export interface Service {
  readonly options: ServiceOptions
  readonly chance: Chance
  readonly seller: Actor
  readonly buyer: Actor
  /** An account that takes part in no payment; undefined if none was given. */
  readonly other: Actor | undefined
  readonly control: Control
  readonly hooks: Hooks
  /** The errors that were seen. */
  readonly refusals: ReadonlyArray<SeenRefusal>
  readonly ask: (asked: Asked) => Promise<Reply>
  /** Sends a request, and ends the check as failed if the response has another status or form. */
  readonly must: <A>(status: number, shape: Schema.Decoder<A>, asked: Asked) => Promise<A>
  /** Returns the service's time, or a slightly earlier time. */
  readonly now: () => Timestamp
  /** Moves the clock by whole seconds. */
  readonly advance: (seconds: number) => Promise<void>
  /** Moves the clock to that time, or to at most a second before it. */
  readonly moveTo: (at: Timestamp) => Promise<void>
  /** Returns the body of a manifest with a new name. */
  readonly manifest: (fields?: object) => { readonly name: string } & object
  /** Returns the id of the active service for the checks' payments. */
  readonly offered: () => Promise<string>
  /** The body of a payment. */
  readonly wish: (value?: number, fields?: object) => Promise<object>
  readonly create: (wish?: Wish) => Promise<Payment>
  readonly get: (id: string) => Promise<Payment>
  readonly simulate: (id: string, action: SimulatedAction) => Promise<void>
  /** Creates a payment, and brings it into that state. */
  readonly authorized: (value?: number) => Promise<Payment>
  readonly succeeded: (value?: number) => Promise<Payment>
  readonly act: (who: Actor, id: string, verb: string, key?: string) => Promise<Reply>
  readonly refund: (id: string, fields: object, key?: string) => Promise<Reply>
  /** Returns a refund once it has ended, or in the state in which it stays. */
  readonly refundAtRest: (id: string) => Promise<Refund>
  /** Reads until the condition holds, while the clock moves; returns the last result. */
  readonly until: <A>(look: () => Promise<A>, holds: (seen: A) => boolean) => Promise<A>
  /** Runs a part while a channel has faults, and removes the faults in any case. */
  readonly during: <A>(faults: Partial<ChannelFaults>, part: () => Promise<A>) => Promise<A>
  /** Aborts when the run ends. */
  readonly signal: AbortSignal
  readonly close: () => Promise<void>
}
