import type { Schema } from "effect"
import type { ChannelFaults, SimulatedAction } from "../../../core/ports/Sandbox.ts"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import type { Control } from "../../simulate/blackbox/Control.ts"
import type { Chance } from "../Chance.ts"
import type { Hooks } from "./Hooks.ts"
import type { Payment, Refund } from "./Wire.ts"

/** Which service is graded, and with what. */
export interface ServiceOptions {
  /** Without a slash at its end. */
  readonly url: string
  readonly keys: GivenKeys
  /** The control interface; our own sandbox's routes without it. */
  readonly control: { readonly url: string; readonly key: string | undefined } | undefined
  readonly channel: string
  readonly currency: string
  readonly receiverPort: number
  /** Where the service reaches the receivers; loopback without it. */
  readonly receiverUrl: string | undefined
  /** How many payments of a simulated world are played; 0 plays none. */
  readonly payments: number
  readonly seed: string
}

/** Accounts, or the operator's key, by which they are opened. */
export type GivenKeys =
  | { readonly type: "operator"; readonly admin: string }
  | {
      readonly type: "accounts"
      readonly seller: string
      readonly buyer: string
      readonly other: string | undefined
    }

/** Somebody who has an account. */
export interface Actor {
  readonly name: string
  readonly key: string
}

/** A request to the service. */
export interface Asked {
  readonly who?: Actor | undefined
  readonly method?: "GET" | "POST" | "PUT" | "PATCH"
  /** With its query. */
  readonly path: string
  /** Text is sent as it is. */
  readonly body?: object | string
  readonly headers?: { readonly [name: string]: string }
}

/** An answer, or none. */
export interface Reply {
  readonly status: number | null
  readonly headers: { readonly [name: string]: string }
  readonly text: string
  /** Undefined where the body is no JSON. */
  readonly json: unknown
  /** What a person reads of it. */
  readonly said: string
  /** The code of a refusal, in either shape. */
  readonly code: string | undefined
}

/** A refusal that was seen, and what was asked. */
interface SeenRefusal {
  readonly where: string
  readonly reply: Reply
}

/** What a payment of the checks may have otherwise. */
export interface Wish {
  readonly value?: number
  readonly key?: string
  readonly fields?: object
}

/** A service that is being graded. */
export interface Service {
  readonly options: ServiceOptions
  readonly chance: Chance
  readonly seller: Actor
  readonly buyer: Actor
  /** Somebody who has no part in any payment; undefined where nobody was given. */
  readonly other: Actor | undefined
  readonly control: Control
  readonly hooks: Hooks
  /** The refusals that were seen. */
  readonly refusals: ReadonlyArray<SeenRefusal>
  readonly ask: (asked: Asked) => Promise<Reply>
  /** Asks, and ends the check as failed where the answer has another status or shape. */
  readonly must: <A>(status: number, shape: Schema.Decoder<A>, asked: Asked) => Promise<A>
  /** The service's time, or a little earlier. */
  readonly now: () => Timestamp
  /** Moves the clock by whole seconds. */
  readonly advance: (seconds: number) => Promise<void>
  /** Moves the clock to that time, and at most a second behind it. */
  readonly moveTo: (at: Timestamp) => Promise<void>
  /** The body of a manifest under a name of its own. */
  readonly manifest: (fields?: object) => { readonly name: string } & object
  /** A service on offer at which the payments of the checks are made; its id. */
  readonly offered: () => Promise<string>
  /** The body of a payment. */
  readonly wish: (value?: number, fields?: object) => Promise<object>
  readonly create: (wish?: Wish) => Promise<Payment>
  readonly get: (id: string) => Promise<Payment>
  readonly simulate: (id: string, action: SimulatedAction) => Promise<void>
  /** A payment that was created, and then led to that state. */
  readonly authorized: (value?: number) => Promise<Payment>
  readonly succeeded: (value?: number) => Promise<Payment>
  readonly act: (who: Actor, id: string, verb: string, key?: string) => Promise<Reply>
  readonly refund: (id: string, fields: object, key?: string) => Promise<Reply>
  /** A refund once it has ended, or as it stays. */
  readonly refundAtRest: (id: string) => Promise<Refund>
  /** Reads until it holds, while the clock goes on; the last that was read. */
  readonly until: <A>(look: () => Promise<A>, holds: (seen: A) => boolean) => Promise<A>
  /** Plays a part while a channel misbehaves, and heals it whatever comes. */
  readonly during: <A>(faults: Partial<ChannelFaults>, part: () => Promise<A>) => Promise<A>
  /** Aborts when the run ends. */
  readonly signal: AbortSignal
  readonly close: () => Promise<void>
}
