import { settledUp } from "../auditor/invariants/ledger.ts"
import { invariants } from "../auditor/invariants.ts"
import type { Finding, ObservationKind, Rulebook, Rules } from "../auditor/Observation.ts"
import { type Invariant, type InvariantNumber, invariantsOf } from "../auditor/promises.ts"
import * as money from "./rules/money.ts"
import * as payments from "./rules/payments.ts"
import * as messages from "./rules/messages.ts"

const BUSY = 503

/** The invariants that use the same rules as in a simulated world, and these rules. */
const SHARED: { readonly [N in InvariantNumber]?: ReadonlyArray<ObservationKind> } = {
  6: ["commit"],
  9: ["intent"],
  10: ["rest"],
  15: ["intent"],
  18: ["intent"],
  22: ["intent"],
  23: ["answer", "intent"],
  24: ["answer"],
  30: ["delivery"],
  36: ["gate"],
  46: ["read"],
  47: ["intent"],
  52: ["rest"],
  53: ["ending"],
  56: ["rest"],
}

/** The invariants with rules for what can be seen from outside. */
const OUTSIDE: Rulebook = {
  1: { resting: payments.capturedWhole },
  2: { resting: payments.refundsWithin },
  3: { resting: payments.capturedOnce },
  5: { account: payments.statementsAgree },
  7: { resting: payments.nothingLeft },
  8: { resting: payments.leftOver },
  12: { shown: payments.onPath },
  13: { shown: payments.stays },
  10: { resting: money.chargedOnce },
  14: { shown: payments.expiredInTime },
  16: { resting: payments.oneWinner },
  17: { resting: payments.offeredOnce },
  21: { resting: payments.paidByWallet, called_back: ({ flaw, status }) => forged(flaw, status) },
  26: { resting: payments.isKept, gone: () => "is gone" },
  28: { resting: messages.toldOnce },
  29: { account: (seen) => messages.delivered(seen) ?? messages.attemptedInTime(seen) },
  31: {
    arrival: ({ after_success, endpoint_id, event_id }) =>
      after_success
        ? `was sent ${event_id} again at ${endpoint_id}, which had taken it`
        : undefined,
  },
  32: { arrival: ({ flaw }) => flaw },
  33: { arrival: messages.hidden },
  34: { account: messages.ofNoOther },
  35: { resting: messages.oneKind },
  37: { resting: messages.revoked },
  38: { resting: messages.scoped },
  39: { resting: messages.batchTold },
  40: { resting: payments.refundsAllowed },
  48: { shown: payments.isNoOlder },
  51: { called_back: ({ flaw, status }) => heard(flaw, status) },
  54: { resting: payments.boughtOnce },
  55: { rest: settledUp },
  80: {
    arrival: ({ endpoint_id, event_id, registered }) =>
      registered ? undefined : `was sent ${event_id} at ${endpoint_id}, which nobody registered`,
  },
  62: { account: payments.daysCompared },
  81: { resting: money.settlesAtRate },
  87: { resting: money.settlesInParts },
}

const forged = (flaw: string | null, status: number): Finding =>
  flaw !== null && status < 400 ? `had a message with ${flaw} taken: ${status}` : undefined

const heard = (flaw: string | null, status: number): Finding =>
  flaw === null && status >= 300 && status !== BUSY
    ? `had its genuine message refused: ${status}`
    : undefined

const flawOf = ({ flaw, where }: { readonly where: string; readonly flaw: string | undefined }) =>
  flaw === undefined ? undefined : `${where}: ${flaw}`

/** The invariants that can only be checked over a network. */
export const INTERFACE: ReadonlyArray<Invariant> = invariantsOf({
  201: { shape: flawOf },
  202: { refusal: flawOf },
  203: { list: messages.inOrder },
  204: { account: payments.balanceAddsUp },
  205: { logged: messages.saysTheSame },
})

const only = (check: Rules, kinds: ReadonlyArray<ObservationKind>): Rules =>
  Object.fromEntries(Object.entries(check).filter(([kind]) => kinds.some((one) => one === kind)))

/** Options of the checks. */
export interface Judged {
  /** Texts that people submit, which must not be shown to anybody. */
  readonly secrets?: ReadonlySet<string>
  /** Whether everything seen belongs to this run and comes to rest; true by default. */
  readonly resting?: boolean
}

/** Invariants that need the requests of this run, or that others' and later actions would break. */
const OF_A_RUN: ReadonlySet<number> = new Set([16, 21, 23, 54, 56])

/** Returns the invariants that can be checked from outside, with their numbers and names. */
export const outsideInvariants = ({
  resting = true,
  secrets = new Set(),
}: Judged): ReadonlyArray<Invariant> => {
  const { beforeExpiry, toldInTime } = payments
  // A service may have been unavailable, which counts as a violation only in a run.
  const expires: Rules["resting"] = resting
    ? (seen, model) => beforeExpiry(seen, model) ?? toldInTime(seen, model)
    : beforeExpiry
  const outside: Rulebook = {
    ...OUTSIDE,
    14: { ...OUTSIDE[14], resting: expires },
    44: { account: messages.untold(secrets) },
  }
  const judged = invariants.flatMap((one) => {
    const number = one.number as InvariantNumber
    if (!resting && OF_A_RUN.has(number)) return []
    const check = { ...only(one.check, SHARED[number] ?? []), ...outside[number] }
    return Object.keys(check).length === 0 ? [] : [{ ...one, check }]
  })
  return [...judged, ...INTERFACE]
}

const seenOutside = new Set(outsideInvariants({}).map(({ number }) => number))

/** The invariants of a simulated world that cannot be checked from outside. */
export const leftOut: ReadonlyArray<Invariant> = invariants.filter(
  ({ number }) => !seenOutside.has(number),
)
