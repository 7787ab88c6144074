import { parts } from "../parts.ts"
import type { Invariant } from "./Invariant.ts"
import { chargeInvariants } from "./invariants/charges.ts"
import { deliveryInvariants } from "./invariants/deliveries.ts"
import { ledgerInvariants } from "./invariants/ledger.ts"
import { messageInvariants } from "./invariants/messages.ts"
import { moneyInvariants } from "./invariants/money.ts"
import { refundInvariants } from "./invariants/refunds.ts"
import { requestInvariants } from "./invariants/requests.ts"
import { revocationInvariants } from "./invariants/revocations.ts"
import { stateInvariants } from "./invariants/state.ts"

/** Every invariant that a world is judged by, in the order of their numbers. */
export const invariants: ReadonlyArray<Invariant> = [
  ...moneyInvariants,
  ...chargeInvariants,
  ...refundInvariants,
  ...ledgerInvariants,
  ...stateInvariants,
  ...messageInvariants,
  ...deliveryInvariants,
  ...requestInvariants,
  ...revocationInvariants,
  ...parts.flatMap((part) => part.invariants ?? []),
].toSorted((a, b) => a.number - b.number)
