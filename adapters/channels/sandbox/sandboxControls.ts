import { Clock, Effect, Layer, Semaphore } from "effect"
import type { Caller } from "../../../core/accounts/Account.ts"
import { challengeId } from "../../../core/challenges/Challenge.ts"
import { findVisible } from "../../../core/payments/access.ts"
import { view } from "../../../core/payments/IntentView.ts"
import { asOf } from "../../../core/payments/Lifecycle.ts"
import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import type { MovableClock } from "../../../core/ports/MovableClock.ts"
import {
  type ChannelFaults,
  Sandbox,
  type SandboxChannel,
  type SimulatedAction,
} from "../../../core/ports/Sandbox.ts"
import { Store } from "../../../core/ports/Store.ts"
import { Vault } from "../../../core/ports/Vault.ts"
import { demoAgent, isDemoAgent } from "../../../core/kyc/agents/DemoAgent.ts"
import { Failure, notFound } from "../../../core/shared/Failure.ts"
import { isId } from "../../../core/shared/Id.ts"
import { equals, type Money } from "../../../core/shared/Money.ts"
import { advanceClock } from "../../../core/work/advanceClock.ts"
import type { JobServices } from "../../../core/work/lanes.ts"
import { Books } from "./Books.ts"
import { ChannelSettings } from "./ChannelSettings.ts"
import { makeWallet, type Wallet } from "./sandboxWallet.ts"

/** 365 days, in seconds. */
const LONGEST_ADVANCE = 31_536_000

const badSeconds = () =>
  new Failure({
    code: "INVALID_REQUEST",
    message: `The clock moves by 1 to ${LONGEST_ADVANCE} whole seconds.`,
    field: "seconds",
    details: [{ field: "seconds", reason: `must be a whole number from 1 to ${LONGEST_ADVANCE}` }],
  })

/** The payer did not agree to this amount: whoever sent the link has named another one. */
const otherAmount = (amount: Money, agreed: Money) =>
  new Failure({
    code: "INVALID_AMOUNT",
    message:
      `The payment is about ${amount.value} ${amount.currency}, in minor units, not ` +
      `${agreed.value} ${agreed.currency}. Nothing was done.`,
    field: "amount",
    details: { field: "amount", value: agreed, constraint: "must be the payment's amount", amount },
  })

/** Returns the channel whose wallet acts: the payment's, else the first that it offers. */
const channelOf = (intent: PaymentIntent): string | undefined =>
  intent.channel ?? intent.offers[0]?.channel

/**
 * Finds the payment that a wallet acts on. Every account can pay a payment of a paid endpoint. Only
 * the accounts of other payments can pay those.
 */
const findSimulated = Effect.fnUntraced(function* (caller: Caller, id: string) {
  const store = yield* Store
  const challenge = isId("pi", id) ? yield* store.find("challenge", challengeId(id)) : undefined
  const intent = challenge === undefined ? undefined : yield* store.find("payment_intent", id)
  return intent ?? (yield* findVisible(caller, id))
})

const makeSimulate = Effect.fnUntraced(function* ({ actOn }: Wallet) {
  const context = yield* Effect.context<Store>()

  return Effect.fnUntraced(function* (
    caller: Caller,
    id: string,
    action: SimulatedAction,
    agreed?: Money,
  ) {
    const now = yield* Clock.currentTimeMillis
    const intent = asOf(yield* findSimulated(caller, id), now)
    if (agreed !== undefined && !equals(intent.amount, agreed)) {
      return yield* otherAmount(intent.amount, agreed)
    }
    yield* actOn(intent, channelOf(intent), action)
    return view(yield* findSimulated(caller, id), yield* Clock.currentTimeMillis, caller.account.id)
  }, Effect.provideContext(context))
})

const make = Effect.gen(function* () {
  const books = yield* Books
  const settings = yield* ChannelSettings
  const store = yield* Store
  const vault = yield* Vault
  const context = yield* Effect.context<JobServices | Store | MovableClock>()
  const turn = Semaphore.makeUnsafe(1)
  const wallet = yield* makeWallet

  const setFaults = Effect.fnUntraced(function* (channel: string, faults: Partial<ChannelFaults>) {
    const known = (yield* settings.all).get(channel)
    if (known === undefined) return yield* notFound("channel", channel)
    yield* settings.setFaults(channel, faults)
    const changed: SandboxChannel = (yield* settings.all).get(channel) ?? known
    return changed
  })

  const advance = Effect.fnUntraced(function* (seconds: number) {
    if (!Number.isInteger(seconds) || seconds < 1 || seconds > LONGEST_ADVANCE) {
      return yield* badSeconds()
    }
    return yield* turn.withPermit(advanceClock(seconds))
  }, Effect.provideContext(context))

  return Sandbox.of({
    simulate: yield* makeSimulate(wallet),
    act: wallet.act,
    decide: wallet.decide,
    channels: () => Effect.map(settings.all, (all) => [...all.values()]),
    setFaults,
    advance,
    reset: Effect.fnUntraced(function* ({ account }) {
      const record = demoAgent(account, vault.sha256, yield* Clock.currentTimeMillis)
      const isDemo = isDemoAgent(yield* store.find("agent", record.id))
      // Only the payments say which charges are the account's. So the charges go first, and after a
      // failure a repetition finds what is left.
      yield* books.erase(account.id)
      yield* store.eraseAccountData(account.id)
      // The demo seller starts again as at first. Another process may have written the same before.
      const kept = store.commit({ writes: [{ op: "insert", kind: "agent", record }] })
      if (isDemo) yield* Effect.catchTag(kept, "Conflict", () => Effect.void)
      return { reset: true } as const
    }),
  })
})

/** The controls of the sandbox, for testers. */
export const layer = Layer.effect(Sandbox, make)
