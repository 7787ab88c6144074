import { Effect } from "effect"
import { ChannelRefusal, type Channels } from "../../../core/ports/Channels.ts"
import { type Store, StoreUnavailable } from "../../../core/ports/Store.ts"
import type { WebhookOutcome, WebhookSender } from "../../../core/ports/WebhookSender.ts"
import { CALL_TIMEOUT } from "../../faults/Faults.ts"

/** Whether the link is down; asked before and after everything that goes over it. */
type IsCut = () => boolean

const UNREACHABLE = { type: "unknown", message: "The channel cannot be reached." } as const

/** Waits in vain where the link is down, also where what was asked for has been done meanwhile. */
const over =
  (isCut: IsCut) =>
  <A, E>(asked: Effect.Effect<A, E>, unanswered: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend((): Effect.Effect<A, E> => {
      if (isCut()) return unanswered
      return Effect.flatMap(asked, (answer): Effect.Effect<A, E> =>
        isCut() ? unanswered : Effect.succeed(answer),
      )
    })

/** The channels over a process's link to them. */
export const linkedChannels = (
  channels: Channels["Service"],
  isCut: IsCut,
): Channels["Service"] => {
  const send = over(isCut)
  const unknown = Effect.as(Effect.sleep(CALL_TIMEOUT), UNREACHABLE)
  const down = Effect.fail(new ChannelRefusal({ reason: "down", message: UNREACHABLE.message }))
  return {
    ...channels,
    createQr: (charge) => send(channels.createQr(charge), down),
    createDeepLink: (charge) => send(channels.createDeepLink(charge), down),
    call: (call) => send(channels.call(call), unknown),
    ask: (call) => send(channels.ask(call), unknown),
    query: (charge) => send(channels.query(charge), unknown),
    statement: (...asked) => send(channels.statement(...asked), down),
  }
}

/** The sender of webhooks over a process's link to the rest of the world. */
export const linkedSender = (
  sender: WebhookSender["Service"],
  isCut: IsCut,
): WebhookSender["Service"] => {
  const lost = Effect.succeed<WebhookOutcome>({
    status: null,
    duration_ms: 0,
    error: "connection_reset",
  })
  return { send: (request) => over(isCut)(sender.send(request), lost) }
}

type Ask = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>

type Named = readonly [name: string, ask: unknown]

/** The store over a process's connections, of which none may be left. */
export const linkedStore = (
  store: Store["Service"],
  isCut: IsCut,
  isExhausted: IsCut,
): Store["Service"] => {
  const lost = (outcome: StoreUnavailable["outcome"], cause: string) =>
    Effect.fail(new StoreUnavailable({ outcome, cause }))
  const linked = Object.entries(store).map(([name, ask]: readonly [string, unknown]): Named => {
    if (name.startsWith("watch")) return [name, ask]
    const inner = ask as Ask
    const asked: Ask = (...args) =>
      Effect.suspend(() => {
        if (isExhausted()) return lost("not_stored", "no connection is free")
        if (isCut()) return lost("not_stored", "the store cannot be reached")
        const answered = inner(...args)
        if (name !== "commit") return answered
        return Effect.flatMap(answered, (answer) =>
          isCut() ? lost("unknown", "the connection was lost") : Effect.succeed(answer),
        )
      })
    return [name, asked]
  })
  return { ...store, ...(Object.fromEntries(linked) as Partial<Store["Service"]>) }
}
