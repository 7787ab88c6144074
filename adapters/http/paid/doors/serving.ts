import { type Paid, paidOf, type Verdict } from "../Verdict.ts"

type Headers = { readonly [name: string]: string }

/** What a handler is given of its payment, and what is done once it has served or failed. */
export interface Serving {
  readonly payment: Paid
  /** Whether what was used is taken afterwards. */
  readonly isHeld: boolean
  /** Takes what was used, or releases all where nothing was served. Gives headers to send. */
  readonly finish: (isServed: boolean) => Promise<Headers>
}

/** Serves a paid request: of what is held the handler says how much it charges. */
export const serving = (verdict: Extract<Verdict, { readonly paid: true }>): Serving => {
  const { held } = verdict
  const payment = paidOf(verdict)
  if (held === undefined) return { payment, isHeld: false, finish: () => Promise.resolve({}) }
  const { most, settle } = held
  let used: number | undefined
  const charge = (value: number): void => {
    if (!Number.isSafeInteger(value) || value < 0 || value > most.value) {
      throw new RangeError(
        `Charge whole minor units of ${most.currency}, from 0 to the ${most.value} that are held.`,
      )
    }
    used = value
  }
  return {
    payment: { ...payment, charge },
    isHeld: true,
    finish: (isServed) => settle(isServed ? used : 0),
  }
}

/** Whether an answer of that status serves what was paid for. */
export const isServed = (status: number): boolean => status < 400
