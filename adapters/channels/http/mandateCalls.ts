import { Effect } from "effect"
import type { Channels, MandateAnswer, MandateReference } from "../../../core/ports/Channels.ts"
import { type LineOf, nonsense, pathOf, reader } from "./Line.ts"
import type { Answer } from "./Link.ts"
import * as Wire from "./Wire.ts"

type Calls = Pick<Channels["Service"], "requestMandate" | "askMandate" | "revokeMandate">

const readMandate = reader(Wire.MandateBody)

const answered = Effect.fnUntraced(function* (
  { channel, mandate_id }: MandateReference,
  answer: Answer,
) {
  if (answer.status === 404) return { type: "not_found" } as const
  const body = yield* readMandate(channel, answer)
  if (body.mandate_id !== mandate_id) {
    return yield* nonsense(channel, `nothing about ${mandate_id}.`)
  }
  return Wire.mandateOf(body)
})

/** Mandates in the protocol's words: whatever goes wrong is found out by asking. */
export const mandateCalls = (lineOf: LineOf): Calls => {
  const send = (mandate: MandateReference, path: string, body: object) =>
    Effect.gen(function* () {
      const { channel, mandate_id } = mandate
      const { link } = yield* lineOf(channel)
      const answer = yield* link.send({ method: "POST", path, number: mandate_id, body })
      return yield* answered(mandate, answer)
    }).pipe(
      Effect.catch(({ message }) => Effect.succeed<MandateAnswer>({ type: "unknown", message })),
    )
  return {
    requestMandate: (mandate) => send(mandate, "/v1/mandates", mandate),
    askMandate: (mandate) =>
      Effect.gen(function* () {
        const { channel, mandate_id: number } = mandate
        const { link } = yield* lineOf(channel)
        const path = pathOf(["mandates", number], { channel })
        return yield* answered(mandate, yield* link.ask({ method: "GET", path, number }))
      }).pipe(
        Effect.catch(({ message }) => Effect.succeed<MandateAnswer>({ type: "unknown", message })),
      ),
    revokeMandate: ({ channel, mandate_id }) =>
      send({ channel, mandate_id }, `/v1/mandates/${encodeURIComponent(mandate_id)}/revoke`, {
        channel,
        mandate_id,
      }),
  }
}
