import { Layer, Result } from "effect"
import { randomBytes } from "node:crypto"
import { localKey } from "../../adapters/crypto/masterKeys/localKey.ts"
import type { Carriers } from "../../adapters/identity/layer.ts"
import { type BeforeCommit, flawOfHook } from "../../adapters/shared/BeforeCommit.ts"
import type { MasterKey } from "../../core/ports/MasterKey.ts"
import type { ReturnHold } from "../../core/gateway/ReturnHold.ts"
import { BOUNDS, type Kept, type Retention } from "../../core/retention/Retention.ts"
import type { Terms } from "../../core/terms/Terms.ts"
import { isId } from "../../core/shared/Id.ts"
import { DAY } from "../../core/shared/Timestamp.ts"
import { type ChannelSettings, readChannels } from "./ChannelSettings.ts"
import { readTerms } from "./TermsOption.ts"
import { readCarriers } from "./CarriersOption.ts"
import type { EventHook } from "./EventHook.ts"
import { HookWork } from "./HookWork.ts"
import { openStore } from "./openStore.ts"
import {
  type PayportOptions,
  PayportOptionsError,
  type StoreLayer,
  StoreOption,
} from "./PayportOptions.ts"

/** The checked options, with the defaults filled in. */
export interface Settings extends ChannelSettings {
  readonly store: StoreLayer
  readonly now: (() => number) | undefined
  readonly masterKey: MasterKey["Service"]
  readonly carriers: Carriers
  readonly terms: Terms
  readonly baseUrl: string
  readonly hooks: ReadonlyArray<EventHook>
  readonly hookWork: HookWork
  readonly retention: Retention
  readonly holdReturns: ReturnHold | undefined
  readonly rateLimits: boolean
  readonly ports: Layer.Layer<never>
  readonly work: boolean
  readonly log: PayportOptions["log"]
}

type Read<A> = Result.Result<A, PayportOptionsError>
type Fields = { readonly [name: string]: unknown }

const SANDBOX_URL = "http://127.0.0.1:4020"
const KEY_BYTES = 32
const NAMES = [
  "store",
  "channels",
  "clock",
  "secrets",
  "terms",
  "carriers",
  "baseUrl",
  "onEvent",
  "beforeCommit",
  "retention",
  "holdReturns",
  "rateLimits",
  "ports",
  "work",
  "log",
] satisfies Array<keyof PayportOptions>

const wrong = (option: string, message: string) =>
  Result.fail(new PayportOptionsError({ option, message: `The option ${option} ${message}` }))

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Reads the fields of an option that may have only these fields. */
const fieldsOf = (option: string, given: unknown, names: ReadonlyArray<string>): Read<Fields> => {
  if (!isObject(given)) return wrong(option, `has to be an object with ${names.join(", ")}.`)
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  return unknown === undefined
    ? Result.succeed(given)
    : wrong(`${option}.${unknown}`, `does not exist. The options are: ${names.join(", ")}.`)
}

const readStore = (given: unknown): Read<StoreOption> =>
  given instanceof StoreOption
    ? Result.succeed(given)
    : wrong(
        "store",
        "has to be memory() of payport/memory, postgres() of payport/postgres, or a storeIn().",
      )

/** The last moment that a Date can hold, in milliseconds since 1970. */
const LAST = 8.64e15

/** Whether the value is a function that returns a time. */
const tells = (given: unknown): given is () => number => {
  try {
    const time = typeof given === "function" ? (given as () => unknown)() : undefined
    return typeof time === "number" && time >= 0 && time <= LAST
  } catch {
    return false
  }
}

const readClock = (given: unknown): Read<Settings["now"]> => {
  if (given === undefined) return Result.succeed(undefined)
  return Result.flatMap(fieldsOf("clock", given, ["now"]), ({ now }) =>
    tells(now)
      ? Result.succeed(now)
      : wrong("clock.now", "has to be a function that gives milliseconds since 1970."),
  )
}

