import { Effect } from "effect"
import type { Channels, MandateReference } from "../../../core/ports/Channels.ts"
import { type ChannelOf, unexpectedAnswer, pathOf, reader, orUnknown } from "./ConnectedChannel.ts"
import type { ClientAnswer } from "./ChannelClient.ts"
import * as Wire from "./Wire.ts"

type Calls = Pick<Channels["Service"], "requestMandate" | "askMandate" | "revokeMandate">

const readMandate = reader(Wire.MandateBody)

const answered = Effect.fnUntraced(function* (
  { channel, mandate_id }: MandateReference,
  answer: ClientAnswer,
) {
  if (answer.status === 404) return { type: "not_found" } as const
  const body = yield* readMandate(channel, answer)
  if (body.mandate_id !== mandate_id) {
    return yield* unexpectedAnswer(channel, `it is not about the mandate ${mandate_id}.`)
  }
  return Wire.mandateOf(body)
})

/** Returns the calls about mandates. A failed call ends `unknown`, and a worker queries later. */
export const mandateCalls = (channelOf: ChannelOf): Calls => {
  const send = (mandate: MandateReference, path: string, body: object) =>
    Effect.gen(function* () {
      const { channel, mandate_id } = mandate
      const { client } = yield* channelOf(channel)
      const answer = yield* client.send({ method: "POST", path, number: mandate_id, body })
      return yield* answered(mandate, answer)
    }).pipe(orUnknown)
  return {
    requestMandate: (mandate) => send(mandate, "/v1/mandates", mandate),
    askMandate: (mandate) =>
      Effect.gen(function* () {
        const { channel, mandate_id: number } = mandate
        const { client } = yield* channelOf(channel)
        const path = pathOf(["mandates", number], { channel })
        return yield* answered(mandate, yield* client.ask({ method: "GET", path, number }))
      }).pipe(orUnknown),
    revokeMandate: ({ channel, mandate_id }) =>
      send({ channel, mandate_id }, `/v1/mandates/${encodeURIComponent(mandate_id)}/revoke`, {
        channel,
        mandate_id,
      }),
  }
}
