import { drawScript } from "../../../simulator/drawScript.ts"
import type { Tally, Violation } from "../../../simulator/auditor/Auditor.ts"
import { leftOut, outsideInvariants } from "../../../simulator/blackbox/outsideInvariants.ts"
import { mixed } from "../../../simulator/scenarios/library.ts"
import { CannotPlay } from "../../simulate/blackbox/HttpConnection.ts"
import { playBlackbox } from "../../simulate/blackbox/playBlackbox.ts"
import type { Keys } from "../../simulate/blackbox/populate.ts"
import { makeChance } from "../Chance.ts"
import { failed, notJudged, passed, type Verdict } from "../report/Report.ts"
import type { Check } from "../runChecks.ts"
import type { GivenKeys, Service } from "./Service.ts"
import type { LevelName } from "./verdicts.ts"

/** The outcome of a world, or why none could be played. */
type World =
  | {
      readonly tallies: ReadonlyArray<Tally>
      readonly violations: ReadonlyArray<Violation>
      readonly payments: number
    }
  | { readonly why: string }

const keysOf = (keys: GivenKeys): Keys =>
  keys.type === "operator" ? keys : { type: "accounts", seller: keys.seller, buyer: keys.buyer }

/** The payers' amounts: within the limit of one payment, and less than the whole day's limit. */
const amount = { least: 100, most: 3_000 }

const play = async ({ chance, control, hooks, options, signal }: Service): Promise<World> => {
  const { keys, payments: intents, receiverPort, receiverUrl, url } = options
  if (intents === 0) return { why: "no world is played with --payments 0" }
  const seed = parseInt(makeChance(options.seed).hex(7), 16)
  const script = drawScript({ seed, intents, scenario: { ...mixed, amount } })
  // The world's receivers listen at the port of the checks' receivers.
  hooks.server.close()
  try {
    const { payments, witness } = await playBlackbox({
      url,
      keys: keysOf(keys),
      script,
      receiver_port: receiverPort,
      ...(receiverUrl !== undefined && { receiver_url: receiverUrl }),
      ...(options.control !== undefined && { control }),
      run: `graded-${chance.hex(8)}`,
      signal,
    })
    const { auditor } = witness
    return {
      tallies: auditor.tallies(),
      violations: auditor.violations,
      payments: payments.length,
    }
  } catch (error) {
    if (error instanceof CannotPlay) return { why: error.message }
    throw error
  }
}

const worlds = new WeakMap<Service, Promise<World>>()

/** Plays the world once for all of its checks. */
const worldOf = (service: Service): Promise<World> => {
  const world = worlds.get(service) ?? play(service)
  worlds.set(service, world)
  return world
}

const ADVICE = "See what the rule says, and the payment that the finding names."

const verdictOf = (world: World, number: number): Verdict => {
  if ("why" in world) return notJudged(world.why)
  const tally = world.tallies.find((one) => one.number === number)
  if (tally === undefined || tally.checks === 0) {
    return notJudged(`nothing that it speaks of happened in ${world.payments} payments`)
  }
  if (tally.violations === 0) return passed
  const first = world.violations.find((one) => one.number === number)
  const where = first === undefined ? "" : `${first.subject} ${first.finding}`
  return failed("no violation", `${tally.violations}, such as ${where}`, ADVICE)
}

const WEBHOOKS = new Set([28, 29, 30, 31, 32, 33, 34, 35, 39, 80, 205])
const MONEY = new Set([1, 2, 3, 5, 6, 7, 8, 9, 10, 40, 52, 55, 56, 62, 81, 87, 204])

const levelOf = (number: number): LevelName =>
  WEBHOOKS.has(number) ? "webhooks" : MONEY.has(number) ? "money" : "core"

/** Checks of a world of payers, sellers and faults, rule by rule, as seen from outside. */
export const WORLD: ReadonlyArray<Check<Service>> = [
  ...outsideInvariants({}).map(({ name, number, section }) => ({
    id: `world-${number}`,
    title: name,
    clause: section,
    level: levelOf(number),
    judge: async (service: Service) => verdictOf(await worldOf(service), number),
  })),
  {
    id: "world-inside",
    title: "keeps what only the service itself can see",
    clause: "Channel calls, Store, and others",
    level: "core",
    judge: async () => {
      const numbers = leftOut.map(({ number }) => number).join(", ")
      return notJudged(`these rules of the simulated world show only inside: ${numbers}`)
    },
  },
]