const bytesOf = (key: unknown): Uint8Array | undefined => {
  if (key instanceof Uint8Array) return new Uint8Array(key)
  return typeof key === "string" && /^[A-Za-z0-9+/_-]{43}=?$/.test(key)
    ? new Uint8Array(Buffer.from(key, "base64"))
    : undefined
}

/** Whether the value is a key that is kept elsewhere, such as in a key management service. */
const isKept = (given: unknown): given is MasterKey["Service"] =>
  isObject(given) &&
  /^mk_[0-9a-f]{16}$/.test(String(given["id"])) &&
  typeof given["wrap"] === "function" &&
  typeof given["unwrap"] === "function"

const readKey = (given: unknown, endsWithProcess: boolean): Read<MasterKey["Service"]> => {
  if (given === undefined && endsWithProcess) {
    return Result.succeed(localKey(new Uint8Array(randomBytes(KEY_BYTES))))
  }
  return Result.flatMap(fieldsOf("secrets", given, ["masterKey"]), ({ masterKey }) => {
    if (isKept(masterKey)) return Result.succeed(masterKey)
    const bytes = bytesOf(masterKey)
    return bytes?.length === KEY_BYTES
      ? Result.succeed(localKey(bytes))
      : wrong(
          "secrets.masterKey",
          `has to be ${KEY_BYTES} bytes, or these in base64, as openssl rand -base64 32 makes ` +
            "them; or a MasterKey of payport/ports, with id, wrap and unwrap. Every process on " +
            "the store has the same, and keeps it.",
        )
  })
}

const readUrl = (given: unknown, mode: Settings["mode"]): Read<string> => {
  if (given === undefined && mode === "sandbox") return Result.succeed(SANDBOX_URL)
  const url = typeof given === "string" ? URL.parse(given) : null
  const isWhole =
    url !== null &&
    (url.protocol === "https:" || url.protocol === "http:") &&
    `${url.username}${url.password}${url.search}${url.hash}` === "" &&
    !String(given).endsWith("/")
  return isWhole
    ? Result.succeed(String(given))
    : wrong("baseUrl", "has to be a URL such as https://pay.example, without a slash at its end.")
}

const CONSUMER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

const readHook = (given: unknown): Read<EventHook> =>
  Result.flatMap(fieldsOf("onEvent", given, ["consumer", "handle"]), ({ consumer, handle }) => {
    if (typeof consumer !== "string" || !CONSUMER.test(consumer)) {
      return wrong(
        "onEvent.consumer",
        "has to be a name of 1 to 64 letters, digits, dots, hyphens and underscores. payport " +
          "stores under it which events were handled.",
      )
    }
    return typeof handle === "function"
      ? Result.succeed({ consumer, handle: handle as EventHook["handle"] })
      : wrong("onEvent.handle", "has to be a function that is given an event.")
  })

const readHooks = (given: unknown): Read<ReadonlyArray<EventHook>> => {
  const all: ReadonlyArray<unknown> =
    given === undefined ? [] : Array.isArray(given) ? given : [given]
  return Result.flatMap(Result.all(all.map(readHook)), (hooks) => {
    const names = hooks.map(({ consumer }) => consumer)
    const twice = names.find((name, n) => names.indexOf(name) !== n)
    return twice === undefined
      ? Result.succeed(hooks)
      : wrong(
          "onEvent.consumer",
          `has to be a different name for each hook: ${twice} is there twice.`,
        )
  })
}

const readBeforeCommit = (given: unknown): Read<BeforeCommit<unknown> | undefined> => {
  if (given === undefined) return Result.succeed(undefined)
  const flaw = flawOfHook(given)
  if (flaw === undefined) return Result.succeed(given as BeforeCommit<unknown>)
  const message = `The option beforeCommit is not valid: ${flaw}`
  return Result.fail(new PayportOptionsError({ option: "beforeCommit", message }))
}

