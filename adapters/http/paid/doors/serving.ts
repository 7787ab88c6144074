import { type Held, type Paid, paidOf, type Verdict } from "../Verdict.ts"

type Headers = { readonly [name: string]: string }

/** The held money of a request that is being served. It is finished once, whoever finishes it. */
export interface Hold {
  /** Captures the used amount, or releases all if nothing was served. Returns headers to send. */
  readonly finish: (isServed: boolean) => Promise<Headers>
  /**
   * Finishes after the connection has broken. If something was served, the handler still has a
   * moment to state what it has used.
   */
  readonly breakOff: (isServed: boolean) => Promise<Headers>
  /**
   * Finishes before the money is no longer held, and calls `cut` if not all of it was charged:
   * later use could not be charged any more.
   */
  readonly watch: (isServed: () => boolean, cut: () => void) => void
}

/** What a handler gets about its payment, and its held money, if the used amount is charged. */
export interface Serving {
  readonly payment: Paid
  readonly hold?: Hold
}

/** How long a handler may still state its use once its client has hung up, in milliseconds. */
const MOMENT = 2_000

/** The longest time of a timer, in milliseconds. */
const LONGEST = 2_147_483_647

const holdOf = ({ most, settle, within }: Held, used: () => number | undefined): Hold => {
  let finished: Promise<Headers> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const finish = (isServed: boolean): Promise<Headers> => {
    clearTimeout(timer)
    return (finished ??= settle(isServed ? used() : 0))
  }
  return {
    finish,
    breakOff: async (isServed) => {
      if (isServed && finished === undefined) {
        await new Promise((resolve) => {
          setTimeout(resolve, MOMENT)
        })
      }
      return finish(isServed)
    },
    watch: (isServed, cut) => {
      const end = () => {
        const isCharged = isServed()
        const isWhole = isCharged && (used() ?? most.value) === most.value
        void finish(isCharged)
        if (!isWhole) cut()
      }
      timer = setTimeout(end, Math.min(within, LONGEST))
    },
  }
}

/** Prepares serving a paid request. The handler states how much of the held money it charges. */
export const serving = (verdict: Extract<Verdict, { readonly paid: true }>): Serving => {
  const { held } = verdict
  const payment = paidOf(verdict)
  if (held === undefined) return { payment }
  const { most } = held
  let used: number | undefined
  const charge = (value: number): void => {
    if (!Number.isSafeInteger(value) || value < 0 || value > most.value) {
      throw new RangeError(
        `charge takes a whole number of minor units of ${most.currency} from 0 to ${most.value}.`,
      )
    }
    used = value
  }
  return { payment: { ...payment, charge }, hold: holdOf(held, () => used) }
}

/** Whether an answer with that status counts as served. */
export const isServed = (status: number): boolean => status < 400
