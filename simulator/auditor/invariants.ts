import { parts } from "../parts.ts"
import { choiceRules } from "./invariants/choices.ts"
import { deliveryRules } from "./invariants/deliveries.ts"
import { moneyRules } from "./invariants/money.ts"
import { dueRules } from "./invariants/dueTimes.ts"
import { ledgerRules } from "./invariants/ledger.ts"
import { messageRules } from "./invariants/messages.ts"
import { refusalRules } from "./invariants/refusals.ts"
import { refundRules } from "./invariants/refunds.ts"
import { requestRules } from "./invariants/requests.ts"
import { revocationRules } from "./invariants/revocations.ts"
import { stateRules } from "./invariants/state.ts"
import { takenRules } from "./invariants/taken.ts"
import { type Invariant, invariantsOf } from "./promises.ts"

/** Every invariant that is checked in a world, in the order of their numbers. */
export const invariants: ReadonlyArray<Invariant> = [
  moneyRules,
  refundRules,
  ledgerRules,
  stateRules,
  takenRules,
  messageRules,
  deliveryRules,
  requestRules,
  refusalRules,
  choiceRules,
  dueRules,
  revocationRules,
  ...parts.flatMap(({ rules }) => (rules === undefined ? [] : [rules])),
]
  .flatMap(invariantsOf)
  .toSorted((a, b) => a.number - b.number)
