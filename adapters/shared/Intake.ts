import type { Deadline } from "../../core/shared/CurrentDeadline.ts"
import { Failure } from "../../core/shared/Failure.ts"
import { Alarms } from "./Alarms.ts"

/** How much a server takes on. */
export interface IntakeLimits {
  /** Requests that are served at once, at most; more are refused before any work. */
  readonly most: number
  /** Milliseconds from a request's head to its answer, its waiting among them. */
  readonly within: number
}

/** Twice what keeps both connections for short reads and a group of commits full. */
export const INTAKE_LIMITS: IntakeLimits = { most: 256, within: 10_000 }

/** The share of the places that one account may have: the others always find some. */
const SHARE = 7 / 8

/** So many requests begin in one turn of the event loop, more only where the turn was long. */
const PER_TURN = 8

/** A turn of the event loop that took so many milliseconds for other things was long. */
const LONG_TURN = 20

/** So many refusals are told at once in a second. */
const AT_ONCE = 100

/**
 * Milliseconds that a further refusal is held back: as long as it tells its caller to wait, and two
 * for each that is held already where that is more, up to the longest. Callers that ask again
 * without a pause would otherwise take the processor from those who are served.
 */
const HELD = 1_000
const EACH = 2
const LONGEST_HELD = 5_000

/** So many are held at most: each keeps its connection. */
const MOST_HELD = 4_096

/** How often held refusals are looked at, in milliseconds. */
const LOOK = 20

/** So many accounts that have their share are known by what they sent for a key. */
const KNOWN = 1_000

/**
 * What waits on a request's behalf gives up at its deadline and knows what became of it. Whatever
 * does not is ended so many milliseconds later.
 */
const GRACE = 500

/** The refusal of a request that was not begun: whoever sends it again does nothing twice. */
export const overloaded = (): Failure<"OVERLOADED"> =>
  new Failure({
    code: "OVERLOADED",
    message: "The service has as much to do as it can. Nothing was begun: repeat it in a second.",
    retry_after: 1,
  })

/** The answer to a request that was given up; `acted` where its use case had begun a change. */
export const tooLate = (acted: boolean): Failure<"OUTCOME_UNKNOWN" | "TEMPORARILY_UNAVAILABLE"> =>
  acted
    ? new Failure({
        code: "OUTCOME_UNKNOWN",
        message:
          "What was asked for may or may not have been done: it took too long. A repetition" +
          " under the same Idempotency-Key is safe; one without may be done twice.",
        retry_after: 5,
      })
    : new Failure({
        code: "TEMPORARILY_UNAVAILABLE",
        message: "The request took too long and was given up. Repeat it in a second.",
        retry_after: 1,
      })

/** The requests that a listener serves at once, whichever protocol they speak. */
export class Intake {
  readonly #limits: IntakeLimits
  #waiting: Array<() => void> = []
  #isArmed = false
  /** When requests last had their share of a turn of the event loop. */
  #turned = 0
  readonly #accounts = new Map<string, number>()
  /** Accounts that were refused for their share, by what they sent for a key. */
  readonly #known = new Map<string, string>()
  #serving = 0
  #second = 0
  #refused = 0
  #held: Array<{ readonly until: number; readonly tell: () => void }> = []
  readonly #alarms = new Alarms()

  constructor(limits: Partial<IntakeLimits> = {}) {
    this.#limits = { ...INTAKE_LIMITS, ...limits }
  }

  /** Whether one more would be refused. */
  isFull(): boolean {
    return this.#serving >= this.#limits.most
  }

  /** Takes a request on, unless there are too many; whoever is taken on leaves again. */
  admit(): boolean {
    if (this.isFull()) return false
    this.#serving++
    return true
  }

  leave(): void {
    this.#serving--
  }

  /**
   * Counts a request to its account, unless that has its share; who is counted leaves again. What
   * the refused sent for a key is known from then on.
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

  /** Tells a refusal, at once or where there are many a little later. */
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
   * Begins requests in the order of their arrival, a few in each turn of the event loop. If a burst
   * began at once, answers of the database would wait for its end, and the database would be idle.
   * A turn that was long, as with a thousand callers to be refused, has as long for beginning:
   * else those who are refused would take the processor from those who are served.
   */
  inTurn(begin: () => void): void {
    this.#waiting.push(begin)
    if (this.#isArmed) return
    this.#turned = performance.now()
    this.#arm()
  }

  /** The deadline of a request that began then, on the clock of `performance.now()`. */
  deadline(started: number): Deadline {
    const until = started + this.#limits.within
    return { left: () => until - performance.now() }
  }

  /** Calls `end` once a request is past its deadline, unless what it returns is called before. */
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
