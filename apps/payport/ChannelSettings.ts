import { Result } from "effect"
import type { HttpChannel } from "../../adapters/channels/http/HttpChannel.ts"
import type { OwnChannel } from "../../adapters/channels/own/OwnChannel.ts"
import { defaultCatalog } from "../../core/channels/Catalog.ts"
import { type Catalog, type Channel, find } from "../../core/channels/Channel.ts"
import { type Read, wrong } from "./decodeOption.ts"
import { GatewayOption, readGateway } from "./gateway.ts"
import { OwnChannelOption, readEntry, readOwnChannel } from "./OwnChannelOption.ts"
import { SandboxOption } from "./PayportOptions.ts"

/** The checked channels of a payport. */
export interface ChannelSettings {
  readonly mode: "sandbox" | "live"
  /** All channels, in order of preference. */
  readonly catalog: Catalog
  readonly gateways: ReadonlyArray<HttpChannel>
  readonly own: ReadonlyArray<OwnChannel>
}

/** A channel of the host, with the catalog entry that it is called as. */
interface Called {
  readonly entry: Channel
  readonly gateway?: HttpChannel
  readonly own?: OwnChannel
}

/** Reads a channel: the name of one of the thirteen, or an entry of the host's own. */
const readNamed = (option: string, given: unknown): Read<Channel> => {
  if (typeof given !== "string") return readEntry(option, given)
  const known = find(defaultCatalog, given)
  return known === undefined
    ? wrong(
        option,
        `names a channel that is not in the catalog, which has ` +
          `${defaultCatalog.map(({ id }) => id).join(", ")}; give an entry for one of your own`,
      )
    : Result.succeed(known)
}

const readCalled = (option: string, given: unknown): Read<Called> =>
  Result.gen(function* () {
    if (given instanceof OwnChannelOption) {
      const own = yield* readOwnChannel(option, given)
      return { entry: own.channel, own }
    }
    if (!(given instanceof GatewayOption)) {
      return yield* wrong(
        option,
        "has to be gateway({ channel, baseUrl, … }) or defineChannel({ channel, createQr, … }) " +
          "of payport/channels",
      )
    }
    const line = yield* readGateway(option, given)
    const entry = yield* readNamed(`${option}.channel`, given.options.channel)
    return { entry, gateway: { ...line, channel: entry.id } }
  })

const readList = <A>(
  option: string,
  given: unknown,
  read: (option: string, given: unknown) => Read<A>,
): Read<ReadonlyArray<A>> =>
  Array.isArray(given)
    ? Result.all(given.map((one, place) => read(`${option}.${place}`, one)))
    : wrong(option, "has to be a list of channels")

const settingsOf = (
  mode: ChannelSettings["mode"],
  called: ReadonlyArray<Called>,
  simulated: Catalog,
): Read<ChannelSettings> => {
  const catalog = [...called.map(({ entry }) => entry), ...simulated]
  const names = catalog.map(({ id }) => id)
  const twice = names.find((name, n) => names.indexOf(name) !== n)
  return twice === undefined
    ? Result.succeed({
        mode,
        catalog,
        gateways: called.flatMap(({ gateway }) => gateway ?? []),
        own: called.flatMap(({ own }) => own ?? []),
      })
    : wrong("channels", `has ${twice} twice: a name is one channel`)
}

const readSandbox = ({ contents }: SandboxOption): Read<ChannelSettings> =>
  Result.gen(function* () {
    const { channels = [], simulated, ...rest } = contents
    const [unknown] = Object.keys(rest)
    if (unknown !== undefined) {
      return yield* wrong(`channels.${unknown}`, "is not known. There are: simulated, channels")
    }
    const called = yield* readList("channels.channels", channels, readCalled)
    const names = called.map(({ entry }) => entry.id)
    return yield* settingsOf(
      "sandbox",
      called,
      simulated === undefined
        ? defaultCatalog.filter(({ id }) => !names.includes(id))
        : yield* readList("channels.simulated", simulated, readNamed),
    )
  })

/** Reads the channels from the options of `makePayport`, and builds their catalog. */
export const readChannels = (given: unknown): Read<ChannelSettings> => {
  if (given instanceof SandboxOption) return readSandbox(given)
  if (!Array.isArray(given) || given.length === 0) {
    return wrong("channels", "has to be sandbox() of payport/sandbox, or a list of channels")
  }
  return Result.flatMap(readList("channels", given, readCalled), (called) =>
    settingsOf("live", called, []),
  )
}
