import { Clock, Effect } from "effect"
import type { Store } from "../../../core/ports/Store.ts"
import { RealAsynchrony, type VirtualTime } from "../../time/VirtualTime.ts"

type Service = Store["Service"]

/** A running call of the store. */
interface Call {
  readonly name: string
  /** How many of its fibers sleep in virtual time. */
  sleeping: number
}

/** Returns a clock that counts the fibers that sleep by it. */
const counting = (clock: Clock.Clock, call: Call): Clock.Clock => ({
  currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
  currentTimeMillis: clock.currentTimeMillis,
  currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
  currentTimeNanos: clock.currentTimeNanos,
  monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
  monotonicTimeNanos: clock.monotonicTimeNanos,
  sleep: (duration) =>
    Effect.suspend(() => {
      call.sleeping += 1
      return Effect.ensuring(
        clock.sleep(duration),
        Effect.sync(() => (call.sleeping -= 1)),
      )
    }),
})

const refusal = (name: string): RealAsynchrony =>
  new RealAsynchrony({
    message:
      `Store.${name} waits for a promise or a callback of the real world, which virtual time ` +
      "refuses: a store in a simulated world has to answer synchronously. Hold a store that " +
      "talks to something to storeContracts of payport/testing instead, or play against a " +
      "service that runs on it with payport simulate --url.",
  })

/**
 * Wraps a foreign store. The world refuses the store as soon as it waits for the real world: if
 * nothing else can run, and no running call sleeps in virtual time.
 */
export const answeringStore = (store: Service, time: VirtualTime): Service => {
  const calls = new Set<Call>()
  time.whenStill(() => {
    const [first] = calls
    if (first === undefined || [...calls].some(({ sleeping }) => sleeping > 0)) return
    throw refusal(first.name)
  })
  const watched = <A, E, R>(name: string, called: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      const call: Call = { name, sleeping: 0 }
      calls.add(call)
      const counted = Clock.clockWith((clock) =>
        Effect.provideService(called, Clock.Clock, counting(clock, call)),
      )
      return Effect.ensuring(
        counted,
        Effect.sync(() => calls.delete(call)),
      )
    })
  return new Proxy(store, {
    get: (target, name: keyof Service) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== "function") return member
      return (...args: ReadonlyArray<unknown>): unknown => {
        const answer: unknown = Reflect.apply(member, target, args)
        return Effect.isEffect(answer) ? watched(name, answer) : answer
      }
    },
  })
}
