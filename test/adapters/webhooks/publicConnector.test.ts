import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { Socket } from "node:net"
import { buildConnector } from "undici"
import {
  type ConnectorOptions,
  type MakeConnector,
  makePublicConnector,
} from "../../../adapters/webhooks/publicConnector.ts"
import { rawReceiver } from "./servers.ts"

/** Connects to the first address of the look-up, or to the literal, without leaving the process. */
const pretending =
  (reached: Array<string>): MakeConnector =>
  (options) =>
  (target, callback) => {
    const lookup = "lookup" in options ? options.lookup : undefined
    const connected = (address: string) => {
      reached.push(address)
      const socket = new Socket()
      Object.defineProperty(socket, "remoteAddress", { value: address })
      callback(null, socket)
    }
    if (/^[\d.]+$|:/.test(target.hostname)) return connected(target.hostname)
    lookup?.(target.hostname, { all: true }, (error, addresses) => {
      if (error !== null) return callback(error, null)
      if (typeof addresses === "string") throw new Error("all addresses were asked for")
      connected(addresses[0]?.address ?? "")
    })
  }

/** Returns the error of opening a connection; null if it opens. */
const errorOf = (open: buildConnector.connector, target: buildConnector.Options) =>
  Effect.promise(
    () => new Promise<Error | null>((resolve) => open(target, (...[error]) => resolve(error))),
  )

/** Opens one connection, and says where it led or why it was refused. */
const connect = (
  hostname: string,
  answers: ReadonlyArray<string> | Error,
  { local = false, make }: { readonly local?: boolean; readonly make?: MakeConnector } = {},
) =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const reached: Array<string> = []
    const options: ConnectorOptions = {
      local,
      timeout: 20_000,
      resolveName: async (name) => {
        asked.push(name)
        if (answers instanceof Error) throw answers
        return answers
      },
    }
    const open = makePublicConnector(options, make ?? pretending(reached))
    const target = { hostname, protocol: "http:", port: "80" }
    const error = yield* errorOf(open, target)
    return { asked, reached, code: error === null ? null : Reflect.get(error, "code") }
  })

const UNRESOLVED = "NAME_UNRESOLVED"
const FORBIDDEN = "ADDRESS_FORBIDDEN"

describe("a name", () => {
  it.effect("leads to its public addresses", () =>
    Effect.gen(function* () {
      const found = yield* connect("example.com", ["93.184.216.34", "2606:2800:220:1::1"])
      expect(found).toEqual({ asked: ["example.com"], reached: ["93.184.216.34"], code: null })
    }),
  )

  const hidden = [
    ["127.0.0.1"],
    ["10.0.0.1"],
    ["169.254.169.254"],
    ["168.63.129.16"],
    ["::1"],
    ["::ffff:93.184.216.34"],
    ["64:ff9b::a9fe:a9fe"],
    ["fd00:ec2::254"],
    ["93.184.216.34", "127.0.0.1"],
    ["93.184.216.34", "2606:2800:220:1::1", "fe80::1"],
    ["0177.0.0.1"],
    [""],
  ]
  for (const addresses of hidden) {
    it.effect(`is refused for ${addresses.join(" and ") || "an empty address"}`, () =>
      Effect.gen(function* () {
        const found = yield* connect("example.com", addresses)
        expect(found).toEqual({ asked: ["example.com"], reached: [], code: FORBIDDEN })
      }),
    )
  }

  it.effect("is resolved anew for each connection, so that a change of mind is seen", () =>
    Effect.gen(function* () {
      const answers = [["93.184.216.34"], ["127.0.0.1"]]
      const reached: Array<string> = []
      const open = makePublicConnector(
        {
          local: false,
          timeout: 20_000,
          resolveName: async () => answers.shift() ?? [],
        },
        pretending(reached),
      )
      const target = { hostname: "rebound.example", protocol: "https:", port: "443" }
      expect(yield* errorOf(open, target)).toBeNull()
      expect(yield* errorOf(open, target)).toMatchObject({ code: FORBIDDEN })
      expect(reached).toEqual(["93.184.216.34"])
    }),
  )

  it.effect("without an address is not found", () =>
    Effect.gen(function* () {
      expect(yield* connect("example.com", [])).toMatchObject({ reached: [], code: UNRESOLVED })
    }),
  )

  it.effect("that cannot be resolved is not found either", () =>
    Effect.gen(function* () {
      const failure = Object.assign(new Error("queryA ESERVFAIL"), { code: "ESERVFAIL" })
      expect(yield* connect("example.com", failure)).toMatchObject({ code: UNRESOLVED })
    }),
  )
})

describe("a literal address", () => {
  for (const literal of ["127.0.0.1", "10.0.0.1", "::1", "::ffff:8.8.8.8", "168.63.129.16"]) {
    it.effect(`${literal} is refused before anything is opened`, () =>
      Effect.gen(function* () {
        const found = yield* connect(literal, ["93.184.216.34"])
        expect(found).toEqual({ asked: [], reached: [], code: FORBIDDEN })
      }),
    )
  }

  it.effect("that is public is never looked up", () =>
    Effect.gen(function* () {
      const found = yield* connect("93.184.216.34", ["127.0.0.1"])
      expect(found).toEqual({ asked: [], reached: ["93.184.216.34"], code: null })
    }),
  )
})

describe("a local receiver", () => {
  it.effect("is reached under its names, without a question to any name server", () =>
    Effect.gen(function* () {
      const found = yield* connect("localhost", ["93.184.216.34"], { local: true })
      expect(found).toEqual({ asked: [], reached: ["127.0.0.1"], code: null })
      const six = yield* connect("::1", [], { local: true })
      expect(six.reached).toEqual(["::1"])
    }),
  )

  it.effect("is reached under no other name, nor by another address of loopback", () =>
    Effect.gen(function* () {
      expect(yield* connect("example.com", ["127.0.0.1"], { local: true })).toMatchObject({
        code: FORBIDDEN,
      })
      expect(yield* connect("127.0.0.2", [], { local: true })).toMatchObject({ code: FORBIDDEN })
    }),
  )
})

it.live("a socket that has reached another address than was looked up sends nothing", () =>
  Effect.gen(function* () {
    const receiver = yield* rawReceiver((socket) => socket.end())
    const astray: MakeConnector = () =>
      buildConnector({
        lookup: (_, _options, callback) => callback(null, [{ address: "127.0.0.1", family: 4 }]),
      })
    const open = makePublicConnector(
      {
        local: false,
        timeout: 20_000,
        resolveName: async () => ["93.184.216.34"],
      },
      astray,
    )
    const target = { hostname: "example.com", protocol: "http:", port: String(receiver.port) }
    expect(yield* errorOf(open, target)).toMatchObject({ code: FORBIDDEN })
    expect(receiver.bodies).toEqual([])
  }),
)

it("makes no context of TLS for each of its connections", () => {
  const given: Array<unknown> = []
  const make: MakeConnector = (options) => {
    given.push("secureContext" in options ? options.secureContext : undefined)
    return pretending([])(options)
  }
  makePublicConnector({ local: false, timeout: 20_000, resolveName: async () => [] }, make)
  expect(given).toEqual([expect.objectContaining({ context: expect.anything() })])
})
