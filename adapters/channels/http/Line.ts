import { Effect, Result } from "effect"
import { ChannelRefusal } from "../../../core/ports/Channels.ts"
import { decode, type InputSchema } from "../../../core/shared/Decode.ts"
import type { HttpChannel } from "./HttpChannel.ts"
import type { Answer, Link } from "./Link.ts"

/** A channel that is configured, with the line to it. */
export type Line = HttpChannel & { readonly link: Link }

/** Finds a channel's line; one that is not configured is down. */
export type LineOf = (channel: string) => Effect.Effect<Line, ChannelRefusal>

/** The refusal of an answer that does not say what was asked. */
export const nonsense = (channel: string, what: string): ChannelRefusal =>
  new ChannelRefusal({ reason: "nonsense", message: `${channel} answered nonsense: ${what}` })

/** Reads the body of an answer that has to be one of `schema`. */
export const reader = <S extends InputSchema>(schema: S) => {
  const read = decode(schema)
  return (channel: string, { json, status }: Answer): Effect.Effect<S["Type"], ChannelRefusal> => {
    if (status === 404) return Effect.fail(nonsense(channel, "it knows nothing of that."))
    return Effect.fromResult(
      Result.mapError(read(json), ({ message }) => nonsense(channel, message)),
    )
  }
}

/** A path with its query, whatever is in the values. */
export const pathOf = (
  steps: ReadonlyArray<string>,
  query: { readonly [name: string]: string | null },
): string => {
  const said = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== null)
  const path = ["/v1", ...steps.map(encodeURIComponent)].join("/")
  return `${path}?${new URLSearchParams(said).toString()}`
}
