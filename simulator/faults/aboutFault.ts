import type { FaultInfo } from "./Fault.ts"
import { FAULTS } from "./Faults.ts"

/** Occurrences besides the faults, which a payment's plan or a part causes. */
const BESIDE: { readonly [name: string]: string } = {
  approval_delayed: "A person approves a mandate later",
  bought_again: "A client buys again what it has bought",
  codes_guessed: "Somebody guesses at a code",
  key_reused_for_another_body: "A client sends another body under the same Idempotency-Key",
  nobody_there: "A request comes while no process takes any",
  refund_after_window: "A refund is asked for when its channel's window is over",
}

/** Describes an occurrence in words; empty if it is unknown. */
export const aboutFault = (name: string): string => {
  const all = Object.entries<FaultInfo>(FAULTS)
  const known = all.find(([fault, info]) => (info.counted_as ?? fault) === name)
  return known?.[1].about ?? BESIDE[name] ?? ""
}