const readRetention = (given: unknown): Read<Retention> =>
  Result.gen(function* () {
    const kinds = Object.keys(BOUNDS) as ReadonlyArray<Kept>
    const days = yield* fieldsOf("retention", given ?? {}, kinds)
    const read = (kind: Kept): Read<number> => {
      const { least, most, usual } = BOUNDS[kind]
      const wanted = days[kind] ?? usual
      return Number.isInteger(wanted) && Number(wanted) >= least && Number(wanted) <= most
        ? Result.succeed(Number(wanted) * DAY)
        : wrong(`retention.${kind}`, `has to be ${least} to ${most} days.`)
    }
    return {
      event: yield* read("event"),
      delivery: yield* read("delivery"),
      channel_request: yield* read("channel_request"),
      callback: yield* read("callback"),
      reply: yield* read("reply"),
      unpaid: yield* read("unpaid"),
    }
  })

const isPaymentId = (given: unknown): given is string =>
  typeof given === "string" && isId("pi", given)

const readHold = (given: unknown): Read<ReturnHold | undefined> => {
  if (given === undefined) return Result.succeed(undefined)
  return Result.flatMap(
    fieldsOf("holdReturns", given, ["createdBefore", "payments"]),
    ({ createdBefore, payments }): Read<ReturnHold> => {
      if (
        createdBefore instanceof Date &&
        !isNaN(Number(createdBefore)) &&
        payments === undefined
      ) {
        return Result.succeed({ type: "created_before", at: Number(createdBefore) })
      }
      return Array.isArray(payments) && payments.every(isPaymentId) && createdBefore === undefined
        ? Result.succeed({ type: "payments", ids: new Set(payments) })
        : wrong("holdReturns", "has createdBefore, a Date, or payments, a list of their ids.")
    },
  )
}

const readSwitch = (option: "work" | "rateLimits", given: unknown): Read<boolean> =>
  given === undefined || typeof given === "boolean"
    ? Result.succeed(given ?? true)
    : wrong(option, "has to be true or false.")

const readPorts = (given: unknown): Read<Layer.Layer<never>> =>
  given === undefined
    ? Result.succeed(Layer.empty)
    : Layer.isLayer(given)
      ? Result.succeed(given as object as Layer.Layer<never>)
      : wrong("ports", "has to be a Layer of effect that needs nothing.")

const readLog = (given: unknown): Read<Settings["log"]> =>
  given === undefined || given === false || typeof given === "function"
    ? Result.succeed(given as Settings["log"])
    : wrong("log", "has to be false, or a function that is given each entry.")

/** Checks the options. Fails with the first wrong one, and says how to correct it. */
export const readOptions = (given: unknown): Read<Settings> =>
  Result.gen(function* () {
    if (!isObject(given)) {
      return yield* wrong("store", "is missing: call makePayport({ store, channels }).")
    }
    const unknown = Object.keys(given).find((name) => !NAMES.some((known) => known === name))
    if (unknown !== undefined) {
      return yield* wrong(unknown, `does not exist. The options are: ${NAMES.join(", ")}.`)
    }
    const store = yield* readStore(given["store"])
    const channels = yield* readChannels(given["channels"])
    const terms = yield* readTerms(given["terms"])
    const hookWork = new HookWork()
    const beforeCommit = yield* readBeforeCommit(given["beforeCommit"])
    return {
      ...channels,
      terms,
      carriers: yield* readCarriers(given["carriers"]),
      store: openStore(() => store.open(beforeCommit && hookWork.ofCommits(beforeCommit))),
      now: yield* readClock(given["clock"]),
      masterKey: yield* readKey(given["secrets"], store.endsWithProcess),
      baseUrl: yield* readUrl(given["baseUrl"], channels.mode),
      hooks: (yield* readHooks(given["onEvent"])).map(hookWork.ofEvents),
      hookWork,
      retention: yield* readRetention(given["retention"]),
      holdReturns: yield* readHold(given["holdReturns"]),
      rateLimits: yield* readSwitch("rateLimits", given["rateLimits"]),
      ports: yield* readPorts(given["ports"]),
      work: yield* readSwitch("work", given["work"]),
      log: yield* readLog(given["log"]),
    }
  })
