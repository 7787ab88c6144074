import { randomUUID } from "node:crypto"
import { makeChance } from "../Chance.ts"
import { CannotGrade } from "../runChecks.ts"
import { openTarget, reach } from "../Target.ts"
import { makeAsk, makeMust, makePatient } from "./asking.ts"
import { controlAt, ownControl } from "./controls.ts"
import { makeTime } from "./makeTime.ts"
import { makeOffering } from "./offering.ts"
import { openHooks } from "./Hooks.ts"
import { makePaying } from "./paying.ts"
import type { Actor, Service, ServiceOptions } from "./Service.ts"
import { Account, read } from "./Wire.ts"

/** Returns the accounts of the checks: the given ones, or new ones. */
const openActors = async (ask: Service["ask"], { keys }: ServiceOptions, run: string) => {
  if (keys.type === "accounts") {
    const { buyer, other, seller } = keys
    return {
      seller: { name: "seller", key: seller },
      buyer: { name: "buyer", key: buyer },
      other: other === undefined ? undefined : { name: "other", key: other },
    }
  }
  const open = async (name: string, kind: "seller" | "buyer"): Promise<Actor> => {
    const agent_id = `${name}-${run}`
    const body = { name: agent_id, kind, agent_id, plan: "enterprise" }
    const who = { name: "operator", key: keys.admin }
    const reply = await ask({ who, method: "POST", path: "/v1/accounts", body })
    const made = read(Account, reply.json)
    if (reply.status === 201 && "found" in made) return { name, key: made.found.api_key.key }
    throw new CannotGrade(`No account can be opened with --admin-key: ${reply.said}.`)
  }
  return {
    seller: await open("graded-seller", "seller"),
    buyer: await open("graded-buyer", "buyer"),
    other: await open("graded-other", "buyer"),
  }
}

/** Opens a service. Rejects with `CannotGrade` if nobody listens there. */
export const openService = async (
  options: ServiceOptions,
  signal: AbortSignal,
): Promise<Service> => {
  const { channel, seed, url } = options
  await reach(new URL(url), signal)
  const allowed = [url, ...(options.control === undefined ? [] : [options.control.url])]
  const target = openTarget(
    allowed.map((one) => new URL(one)),
    signal,
  )
  const run = randomUUID().slice(0, 8)
  const chance = makeChance(`${seed}/${run}`)
  const refusals: Array<Service["refusals"][number]> = []
  const once = makeAsk(target, url, refusals)
  const actors = await openActors(once, options, run)
  const control =
    options.control === undefined
      ? ownControl(target, url, actors.seller.key)
      : controlAt(target, options.control.url, options.control.key)
  const time = makeTime(control)
  await time.advance(1)
  const hooks = await openHooks(options.receiverPort, options.receiverUrl, time.now)
  const ask = makePatient(once, time)
  const basis = {
    options,
    run,
    chance,
    control,
    hooks,
    ...actors,
    ...time,
    ask,
    must: makeMust(ask),
  }
  const offering = makeOffering(basis)
  return {
    ...basis,
    ...offering,
    ...makePaying(basis, offering),
    refusals,
    signal,
    during: async (faults, part) => {
      const names = Object.keys(faults)
      try {
        await control.setFaults(channel, faults)
        return await part()
      } finally {
        await control.setFaults(channel, Object.fromEntries(names.map((name) => [name, false])))
      }
    },
    close: async () => {
      hooks.server.close()
      await target.close()
    },
  }
}
