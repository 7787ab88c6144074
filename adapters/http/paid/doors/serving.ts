import { type Paid, paidOf, type Verdict } from "../Verdict.ts"

type Headers = { readonly [name: string]: string }

/** What a handler gets about its payment, and what happens after it has served or failed. */
export interface Serving {
  readonly payment: Paid
  /** Whether the used amount is captured afterwards. */
  readonly isHeld: boolean
  /** Captures the used amount, or releases all if nothing was served. Returns headers to send. */
  readonly finish: (isServed: boolean) => Promise<Headers>
}

/** Prepares serving a paid request. The handler states how much of the held money it charges. */
export const serving = (verdict: Extract<Verdict, { readonly paid: true }>): Serving => {
  const { held } = verdict
  const payment = paidOf(verdict)
  if (held === undefined) return { payment, isHeld: false, finish: () => Promise.resolve({}) }
  const { most, settle } = held
  let used: number | undefined
  const charge = (value: number): void => {
    if (!Number.isSafeInteger(value) || value < 0 || value > most.value) {
      throw new RangeError(
        `charge takes a whole number of minor units of ${most.currency} from 0 to ${most.value}.`,
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

/** Whether an answer with that status counts as served. */
export const isServed = (status: number): boolean => status < 400
