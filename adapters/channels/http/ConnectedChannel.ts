import { Effect, Result } from "effect"
import { ChannelRefusal } from "../../../core/ports/Channels.ts"
import { decode, type InputSchema } from "../../../core/shared/Decode.ts"
import type { HttpChannel } from "./HttpChannel.ts"
import type { ClientAnswer, ChannelClient } from "./ChannelClient.ts"

/** A configured channel and the client that calls it. */
export type ConnectedChannel = HttpChannel & { readonly client: ChannelClient }

/** Finds a channel by its id. Fails with the reason `down` for one that is not configured. */
export type ChannelOf = (channel: string) => Effect.Effect<ConnectedChannel, ChannelRefusal>

/** Returns the failure for an answer that does not match the request. */
export const unexpectedAnswer = (channel: string, what: string): ChannelRefusal =>
  new ChannelRefusal({
    reason: "nonsense",
    message: `The answer of ${channel} is not valid: ${what}`,
  })

/** Replaces a failure, after which the request may have taken effect, by `unknown`. */
export const orUnknown = <A>(self: Effect.Effect<A, ChannelRefusal>) =>
  Effect.catch(self, ({ message }) => Effect.succeed({ type: "unknown", message } as const))

/** Returns the decoder of answers with a `schema` as body. A 404 fails. */
export const reader = <S extends InputSchema>(schema: S) => {
  const read = decode(schema)
  return (
    channel: string,
    { json, status }: ClientAnswer,
  ): Effect.Effect<S["Type"], ChannelRefusal> => {
    if (status === 404)
      return Effect.fail(unexpectedAnswer(channel, "it does not know the record (404)."))
    return Effect.fromResult(
      Result.mapError(read(json), ({ message }) => unexpectedAnswer(channel, message)),
    )
  }
}

/** Returns the path with its query, percent-encoded. Null parameters are left out. */
export const pathOf = (
  steps: ReadonlyArray<string>,
  query: { readonly [name: string]: string | null },
): string => {
  const parameters = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  )
  const path = ["/v1", ...steps.map(encodeURIComponent)].join("/")
  return `${path}?${new URLSearchParams(parameters).toString()}`
}
