import { Result } from "effect"
import type { OwnChannel } from "../../adapters/channels/own/OwnChannel.ts"
import { GATEWAY_TIMEOUT } from "../../adapters/channels/http/HttpChannel.ts"
import type { Channel } from "../../core/channels/Channel.ts"
import { ChannelEntry } from "../../core/channels/ChannelEntry.ts"
import { decodeOption, type Read, wrong } from "./decodeOption.ts"

/** Marks a channel made by {@link defineChannel}. */
export class OwnChannelOption {
  readonly definition: OwnChannel

  constructor(definition: OwnChannel) {
    this.definition = definition
  }
}

/**
 * Makes a channel of the host's own for the option `channels`: its catalog entry, and functions
 * that make charges, move money and read its callbacks.
 */
export const defineChannel = (definition: OwnChannel): OwnChannelOption =>
  new OwnChannelOption(definition)

/** Reads an entry of a catalog; fails with its first wrong field. */
export const readEntry: (option: string, given: unknown) => Read<Channel> =
  decodeOption(ChannelEntry)

const NEEDED = [
  "createQr",
  "capture",
  "release",
  "close",
  "refund",
  "inquire",
  "inquireCharge",
  "statement",
] as const satisfies ReadonlyArray<keyof OwnChannel>

const GROUPS = {
  codec: ["verify", "read"],
  debits: ["debit", "requestMandate", "inquireMandate", "revokeMandate"],
} as const satisfies {
  readonly [G in keyof OwnChannel]?: ReadonlyArray<keyof NonNullable<OwnChannel[G]>>
}

const NAMES: ReadonlyArray<string> = [
  "channel",
  "timeoutMs",
  "createDeepLink",
  "codec",
  "debits",
  ...NEEDED,
]

const { least, most } = GATEWAY_TIMEOUT

const isTimeout = (given: unknown): boolean =>
  given === undefined ||
  (Number.isInteger(given) && Number(given) >= least && Number(given) <= most)

/** Returns the dotted name of the first member that is not a function; undefined if all are. */
const missingFunction = (definition: object): string | undefined => {
  const of = (holder: unknown, names: ReadonlyArray<string>, prefix: string) =>
    names
      .filter(
        (name) =>
          typeof holder !== "object" ||
          holder === null ||
          typeof Reflect.get(holder, name) !== "function",
      )
      .map((name) => `${prefix}${name}`)
  const debits: unknown = Reflect.get(definition, "debits")
  return [
    ...of(definition, NEEDED, ""),
    ...of(Reflect.get(definition, "codec"), GROUPS.codec, "codec."),
    ...(debits === undefined ? [] : of(debits, GROUPS.debits, "debits.")),
  ][0]
}

/** Reads the channel of {@link defineChannel}; fails with its first wrong field. */
export const readOwnChannel = (
  option: string,
  { definition }: OwnChannelOption,
): Read<OwnChannel> =>
  Result.gen(function* () {
    if (typeof definition !== "object" || definition === null) {
      return yield* wrong(option, "has to be defineChannel({ channel, createQr, … })")
    }
    const unknown = Object.keys(definition).find((name) => !NAMES.includes(name))
    if (unknown !== undefined) {
      return yield* wrong(`${option}.${unknown}`, `is not known. There are: ${NAMES.join(", ")}`)
    }
    const channel = yield* readEntry(`${option}.channel`, definition.channel)
    const missing = missingFunction(definition)
    if (missing !== undefined) return yield* wrong(`${option}.${missing}`, "has to be a function")
    const link = definition.createDeepLink
    if (link !== undefined && typeof link !== "function") {
      return yield* wrong(`${option}.createDeepLink`, "has to be a function")
    }
    if (channel.deep_links !== (link !== undefined)) {
      return yield* wrong(
        `${option}.createDeepLink`,
        "is required for a channel with deep_links, and not allowed for other channels",
      )
    }
    if (!isTimeout(definition.timeoutMs)) {
      return yield* wrong(`${option}.timeoutMs`, `has to be ${least} to ${most} milliseconds`)
    }
    return { ...definition, channel }
  })
