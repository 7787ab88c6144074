import { type Context, Effect, Layer } from "effect"
import { CallCounter } from "./CallCounter.ts"
import { type Check, collect, type Contract, type MethodsCovered } from "./Contract.ts"

/** Makes the checks of a port's adapter. Each opens its own adapter, whose calls are counted. */
export const portContract = <I, S extends object>(
  port: Context.Key<I, S>,
  methods: { readonly [M in keyof S]: 0 },
  open: () => Layer.Layer<I, unknown>,
  parts: ReadonlyArray<(check: Check<I>) => unknown>,
): Contract<MethodsCovered> => {
  const counter = new CallCounter(Object.keys(methods))
  const seen = Layer.effect(port, Effect.map(port, counter.watch))
  const checks = collect<I>(
    (test) => Effect.suspend(() => Effect.provide(test, Layer.provide(seen, open()))),
    parts,
  )
  return { checks, coverage: () => ({ methods: counter.counted() }) }
}
