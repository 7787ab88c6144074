import { Effect, Exit, Layer } from "effect"
import { type ChannelRefusal, Channels } from "../../core/ports/Channels.ts"
import { METRICS } from "../shared/metrics/Metrics.ts"
import { seriesOf } from "../shared/metrics/series.ts"

const calls = seriesOf(METRICS.channelCalls, "channel", "operation", "outcome")
const durations = seriesOf(METRICS.channelDuration, "channel", "operation")

/** Returns the label of a call: its outcome, `ok`, or the reason of a refusal. */
export const outcomeOf = (exit: Exit.Exit<unknown, ChannelRefusal>): string => {
  if (Exit.isSuccess(exit)) {
    const { value } = exit
    const type: unknown = typeof value === "object" && value !== null && Reflect.get(value, "type")
    return typeof type === "string" ? type : "ok"
  }
  const found = Exit.findErrorOption(exit)
  return found._tag === "Some" ? found.value.reason : "failed"
}

const timed =
  <Call extends { readonly channel: string }, A, E extends ChannelRefusal>(
    operation: (call: Call) => string,
    send: (call: Call) => Effect.Effect<A, E>,
  ) =>
  (call: Call): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      const began = performance.now()
      return Effect.onExit(send(call), (exit) =>
        Effect.sync(() => {
          const name = operation(call)
          calls(call.channel, name, outcomeOf(exit))(1)
          durations(call.channel, name)((performance.now() - began) / 1_000)
        }),
      )
    })

const measure = (inner: Channels["Service"]): Channels["Service"] => ({
  ...inner,
  createQr: timed(() => "create_qr", inner.createQr),
  createDeepLink: timed(() => "create_deep_link", inner.createDeepLink),
  call: timed(({ action }) => action, inner.call),
  ask: timed(() => "ask", inner.ask),
  requestMandate: timed(() => "request_mandate", inner.requestMandate),
  askMandate: timed(() => "ask_mandate", inner.askMandate),
  revokeMandate: timed(() => "revoke_mandate", inner.revokeMandate),
  query: timed(() => "query", inner.query),
})

/** Counts the calls of channels by outcome, and times them. */
export const measured = <E, R>(channels: Layer.Layer<Channels, E, R>) =>
  Layer.effect(Channels, Effect.map(Channels, measure)).pipe(Layer.provide(channels))
