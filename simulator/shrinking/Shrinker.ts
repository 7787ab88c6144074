import { createHash } from "node:crypto"
import type { Script } from "../world/plans/Plan.ts"
import { type Attempt, type Attempts, attempts, isSmall } from "./attempts.ts"
import { faultsOn, KINDS, namedThing, type NamedThing, thingsOf } from "./Thing.ts"
import { type Whole, without } from "./Thing.ts"

/** How shrinking gets on. */
export interface Shrinking {
  readonly tries: number
  readonly payments: number
  /** Faults that are on. */
  readonly faults: number
}

/** The smallest script that was found, and why it is not smaller. */
export interface Shrunk {
  readonly script: Script
  readonly tries: number
  /**
   * `each_is_needed`: whatever is left out of it, the failure is gone. Otherwise the tries or the
   * time were over before that was known, or it was interrupted; `few_enough` with fewer than three
   * payments and faults.
   */
  readonly why: "each_is_needed" | "few_enough" | "out_of_tries" | "out_of_time" | "interrupted"
  /** What was left out of it alone, and the failure was gone. */
  readonly needed: ReadonlyArray<NamedThing>
}

/** What bounds the attempts. */
export interface Bounds {
  /** How many at the most. */
  readonly tries: number
  /** Asked before each: whether no other is to begin. */
  readonly isTimeUp?: (() => boolean) | undefined
}

/** A script that is being tried. */
export interface Try {
  readonly script: Script
}

/** One of those under way, in order. */
interface Under extends Attempt, Try {
  readonly script: Whole
  readonly digest: string
  fails?: boolean
}

const digestOf = (script: Script): string =>
  createHash("sha256").update(JSON.stringify(script)).digest("base64")

/**
 * Decides which scripts are tried, each from the smallest that still fails. Several can be under
 * way at a time, and their answers may come in any order: all comes to what it would if each were
 * tried when that before it was known. Those after the first that is not known are begun as if it
 * held; where it fails, they are forgotten.
 */
export class Shrinker {
  /** The smallest that is known to fail. */
  best: Whole
  readonly #bounds: Bounds
  /** The scripts that were tried and do not fail. */
  readonly #hold = new Set<string>()
  #tries = 0
  /** Why no other begins. */
  #ended: "out_of_time" | "interrupted" | undefined
  /** Those from the first that is not known; one that fails is the base of those after it. */
  #under: Array<Under> = []
  #ahead: Attempts
  /** The digest of what those to come are made of. */
  #base: string

  /** `parts` are all that there are, for a script that does not say which it plays. */
  constructor(script: Script, parts: ReadonlyArray<string>, bounds: Bounds) {
    this.best = { ...script, parts: script.parts ?? parts }
    this.#bounds = bounds
    this.#ahead = attempts(this.best)
    this.#base = digestOf(this.best)
  }

  /** How it gets on. */
  get now(): Shrinking {
    const { payments } = this.best
    return { tries: this.#tries, payments: payments.length, faults: faultsOn(this.best).length }
  }

  /** Whether nothing is under way whose answer matters. */
  get isIdle(): boolean {
    return this.#under.length === 0
  }

  get shrunk(): Shrunk {
    const all = KINDS.flatMap((kind) => thingsOf(this.best, kind))
    const needed = all.filter((thing) => this.#hold.has(digestOf(without(this.best, [thing]))))
    return {
      script: this.best,
      tries: this.#tries,
      why: needed.length === all.length ? "each_is_needed" : this.#unfinished,
      needed: needed.map((thing) => namedThing(this.best, thing)),
    }
  }

  /** The next to be tried; undefined where there is none until more is known, or none at all. */
  begin(): Try | undefined {
    if (this.#ended !== undefined || this.#tries + this.#under.length >= this.#bounds.tries)
      return undefined
    const next = this.#read()
    if (next === undefined) return undefined
    if (this.#bounds.isTimeUp?.() === true) {
      this.#ended = "out_of_time"
      return undefined
    }
    this.#under.push(next)
    return next
  }

  /** Whether the answer of one that has begun still matters. */
  isWanted(one: Try): boolean {
    return this.#under.some((under) => under === one)
  }

  /** Hears whether one fails. */
  hear(one: Try, fails: boolean): void {
    const at = this.#under.findIndex((under) => under === one)
    const under = this.#under[at]
    if (under === undefined) return
    under.fails = fails
    if (fails) {
      this.#under.splice(at + 1)
      this.#ahead = under.next()
      this.#base = under.digest
    }
    this.#settle()
  }

  /** Ends it where it is; what is under way is forgotten. */
  interrupt(): void {
    this.#ended = "interrupted"
    this.#under = []
  }

  /** Takes the answers in order, as far as they are there. */
  #settle(): void {
    for (let [first] = this.#under; first?.fails !== undefined; [first] = this.#under) {
      this.#under.shift()
      this.#tries += 1
      if (first.fails) this.best = first.script
      else this.#hold.add(first.digest)
    }
  }

  /** The next whose answer does not follow from what is known. */
  #read(): Under | undefined {
    for (let read = this.#ahead.next(); read.done !== true; read = this.#ahead.next()) {
      const digest = digestOf(read.value.script)
      if (!this.#isKnown(digest)) return { ...read.value, digest }
    }
    return undefined
  }

  /** Whether it is what the next are made of, or is not to fail. */
  #isKnown(digest: string): boolean {
    return (
      digest === this.#base ||
      this.#hold.has(digest) ||
      this.#under.some((under) => under.fails !== true && under.digest === digest)
    )
  }

  get #unfinished(): Shrunk["why"] {
    if (isSmall(this.best)) return "few_enough"
    return this.#ended ?? "out_of_tries"
  }
}
