import { createHash } from "node:crypto"
import type { Script } from "../world/plans/Plan.ts"
import { type Attempt, type Attempts, attempts, isSmall } from "./attempts.ts"
import { faultsOn, KINDS, namedThing, type NamedThing, thingsOf } from "./Thing.ts"
import { type Whole, without } from "./Thing.ts"

/** The progress of shrinking. */
export interface Shrinking {
  readonly tries: number
  readonly payments: number
  /** Faults that are on. */
  readonly faults: number
}

/** The smallest script found, and why it is not smaller. */
export interface Shrunk {
  readonly script: Script
  readonly tries: number
  /**
   * `each_is_needed`: without any one of its things, the failure is gone. Otherwise the tries or
   * the time were used up before that was known, or it was interrupted; `few_enough` with fewer
   * than three payments and faults.
   */
  readonly why: "each_is_needed" | "few_enough" | "out_of_tries" | "out_of_time" | "interrupted"
  /** The things whose removal alone makes the failure disappear. */
  readonly needed: ReadonlyArray<NamedThing>
}

/** The limits of the attempts. */
export interface Bounds {
  /** The maximum number. */
  readonly tries: number
  /** Called before each attempt; returns whether to stop. */
  readonly isTimeUp?: (() => boolean) | undefined
}

/** A script that is being tried. */
export interface Try {
  readonly script: Script
}

/** One of the running tries, in order. */
interface Under extends Attempt, Try {
  readonly script: Whole
  readonly digest: string
  fails?: boolean
}

const digestOf = (script: Script): string =>
  createHash("sha256").update(JSON.stringify(script)).digest("base64")

/**
 * Decides which scripts are tried, each made from the smallest that still fails. Several can run at
 * a time, and their results may come in any order: the outcome is the same as with one after the
 * other. Tries after the first without a result assume that it does not fail; if it fails, they are
 * dropped.
 */
export class Shrinker {
  /** The smallest script that is known to fail. */
  best: Whole
  readonly #bounds: Bounds
  /** The scripts that were tried and do not fail. */
  readonly #hold = new Set<string>()
  #tries = 0
  /** Why no other try begins. */
  #ended: "out_of_time" | "interrupted" | undefined
  /** The tries from the first without a result. A failing one is the base of those after it. */
  #under: Array<Under> = []
  #ahead: Attempts
  /** The digest of the script from which the next ones are made. */
  #base: string

  /** `parts` are all existing parts, for a script that does not name its parts. */
  constructor(script: Script, parts: ReadonlyArray<string>, bounds: Bounds) {
    this.best = { ...script, parts: script.parts ?? parts }
    this.#bounds = bounds
    this.#ahead = attempts(this.best)
    this.#base = digestOf(this.best)
  }

  /** The progress. */
  get now(): Shrinking {
    const { payments } = this.best
    return { tries: this.#tries, payments: payments.length, faults: faultsOn(this.best).length }
  }

  /** Whether no running try is needed any more. */
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

  /** Returns the next script to try; undefined if none is left or more results are needed. */
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

  /** Whether the result of a running try is still needed. */
  isWanted(one: Try): boolean {
    return this.#under.some((under) => under === one)
  }

  /** Takes the result of a try. */
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

  /** Stops here; running tries are dropped. */
  interrupt(): void {
    this.#ended = "interrupted"
    this.#under = []
  }

  /** Processes the results in order, as far as they are known. */
  #settle(): void {
    for (let [first] = this.#under; first?.fails !== undefined; [first] = this.#under) {
      this.#under.shift()
      this.#tries += 1
      if (first.fails) this.best = first.script
      else this.#hold.add(first.digest)
    }
  }

  /** Returns the next try whose result does not follow from known results. */
  #read(): Under | undefined {
    for (let read = this.#ahead.next(); read.done !== true; read = this.#ahead.next()) {
      const digest = digestOf(read.value.script)
      if (!this.#isKnown(digest)) return { ...read.value, digest }
    }
    return undefined
  }

  /** Whether the script is the current base, or is known not to fail. */
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
