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

/** An option of `makePayport` is wrong or missing, or the service it names cannot be reached. */
export class PayportOptionsError extends Data.TaggedError("PayportOptionsError")<{
  /** The option's name, with dots. */
  readonly option: string
  /** What is wrong, and what to do. */
  readonly message: string
  /** What the host's store has thrown, if anything. */
  readonly cause?: unknown
}> {}

/** The ports that a store provides. */
export type StoreLayer = Layer.Layer<
  Store | Documents | RateLeases,
  { readonly message: string },
  WallClock
>

/** The store: `memory()` of `payport/memory`, `postgres()` of `payport/postgres`. */
export class StoreOption<Transaction = unknown> {
  /** Whether the records end with the process. If so, their keys may end with it, too. */
  readonly endsWithProcess: boolean
  readonly open: (hook: BeforeCommit<Transaction> | undefined) => StoreLayer

  constructor(open: StoreOption<Transaction>["open"], { endsWithProcess = false } = {}) {
    this.open = open
    this.endsWithProcess = endsWithProcess
  }
}

/** What a store's transactions give to `beforeCommit`; of a choice of stores, one of several. */
export type TransactionOf<Kept extends StoreOption> =
  Kept extends StoreOption<infer Transaction> ? Transaction : never

/** A channel of the host, from `gateway()` or `defineChannel()`. */
export type HostChannel = GatewayOption | OwnChannelOption

/** The contents of a sandbox. */
export interface SandboxContents {
  /**
   * The simulated channels: names of the thirteen, or entries of the host's own catalog. All
   * thirteen by default.
   */
  readonly simulated?: ReadonlyArray<string | Channel>
  /** Channels of the host that the sandbox calls, besides the simulated ones. */
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
 * The channels for payments: simulated, or the host's own in live mode. If a payment can use
 * several, the first is preferred.
 */
export type ChannelsOption = SandboxOption | ReadonlyArray<HostChannel>

/** An entry of the host's log, about what happens inside payport. */
export interface LogEntry {
  readonly level: string
  readonly message: string
  readonly at: Date
  readonly annotations: { readonly [name: string]: unknown }
}

/** Retention times, in days. */
export interface RetentionDays {
  /** Events and the queues of hooks: 7 to 3,650; 90 by default. */
  readonly event?: number
  /** Reports of webhooks: 7 to 3,650; 30 by default. */
  readonly delivery?: number
  /** Requests to channels: 45 to 3,650; 400 by default. */
  readonly channel_request?: number
  /** Callbacks of channels: 7 to 3,650; 90 by default. */
  readonly callback?: number
  /** Replies of Idempotency-Keys: 1 to 30; 1 by default. */
  readonly reply?: number
  /** Unpaid payments: 7 to 30; 30 by default. */
  readonly unpaid?: number
}

/**
 * Whose money is not given back until an operator has looked at it: that of payments created before
 * a time, such as the first start on a restored database, or that of payments by their ids.
 */
export type HeldReturns =
  | { readonly createdBefore: Date; readonly payments?: undefined }
  | { readonly payments: ReadonlyArray<string>; readonly createdBefore?: undefined }

/** The options of `makePayport`. */
export interface PayportOptions<
  Channels extends ChannelsOption = ChannelsOption,
  Transaction = unknown,
> {
  readonly store: StoreOption<Transaction>
  readonly channels: Channels
  /** The clock, in milliseconds since 1970: the machine's by default. */
  readonly clock?: { readonly now: () => number }
  readonly secrets?: {
    /**
     * 32 bytes, or these in base64: the key that seals every secret in the store. Every process on
     * the store needs the same key. Generated if the store is in memory. Or a key that is kept
     * elsewhere, which wraps and unwraps keys and never leaves its place.
     */
    readonly masterKey: string | Uint8Array | MasterKey["Service"]
  }
  /** Fees, spreads, limits and plans that differ from the defaults. */
  readonly terms?: TermsOption
  /** How one-time codes are sent to people whose identity is verified. */
  readonly carriers?: CarriersOption
  /**
   * The public URL of the HTTP API for people and channels, without a slash at its end. Links and
   * QR codes begin with it. A sandbox has `http://127.0.0.1:4020` by default.
   */
  readonly baseUrl?: string
  /** Hooks for events, with names of their own. They run where a worker runs. */
  readonly onEvent?: EventHook | ReadonlyArray<EventHook>
  /**
   * Takes part in commits with records of these kinds, in the same transaction: adds the host's own
   * rows, or refuses with a `Failure`. The store determines its second argument.
   */
  readonly beforeCommit?: BeforeCommit<NoInfer<Transaction>>
  /** For how many days growing records are kept: see each field. */
  readonly retention?: RetentionDays
  /**
   * Money that stays at the channel although it would go back, because its database was restored:
   * see "Restoring" in the server's guide to backups. The log names each return that is held.
   */
  readonly holdReturns?: HeldReturns
  /** Whether the plans' rate limits apply to accounts over HTTP; true by default. */
  readonly rateLimits?: boolean
  /**
   * Ports of `payport/ports` that replace the default ones: `Rates`, `IdentityVerifier`, `Revoker`,
   * `Vault`, `Messenger`, `QrReader` and others. A port that has its own option is refused. A port
   * that asks another system (the first three, `Messenger`, `WebhookSender` and `Language`) has not
   * answered if it throws, takes longer than 8 seconds or answers something else: see the log.
   */
  readonly ports?: Layer.Layer<never>
  /** Whether a worker runs inside; true by default. If false, `payport.work()` starts one. */
  readonly work?: boolean
  /** Receives the log. False: no log. By default, warnings and errors go to stderr. */
  readonly log?: false | ((entry: LogEntry) => void)
}
