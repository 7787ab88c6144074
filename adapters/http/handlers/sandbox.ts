import { Effect } from "effect"
import { meterAnswer } from "../../../core/billing/meterAnswer.ts"
import { Inbox } from "../../../core/ports/Inbox.ts"
import { Sandbox } from "../../../core/ports/Sandbox.ts"
import type { Store } from "../../../core/ports/Store.ts"
import type { Vault } from "../../../core/ports/Vault.ts"
import type { sandbox } from "../contract/sandbox.ts"
import type { GroupHandlers } from "../koa/Handlers.ts"

export const sandboxHandlers = {
  simulate: ({ caller, params, payload }) =>
    Effect.flatMap(Sandbox, (world) =>
      world.simulate(caller, params.id, payload.action, payload.amount),
    ),
  channels: () =>
    Effect.flatMap(Sandbox, (world) => Effect.map(world.channels(), (data) => ({ data }))),
  setFaults: ({ params, payload }) =>
    Effect.flatMap(Sandbox, (world) => world.setFaults(params.channel, payload)),
  advanceClock: ({ payload }) => Effect.flatMap(Sandbox, (world) => world.advance(payload.seconds)),
  messages: ({ caller, query }) =>
    Effect.flatMap(Inbox, (inbox) =>
      Effect.map(inbox.list(caller.account.id, query.verification_id), (data) => ({ data })),
    ),
  reset: ({ caller }) =>
    Effect.andThen(
      Effect.flatMap(Inbox, (inbox) => inbox.erase(caller.account.id)),
      Effect.flatMap(Sandbox, (world) => world.reset(caller)),
    ).pipe(Effect.flatMap((done) => meterAnswer(caller, "sandbox-reset", done))),
} satisfies GroupHandlers<typeof sandbox, Inbox | Sandbox | Store | Vault>
