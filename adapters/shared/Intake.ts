import type { Deadline } from "../../core/shared/CurrentDeadline.ts"
import { Failure } from "../../core/shared/Failure.ts"
import { Alarms } from "./Alarms.ts"

/** The limits of a server's load. */
export interface IntakeLimits {
  /** The most requests in progress. Further ones are refused before any work. */
  readonly most: number
  /** Milliseconds from a request's head to its answer, including waiting. */
  readonly within: number
}

/** Twice what keeps both connections for short reads and a group of commits busy. */
export const INTAKE_LIMITS: IntakeLimits = { most: 256, within: 10_000 }

/** The share of the places that one account may have, so that others always find some. */
const SHARE = 7 / 8

/** The requests that begin in one turn of the event loop. More begin only after a long turn. */
const PER_TURN = 8

/** The milliseconds of other work from which on a turn of the event loop is long. */
const LONG_TURN = 20

/** The refusals per second that are sent at once. */
const AT_ONCE = 100

/**
 * The delay of a further refusal, in milliseconds: as long as its `Retry-After`, or two for each
 * delayed refusal if that is more, up to the longest. Callers that repeat without a pause would
 * otherwise take the processor from the requests in progress.
 */
const HELD = 1_000
const EACH = 2
const LONGEST_HELD = 5_000

/** The most delayed refusals. Each keeps its connection. */
const MOST_HELD = 4_096

/** How often delayed refusals are checked, in milliseconds. */
const LOOK = 20

/** The most accounts with a used share that are recognized by their `Authorization` header. */
const KNOWN = 1_000

/**
 * Work for a request gives up at its deadline and learns its outcome. Any other work is ended so
 * many milliseconds later.
 */
const GRACE = 500

/** Returns the refusal of a request that was not begun. Repeating it is safe. */
export const overloaded = (): Failure<"OVERLOADED"> =>
  new Failure({
    code: "OVERLOADED",
    message: "The service is at its limit of concurrent requests. Repeat the request in a second.",
    retry_after: 1,
  })

/** Returns the answer to a request that was given up; `acted` if its use case had begun. */
export const tooLate = (acted: boolean): Failure<"OUTCOME_UNKNOWN" | "TEMPORARILY_UNAVAILABLE"> =>
  acted
    ? new Failure({
        code: "OUTCOME_UNKNOWN",
        message:
          "The request took too long and may have taken effect. Repeating it with the same" +
          " Idempotency-Key is safe. Without a key, it may take effect twice.",
        retry_after: 5,
      })
    : new Failure({
        code: "TEMPORARILY_UNAVAILABLE",
        message: "The request took too long and had no effect. Repeat it in a second.",
        retry_after: 1,
      })

/** The requests in progress of a listener, of any protocol. */
export class Intake {
  readonly #limits: IntakeLimits
  #waiting: Array<() => void> = []
  #isArmed = false
  /** The time when requests last had their share of a turn of the event loop. */
  #turned = 0
  readonly #accounts = new Map<string, number>()
  /** Accounts that were refused for their share, by their `Authorization` header. */
  readonly #known = new Map<string, string>()
  #serving = 0
  #second = 0
  #refused = 0
  #held: Array<{ readonly until: number; readonly tell: () => void }> = []
  readonly #alarms = new Alarms()

  constructor(limits: Partial<IntakeLimits> = {}) {
    this.#limits = { ...INTAKE_LIMITS, ...limits }
  }

  /** Whether another request would be refused. */
  isFull(): boolean {
    return this.#serving >= this.#limits.most
  }

  /** Admits a request unless there are too many. An admitted request must leave. */
  admit(): boolean {
    if (this.isFull()) return false
    this.#serving++
    return true
  }

  leave(): void {
    this.#serving--
  }

  /**
   * Counts a request against its account, unless the account has its share. A counted request must
   * leave. After a refusal the `Authorization` header is remembered.
   */
  admitAccount(account: string, authorization?: string): boolean {
    if (this.#hasShare(account)) {
      if (this.#known.size >= KNOWN) this.#known.clear()
      if (authorization !== undefined) this.#known.set(authorization, account)
      return false
    }
    this.#accounts.set(account, (this.#accounts.get(account) ?? 0) + 1)
    return true
  }

  /** Whether the account is known to have its share still, before it is authenticated. */
  isShareTaken(authorization: string | undefined): boolean {
    if (this.#known.size === 0 || authorization === undefined) return false
    const account = this.#known.get(authorization)
    if (account === undefined) return false
    if (this.#hasShare(account)) return true
    this.#known.delete(authorization)
    return false
  }

  leaveAccount(account: string): void {
    const count = this.#accounts.get(account) ?? 0
    if (count > 1) this.#accounts.set(account, count - 1)
    else this.#accounts.delete(account)
  }

  /** Sends a refusal at once, or a little later if there are many. */
  refuse(tell: () => void): void {
    const now = performance.now()
    if (now - this.#second >= 1_000) {
      this.#second = now
      this.#refused = 0
    }
    this.#refused++
    if (this.#refused <= AT_ONCE || this.#held.length >= MOST_HELD) return tell()
    const held = Math.min(LONGEST_HELD, Math.max(HELD, EACH * this.#held.length))
    this.#held.push({ until: now + held, tell })
    if (this.#held.length === 1) setTimeout(() => this.#tellHeld(), LOOK)
  }

  /**
   * Begins requests in the order of arrival, a few per turn of the event loop. If a burst began at
   * once, answers of the database would wait for its end, and the database would be idle. After a
   * long turn, for example with a thousand refusals, requests get as much time. Otherwise refused
   * callers would take the processor from the requests in progress.
   */
  inTurn(begin: () => void): void {
    this.#waiting.push(begin)
    if (this.#isArmed) return
    this.#turned = performance.now()
    this.#arm()
  }

  /** Returns the deadline of a request that began at `started` (as by `performance.now()`). */
  deadline(started: number): Deadline {
    const until = started + this.#limits.within
    return { left: () => until - performance.now() }
  }

  /** Calls `end` after the deadline of a request, unless the returned function is called before. */
  afterwards(deadline: Deadline, end: () => void): () => void {
    return this.#alarms.after(Math.max(0, deadline.left()) + GRACE, end)
  }

  #hasShare(account: string): boolean {
    return (this.#accounts.get(account) ?? 0) >= this.#limits.most * SHARE
  }

  #tellHeld(): void {
    const now = performance.now()
    const waiting = this.#held.findIndex(({ until }) => until > now)
    const due = this.#held.splice(0, waiting < 0 ? this.#held.length : waiting)
    if (this.#held.length > 0) setTimeout(() => this.#tellHeld(), LOOK)
    for (const { tell } of due) tell()
  }

  #arm(): void {
    this.#isArmed = this.#waiting.length > 0
    if (this.#isArmed) setImmediate(() => this.#turn())
  }

  #turn(): void {
    const now = performance.now()
    const share = now - this.#turned
    const isLong = share >= LONG_TURN
    let begun = 0
    try {
      for (const begin of this.#waiting) {
        if (begun >= PER_TURN && !(isLong && performance.now() - now < share)) break
        begun++
        begin()
      }
    } finally {
      this.#waiting = this.#waiting.slice(begun)
      this.#turned = performance.now()
      this.#arm()
    }
  }
}
