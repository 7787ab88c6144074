import type { BlockList } from "node:net"
import type { Incoming } from "../Exchange.ts"
import { Failure } from "../../../core/shared/Failure.ts"
import {
  ADDRESS_LIMITS,
  AddressLimiter,
  type AddressLimits,
  PAGE_LIMITS,
} from "./AddressLimiter.ts"
import { clientAddress, isOf, NOBODY } from "./ClientAddress.ts"
import { networkKey } from "./networkKey.ts"

/** How requests are limited by client address. */
export interface AddressGateOptions {
  /** The networks of the proxies whose `X-Forwarded-For` counts. None by default. */
  readonly proxies?: BlockList | undefined
  /** The usual limits by default; null for none. */
  readonly limits?: AddressLimits | null | undefined
  /** The limits of pages. By default the usual ones, or none if `limits` is null. */
  readonly pageLimits?: AddressLimits | undefined
}

type Refusal = Failure<"RATE_LIMIT_EXCEEDED">

const ANONYMOUS =
  "Too many requests without a key come from this IP address. Send a key, or try again later."
const PAGES = "Too many pages were loaded from this IP address. Try again later."
const WRONG_KEYS = "Too many requests with wrong keys come from this IP address. Try again later."

const refusal = (wait: number | undefined, message: string): Refusal | undefined =>
  wait === undefined || wait === 0
    ? undefined
    : new Failure({ code: "RATE_LIMIT_EXCEEDED", message, retry_after: wait })

/** Limits by address what needs no key, and wrong keys. All listeners of a process share one. */
export class AddressGate {
  readonly #proxies: BlockList | undefined
  readonly #limiter: AddressLimiter | undefined
  readonly #pages: AddressLimiter | undefined

  constructor(options: AddressGateOptions = {}) {
    const { limits = ADDRESS_LIMITS, pageLimits = PAGE_LIMITS, proxies } = options
    this.#proxies = proxies
    this.#limiter = limits === null ? undefined : new AddressLimiter(limits)
    this.#pages = limits === null ? undefined : new AddressLimiter(pageLimits)
  }

  /** Returns the address of a request's client, also behind trusted proxies. */
  addressOf({ headers, socket }: Pick<Incoming, "headers" | "socket">): string {
    const forwarded = headers["x-forwarded-for"]?.toString()
    return clientAddress({ remote: socket.remoteAddress, forwarded }, this.#proxies)
  }

  /** Whether the address is a trusted proxy's, whose connections are those of many clients. */
  isProxy(address: string | undefined): boolean {
    return isOf(this.#proxies, address)
  }

  /** Counts a request without a key. Returns undefined, or its refusal. */
  admit(address: string): Refusal | undefined {
    return refusal(this.#limiterOf(address)?.admit(networkKey(address)), ANONYMOUS)
  }

  /** Counts a request for a page or its files with a weight. Returns undefined, or its refusal. */
  admitPage(address: string, weight = 1): Refusal | undefined {
    const limiter = address === NOBODY ? undefined : this.#pages
    return refusal(limiter?.admit(networkKey(address), weight), PAGES)
  }

  /** Returns the refusal to try a key, if the address has sent too many wrong ones. */
  admitKey(address: string, authorization = ""): Refusal | undefined {
    const limiter = this.#limiterOf(address)
    return refusal(limiter?.waitWithKey(networkKey(address), authorization), WRONG_KEYS)
  }

  /** Counts an attempt with a wrong key, or without the key that was needed. */
  wrongKey(address: string): void {
    this.#limiterOf(address)?.wrongKey(networkKey(address))
  }

  /** Remembers a key that was valid. */
  rightKey(authorization: string | undefined): void {
    if (authorization !== undefined) this.#limiter?.rightKey(authorization)
  }

  /** Callers without a known address would share one limit, and lock each other out. */
  #limiterOf(address: string): AddressLimiter | undefined {
    return address === NOBODY ? undefined : this.#limiter
  }
}
