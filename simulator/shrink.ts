import { NO_FAULTS } from "./faults/Faults.ts"
import type { PaymentPlan, Script } from "./world/plans/Plan.ts"

/** How shrinking gets on. */
export interface Shrinking {
  readonly tries: number
  readonly payments: number
  /** Faults that are on. */
  readonly faults: number
}

/** What shrinking is bounded by, and who watches it. */
export interface ShrinkOptions {
  readonly tries?: number
  readonly onTry?: (now: Shrinking) => void
}

const TRIES = 400

const isOn = ([, size]: readonly [string, number]): boolean => size > 0

const NO_AFTERMATH = { items: [], refunds: [], late: null, asks_after: 0 } as const

/** Simpler forms of one payment's story, boldest first. */
const simpler = (plan: PaymentPlan): ReadonlyArray<PaymentPlan> => {
  const { aftermath, payee, payer } = plan
  const forms: ReadonlyArray<PaymentPlan> = [
    { ...plan, aftermath: NO_AFTERMATH },
    { ...plan, aftermath: { ...aftermath, late: null } },
    { ...plan, aftermath: { ...aftermath, refunds: aftermath.refunds.slice(0, 1) } },
    { ...plan, aftermath: { ...aftermath, items: [] } },
    { ...plan, confusions: [] },
    { ...plan, payee: { ...payee, probes: [] } },
    { ...plan, payee: { ...payee, again: 0 } },
    { ...plan, payee: { ...payee, parallel: 1 } },
    { ...plan, payee: { ...payee, act: "captures", around_expiry: null } },
    { ...plan, payer: { ...payer, others: null } },
    { ...plan, payer: { ...payer, act: "pays", around_expiry: null } },
    { ...plan, parallel: 1, reuses_key: false, buys_again: false, nosy_stranger: false },
  ]
  const text = JSON.stringify(plan)
  return forms.filter((form) => JSON.stringify(form) !== text)
}

/** Parts of a list that may be left out, from halves to single items. */
const chunks = function* (length: number): Generator<readonly [from: number, to: number]> {
  for (let size = Math.ceil(length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < length; from += size) yield [from, Math.min(from + size, length)]
  }
}

/** The attempts to make a script smaller, each from the smallest that still fails. */
class Shrinker {
  best: Script
  #tries = 0
  readonly #fails: (script: Script) => boolean
  readonly #most: number
  readonly #heard: ShrinkOptions["onTry"]

  constructor(script: Script, fails: (script: Script) => boolean, options: ShrinkOptions) {
    this.best = script
    this.#fails = fails
    this.#most = options.tries ?? TRIES
    this.#heard = options.onTry
  }

  get isOver(): boolean {
    return this.#tries >= this.#most
  }

  attempt(script: Script): boolean {
    if (this.isOver) return false
    this.#tries += 1
    const smaller = this.#fails(script)
    if (smaller) this.best = script
    const { faults, payments } = this.best
    const on = Object.entries(faults).filter(isOn).length
    this.#heard?.({ tries: this.#tries, payments: payments.length, faults: on })
    return smaller
  }

  /** Fewer payments: leaves parts of them out for as long as what is left still fails. */
  fewerPayments(): void {
    for (let goesOn = true; goesOn && !this.isOver;) {
      goesOn = false
      for (const [from, to] of chunks(this.best.payments.length)) {
        const payments = this.best.payments.filter((_, n) => n < from || n >= to)
        if (payments.length === 0 || payments.length === this.best.payments.length) continue
        if (!this.attempt({ ...this.best, payments })) continue
        goesOn = true
        break
      }
    }
  }

  /** Fewer faults: all off, then one after the other. */
  fewerFaults(): void {
    if (this.attempt({ ...this.best, faults: {} })) return
    for (const name of Object.keys(NO_FAULTS)) {
      if ((this.best.faults[name] ?? 0) === 0) continue
      const { [name]: _off, ...faults } = this.best.faults
      this.attempt({ ...this.best, faults })
    }
    for (const list of ["incidents", "crashes"] as const) {
      for (let n = this.best[list].length - 1; n >= 0; n -= 1) {
        this.attempt({ ...this.best, [list]: this.best[list].filter((_, m) => m !== n) })
      }
    }
  }

  /** Fewer actors beside the payments. */
  fewerParts(names: ReadonlyArray<string>): void {
    for (const name of names) {
      const parts = (this.best.parts ?? names).filter((other) => other !== name)
      this.attempt({ ...this.best, parts })
    }
  }

  /** Shorter stories, one payment at a time. */
  shorter(): void {
    for (let n = 0; n < this.best.payments.length; n += 1) {
      for (let goesOn = true; goesOn && !this.isOver;) {
        const plan = this.best.payments[n]
        if (plan === undefined) break
        goesOn = simpler(plan).some((form) =>
          this.attempt({ ...this.best, payments: this.best.payments.with(n, form) }),
        )
      }
    }
  }
}

/**
 * Makes a failing script as small as it can, within so many tries, and returns the smallest that
 * still fails: fewer payments, fewer faults, fewer parts, shorter stories. `fails` performs a
 * script and says whether it still shows what is looked for. The script given has to fail.
 */
export const shrink = (
  script: Script,
  parts: ReadonlyArray<string>,
  fails: (script: Script) => boolean,
  options: ShrinkOptions = {},
): Script => {
  const shrinker = new Shrinker(script, fails, options)
  shrinker.fewerPayments()
  shrinker.fewerFaults()
  shrinker.fewerParts(parts)
  shrinker.fewerPayments()
  shrinker.shorter()
  return shrinker.best
}
