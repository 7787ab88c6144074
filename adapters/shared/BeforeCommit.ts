import { Data, Effect, Result } from "effect"
import { view as installView } from "../../core/installs/InstallView.ts"
import { invoiceView } from "../../core/invoices/InvoiceView.ts"
import { subscriptionView } from "../../core/invoices/SubscriptionView.ts"
import { show as intentView } from "../../core/payments/IntentView.ts"
import type { Commit, Records, Write } from "../../core/ports/Store.ts"
import { RefundView } from "../../core/refunds/RefundView.ts"
import { manifestView } from "../../core/registry/ServiceView.ts"
import { type Failure, isFailure } from "../../core/shared/Failure.ts"
import { shownAs } from "../../core/shared/View.ts"
import { thrownReason } from "./thrownReason.ts"

/** Returns a refund without data of other records, which may change in the same commit. */
const refundView = (refund: Records["refund"]) => {
  const { revocations: _other, ...own } = shownAs(RefundView, refund, { revocations: [] })
  return own
}

/**
 * The kinds that a hook can see, as the interface shows them to their owner. Keys, secrets and
 * other sealed records are not among them.
 */
const VIEWS = {
  payment_intent: (intent: Records["payment_intent"]) => ({
    ...intentView(intent, intent.payee_account_id),
    payee_account_id: intent.payee_account_id,
    payer_account_id: intent.payer_account_id,
  }),
  refund: (refund: Records["refund"]) => ({
    ...refundView(refund),
    payee_account_id: refund.payee_account_id,
  }),
  subscription: subscriptionView,
  invoice: invoiceView,
  install: (install: Records["install"]) => installView(install, null),
  service: (service: Records["service"]) => ({
    ...manifestView(service, service.account_id),
    account_id: service.account_id,
  }),
} as const

/** A kind of record that a hook can see. */
export type HookKind = keyof typeof VIEWS

/** Every kind of record that a hook can see. */
const HOOK_KINDS = Object.keys(VIEWS) as ReadonlyArray<HookKind>

/** A record that is about to be stored: its new state, or its last state if it is removed. */
export type Changed = {
  readonly [K in HookKind]: {
    readonly op: "insert" | "replace" | "remove"
    readonly kind: K
    readonly id: string
    readonly record: ReturnType<(typeof VIEWS)[K]>
  }
}[HookKind]

/** The pending commit: its records of the kinds that a hook wants, and its events. */
export interface CommitChange {
  readonly records: ReadonlyArray<Changed>
  readonly events: ReadonlyArray<{
    readonly id: string
    readonly type: Records["event"]["type"]
    readonly account_id: string
    readonly subject_id: string
    readonly data: Records["event"]["data"]
  }>
}

/**
 * What a host does in the transaction of a commit with records of these kinds. `run` refuses the
 * commit by throwing, rejecting with or returning a `Failure`: then nothing of it is stored.
 * Anything else that it throws or returns ends the commit as an internal error. It runs once per
 * attempt. A commit that meets another change is decided again, and everything that the earlier
 * attempt added or refused is gone. A request that is repeated under its key is such an attempt.
 *
 * What a channel has confirmed, such as a payment, has happened. If a hook refuses to store it, the
 * hook is called again until it accepts, and the payment stays open meanwhile.
 */
export interface BeforeCommit<Tools> {
  readonly kinds: ReadonlyArray<HookKind>
  readonly run: (change: CommitChange, tools: Tools) => unknown
  /** Time limit in milliseconds: 1 to 3,000; 2,000 by default. */
  readonly within?: number | undefined
}

const WITHIN = 2_000
const LONGEST = 3_000

/** Returns the flaw of a given hook; undefined if there is none. */
export const flawOfHook = (given: unknown): string | undefined => {
  if (typeof given !== "object" || given === null) return "has to be an object with kinds and run."
  const { kinds, run, within = WITHIN }: { readonly [name: string]: unknown } = { ...given }
  const isKind = (kind: unknown) => HOOK_KINDS.some((known) => known === kind)
  if (!Array.isArray(kinds) || kinds.length === 0 || !kinds.every(isKind)) {
    return `kinds has to list some of: ${HOOK_KINDS.join(", ")}.`
  }
  if (typeof run !== "function") return "run has to be a function that is given the change."
  const isTime = Number.isInteger(within) && Number(within) > 0 && Number(within) <= LONGEST
  return isTime ? undefined : `within has to be 1 to ${LONGEST} milliseconds.`
}

/** A hook did something that hooks may not do. Nothing of its commit was stored. */
export class HookFailed extends Data.TaggedError("HookFailed")<{
  readonly message: string
  readonly cause?: unknown
}> {}

const isWanted =
  ({ kinds }: Pick<BeforeCommit<never>, "kinds">) =>
  (write: Write): write is Extract<Write, { readonly kind: HookKind }> =>
    kinds.some((kind) => kind === write.kind)

/** Whether a hook wants to see a commit. */
export const isHooked = (hook: Pick<BeforeCommit<never>, "kinds">, commit: Commit): boolean =>
  commit.writes.some(isWanted(hook))

/** Returns what a hook sees of a commit: a copy, because the original is about to be stored. */
export const changeOf = (
  hook: Pick<BeforeCommit<never>, "kinds">,
  commit: Commit,
): CommitChange => {
  const records = commit.writes.filter(isWanted(hook)).map(({ kind, op, record }) => {
    const view = VIEWS[kind] as (given: typeof record) => unknown
    return { op, kind, id: record.id, record: view(record) } as Changed
  })
  const events = (commit.events ?? []).map(({ id, type, account_id, subject_id, data }) => ({
    id,
    type,
    account_id,
    subject_id,
    data,
  }))
  return structuredClone({ records, events })
}

/** Whether a value is a `Failure`. A host's proxy may throw where it is asked. */
const isRefusal = (given: unknown): given is Failure =>
  Result.getOrElse(
    Result.try(() => isFailure(given)),
    () => false,
  )

const nonsense = () =>
  new HookFailed({ message: "beforeCommit has to return nothing, or a Failure to refuse." })

const thrown = (cause: unknown): Failure | HookFailed =>
  isRefusal(cause)
    ? cause
    : new HookFailed({ message: `beforeCommit threw: ${thrownReason(cause)}`, cause })

/** Runs a hook. Fails with its refusal, or with its error. */
export const runHook = <Tools>(
  { run, within = WITHIN }: BeforeCommit<Tools>,
  change: CommitChange,
  tools: Tools,
): Effect.Effect<void, Failure | HookFailed> =>
  Effect.callback<void, Failure | HookFailed>((resume) => {
    const late = () => {
      const message = `beforeCommit took longer than ${within} ms.`
      resume(Effect.fail(new HookFailed({ message })))
    }
    const timer = setTimeout(late, within)
    const end = (answer: Effect.Effect<void, Failure | HookFailed>) => {
      clearTimeout(timer)
      resume(answer)
    }
    const judge = (returned: unknown) => {
      if (returned === undefined) return end(Effect.void)
      end(Effect.fail(isRefusal(returned) ? returned : nonsense()))
    }
    void Promise.resolve()
      .then(() => run(change, tools))
      .then(judge, (error: unknown) => end(Effect.fail(thrown(error))))
  })
