import { Data, type Layer } from "effect"
import type { BeforeCommit } from "../../adapters/shared/BeforeCommit.ts"
import type { Documents } from "../../core/ports/Documents.ts"
import type { RateLeases } from "../../core/ports/RateLeases.ts"
import type { Store } from "../../core/ports/Store.ts"
import type { Channel } from "../../core/channels/Channel.ts"
import type { GatewayOption } from "./gateway.ts"
import type { MasterKey } from "../../core/ports/MasterKey.ts"
import type { CarriersOption } from "./CarriersOption.ts"
import type { TermsOption } from "./TermsOption.ts"
import type { OwnChannelOption } from "./OwnChannelOption.ts"
import type { EventHook } from "./EventHook.ts"
import type { WallClock } from "../../core/ports/WallClock.ts"

/** An option of `makePayport` that is wrong or missing, or what it names is out of reach. */
export class PayportOptionsError extends Data.TaggedError("PayportOptionsError")<{
  /** Its name, with dots. */
  readonly option: string
  /** What is wrong, and what to do. */
  readonly message: string
}> {}

/** What a store consists of. */
export type StoreLayer = Layer.Layer<
  Store | Documents | RateLeases,
  { readonly message: string },
  WallClock
>

/** Where everything is kept: `memory()` of `payport/memory`, `postgres()` of `payport/postgres`. */
export class StoreOption<Transaction = unknown> {
  /** Whether what is kept goes with the process, so that its keys may as well. */
  readonly endsWithProcess: boolean
  readonly open: (hook: BeforeCommit<Transaction> | undefined) => StoreLayer

  constructor(open: StoreOption<Transaction>["open"], { endsWithProcess = false } = {}) {
    this.open = open
    this.endsWithProcess = endsWithProcess
  }
}

/** A channel of the host's: of `gateway()`, or of `defineChannel()`. */
export type HostChannel = GatewayOption | OwnChannelOption

/** What a sandbox consists of. */
export interface SandboxContents {
  /**
   * The channels that are simulated: names of the thirteen, or entries of the host's own catalog.
   * All thirteen, unless given.
   */
  readonly simulated?: ReadonlyArray<string | Channel>
  /** Channels of the host's beside them, which are called. */
  readonly channels?: ReadonlyArray<HostChannel>
}

/** Simulated channels: `sandbox()` of `payport/sandbox`. */
export class SandboxOption {
  readonly mode = "sandbox"
  readonly contents: SandboxContents

  constructor(contents: SandboxContents) {
    this.contents = contents
  }
}

/**
 * The channels that payments go through: simulated, or the host's own in live mode. Where a payment
 * has a choice, the first that can take it is preferred.
 */
export type ChannelsOption = SandboxOption | ReadonlyArray<HostChannel>

/** What happens inside, for the host's own log. */
export interface LogEntry {
  readonly level: string
  readonly message: string
  readonly at: Date
  readonly annotations: { readonly [name: string]: unknown }
}

/** In days. */
export interface RetentionDays {
  /** Events and what hooks wait for: 7 to 3,650, and 90 unless given. */
  readonly event?: number
  /** Reports of webhooks: 7 to 3,650, and 30 unless given. */
  readonly delivery?: number
  /** What channels were asked for: 45 to 3,650, and 400 unless given. */
  readonly channel_request?: number
  /** What channels said of payments: 7 to 3,650, and 90 unless given. */
  readonly callback?: number
  /** Answers under an Idempotency-Key: 1 to 30, and 1 unless given. */
  readonly reply?: number
  /** Payments that nobody made: 7 to 30, and 30 unless given. */
  readonly unpaid?: number
}

/** What `makePayport` is called with. */
export interface PayportOptions<
  Channels extends ChannelsOption = ChannelsOption,
  Transaction = unknown,
> {
  readonly store: StoreOption<Transaction>
  readonly channels: Channels
  /** Whose time counts, in milliseconds since 1970: the machine's, unless said otherwise. */
  readonly clock?: { readonly now: () => number }
  readonly secrets?: {
    /**
     * 32 bytes, or these in base64, under which everything secret in the store is sealed. Every
     * process on the store has the same. Generated where the store is in memory. Or a key that is
     * kept elsewhere, which wraps and unwraps keys and is never handed out.
     */
    readonly masterKey: string | Uint8Array | MasterKey["Service"]
  }
  /** Fees, spreads, limits and plans that differ from the usual ones. */
  readonly terms?: TermsOption
  /** How codes reach people whose identity is verified. */
  readonly carriers?: CarriersOption
  /**
   * The address under which people and channels reach the interface, without a slash at its end.
   * Links and QR codes begin with it. A sandbox has `http://127.0.0.1:4020` by default.
   */
  readonly baseUrl?: string
  /** What is done with events, by hooks with names of their own. They run where a worker runs. */
  readonly onEvent?: EventHook | ReadonlyArray<EventHook>
  /**
   * Takes part in commits with records of these kinds, in the same transaction: adds what is the
   * host's own, or refuses by a `Failure`. Its second argument is that of the store.
   */
  readonly beforeCommit?: BeforeCommit<NoInfer<Transaction>>
  /** For how many days is kept what grows and has an end: see each. */
  readonly retention?: RetentionDays
  /** Whether accounts are held to their plans' rates over HTTP, as they are by default. */
  readonly rateLimits?: boolean
  /**
   * Ports of `payport/ports` in the place of those that come along: `Rates`, `IdentityVerifier`,
   * `Revoker`, `Vault`, `Messenger`, `QrReader` and others. What has an option of its own is
   * refused.
   */
  readonly ports?: Layer.Layer<never>
  /** Whether a worker runs inside, as it does by default; else `payport.work()` runs one. */
  readonly work?: boolean
  /** Is told of what happens inside. False: nothing is; by default stderr has what went wrong. */
  readonly log?: false | ((entry: LogEntry) => void)
}
