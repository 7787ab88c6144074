import { Clock, Context, Effect, Layer, Schema } from "effect"
import { Documents } from "../../../core/ports/Documents.ts"
import { Installation } from "../../../core/ports/Installation.ts"
import {
  type ChannelFaults,
  NO_CHANNEL_FAULTS,
  type SandboxChannel,
} from "../../../core/ports/Sandbox.ts"
import type { StoreUnavailable } from "../../../core/ports/Store.ts"
import { type Unsealable, Vault } from "../../../core/ports/Vault.ts"
import { SECOND } from "../../../core/shared/Timestamp.ts"
import { retryWrite } from "../../shared/retryWrite.ts"

/** By channel: its sealed secret, and its active faults. */
const Stored = Schema.Record(
  Schema.String,
  Schema.Struct({
    secret: Schema.String,
    faults: Schema.Record(Schema.String, Schema.Union([Schema.Boolean, Schema.String])),
  }),
)
type Stored = typeof Stored.Type

const decodeStored = Schema.decodeUnknownEffect(Stored)

const SCOPE = "sandbox"
const ID = "channels"

/** How long settings are cached: changes of other processes show within this time. */
const KEPT = SECOND

type Settings = ReadonlyMap<string, SandboxChannel>

/** The secrets and faults of the sandbox's channels, shared by all processes. */
export class ChannelSettings extends Context.Service<
  ChannelSettings,
  {
    readonly all: Effect.Effect<Settings>
    readonly setFaults: (
      channel: string,
      faults: Partial<ChannelFaults>,
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("payport/adapters/channels/sandbox/ChannelSettings") {}

const place = (channel: string): string => `sandbox_channel:${channel}`

/** Changes the stored settings, and returns the new ones. */
const change = Effect.fnUntraced(function* (decide: (stored: Stored) => Stored) {
  const documents = yield* Documents
  const found = yield* documents.get(SCOPE, ID)
  const stored = found === undefined ? {} : yield* Effect.orDie(decodeStored(found.body))
  const next = decide(stored)
  if (next !== stored) {
    const version = found?.version ?? 0
    yield* documents.put({ scope: SCOPE, id: ID, version, body: next, due_at: null })
  }
  return next
}, retryWrite)

const reveal = Effect.fnUntraced(function* (stored: Stored) {
  const vault = yield* Vault
  const shown = yield* Effect.forEach(
    Object.entries(stored),
    Effect.fnUntraced(function* ([channel, { secret, faults }]) {
      return {
        channel,
        secret: yield* vault.open(place(channel), secret),
        faults: { ...NO_CHANNEL_FAULTS, ...faults },
      }
    }),
  )
  return new Map(shown.map((settings) => [settings.channel, settings]))
})

/** Gives every channel of the catalog without a secret a new one. */
const provision = Effect.fnUntraced(function* () {
  const { catalog } = yield* Installation
  const vault = yield* Vault
  return yield* change((stored) => {
    const missing = catalog.filter(({ id }) => stored[id] === undefined)
    const added = missing.map(
      ({ id }) => [id, { secret: vault.seal(place(id), vault.token()), faults: {} }] as const,
    )
    return added.length === 0 ? stored : { ...stored, ...Object.fromEntries(added) }
  })
})

/** Seals the channels' secrets again if they are not under the data key `current`. */
export const resealChannels = Effect.fnUntraced(function* (current: string) {
  const documents = yield* Documents
  const vault = yield* Vault
  const found = yield* documents.get(SCOPE, ID)
  if (found === undefined) return
  const stored = yield* Effect.orDie(decodeStored(found.body))
  const anew = yield* Effect.forEach(
    Object.entries(stored),
    Effect.fnUntraced(function* ([channel, entry]) {
      if (vault.keyOf(entry.secret) === current) return [channel, entry] as const
      const secret = yield* Effect.orDie(vault.open(place(channel), entry.secret))
      return [channel, { ...entry, secret: vault.seal(place(channel), secret) }] as const
    }),
  )
  yield* documents.put({ ...found, body: Object.fromEntries(anew) })
}, retryWrite)

const make: Effect.Effect<
  ChannelSettings["Service"],
  StoreUnavailable | Unsealable,
  Documents | Installation | Vault
> = Effect.gen(function* () {
  const context = yield* Effect.context<Documents | Installation | Vault>()
  let known: Settings = yield* Effect.flatMap(provision(), reveal)
  let readAt = yield* Clock.currentTimeMillis

  const read = Effect.flatMap(provision(), reveal).pipe(
    Effect.map((settings) => {
      known = settings
    }),
    // While the store is unreachable, the last settings apply.
    Effect.catch((error) => Effect.logWarning("The sandbox's settings cannot be read.", error)),
    Effect.provideContext(context),
  )

  const all = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (Math.abs(now - readAt) >= KEPT) {
      readAt = now
      yield* read
    }
    return known
  })

  const setFaults = Effect.fnUntraced(function* (channel: string, faults: Partial<ChannelFaults>) {
    const stored = yield* change((before) => {
      const entry = before[channel]
      if (entry === undefined) return before
      const next = { ...entry, faults: { ...entry.faults, ...faults } }
      return { ...before, [channel]: next }
    })
    known = yield* Effect.orDie(reveal(stored))
  }, Effect.provideContext(context))

  return { all, setFaults }
})

/** Fails with `Unsealable` if the secrets were sealed under another master key. */
export const layer = Layer.effect(ChannelSettings, make)
