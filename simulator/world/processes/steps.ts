import { Effect, type Fiber, References } from "effect"
import { CurrentCause } from "../ports/CurrentCause.ts"

/** How many steps of one verb have names of their own; those beyond share the last. */
const NAMED = 6

const counts = new WeakMap<object, number>()

/** What a fiber is busy with: a client's route without ids, a callback, or a kind of due work. */
const verbOf = (fiber: Fiber.Fiber<unknown, unknown>): string => {
  const cause = fiber.getRef(CurrentCause)
  if (cause.type === "client") return cause.route.replace(/\/[a-z]+_[^/]*/, "/{id}")
  const { kind } = fiber.getRef(References.CurrentLogAnnotations)
  return cause.type === "worker" && typeof kind === "string" ? `due ${kind}` : cause.type
}

/** The label of what a fiber is about to ask, such as `POST /v1/refunds 2 commit`. */
const labelOf = (fiber: Fiber.Fiber<unknown, unknown>, ask: string): string => {
  const count = (counts.get(fiber) ?? 0) + 1
  counts.set(fiber, count)
  return `${verbOf(fiber)} ${Math.min(count, NAMED)} ${ask}`
}

/** What may happen to a process at a step; the effect goes on when the process does. */
export type Stepping = (label: string, asked?: object) => Effect.Effect<void>

type Asking = (...args: ReadonlyArray<never>) => unknown

/**
 * A port whose named questions are steps: before and after each, `at` decides whether the process
 * goes on.
 */
export const stepped = <S extends object>(
  service: S,
  asks: ReadonlyArray<keyof S & string>,
  at: Stepping,
): S => {
  const wrap =
    (ask: string, inner: Asking): Asking =>
    (...args) =>
      Effect.withFiber((fiber) => {
        const label = labelOf(fiber, ask)
        const [what] = args as ReadonlyArray<unknown>
        const isThing = typeof what === "object" && what !== null
        const before = at(`${label}: before`, isThing ? what : undefined)
        const asked = Effect.suspend(() => inner(...args) as Effect.Effect<unknown, unknown>)
        return Effect.tap(Effect.andThen(before, asked), () => at(`${label}: after`))
      })
  const wrapped = asks.map((ask) => [ask, wrap(ask, service[ask] as Asking)])
  return { ...service, ...(Object.fromEntries(wrapped) as Partial<S>) }
}
