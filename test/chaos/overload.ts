import { setTimeout as sleep } from "node:timers/promises"
import type { Chaos, Result, Trial } from "./Chaos.ts"
import { send } from "./client.ts"
import { Flood } from "./Flood.ts"
import { creation, newOrder, type Order } from "./orders.ts"
import { ANSWERED_WITHIN, backInTime, proxied } from "./proxied.ts"

/**
 * Milliseconds that each answer to a group of commits is held back: the disk is what a slow one is,
 * so that neither this process nor the service's processor is the bottleneck.
 */
const SLOW_COMMITS = 600

/** Requests that fill the service, beside those of the clients, and no more. */
const FULL = 240

/** Seconds of each measurement, and before it. */
const SECONDS = 8
const WARM_UP = 2

/** How much of its capacity the service has to do while ten times as much is asked. */
const LEAST = 0.9

/** What is acknowledged a second while that many wait all the time. */
const capacity = async (trial: Trial, orders: Array<Order>): Promise<number> => {
  const began = performance.now()
  const [warm, over] = [WARM_UP * 1_000, (WARM_UP + SECONDS) * 1_000]
  let acknowledged = 0
  const wait = async () => {
    while (performance.now() - began < over) {
      const one = newOrder()
      orders.push(one)
      const answer = await send(trial.service, "seller", creation(one, trial.shop))
      if (answer.status !== 201) continue
      one.created = answer
      one.told = answer.body
      const at = performance.now() - began
      if (at >= warm && at < over) acknowledged++
    }
  }
  await Promise.all(Array.from({ length: FULL }, wait))
  return acknowledged / SECONDS
}

/** Asks ten times as much as the service can do, and holds what it does against its capacity. */
const flooded = async (trial: Trial, perSecond: number): Promise<Flood> => {
  const flood = new Flood(trial.service, trial.shop, 10 * perSecond)
  await sleep(WARM_UP * 1_000)
  const before = flood.acknowledged
  await sleep(SECONDS * 1_000)
  const goodput = (flood.acknowledged - before) / SECONDS
  const { sent } = flood
  await flood.end()
  const ratio = goodput / perSecond
  const per = (n: number) => `${n.toFixed(0)}/s`
  const asked = per(sent / (SECONDS + WARM_UP))
  const found = `capacity ${per(perSecond)}, asked ${asked}, goodput ${per(goodput)}`
  process.stderr.write(`\n${found}: ${ratio.toFixed(2)}\n`)
  if (ratio < LEAST) trial.violations.push(`${found}: ${ratio.toFixed(2)} of what it can do`)
  return flood
}

/** Asks ten times what the service can do: it does as much as before, and refuses the rest. */
export const overload = (chaos: Chaos): Promise<Result> =>
  proxied(chaos, "overload", async ({ proxy, trial }, load) => {
    proxy.slow(SLOW_COMMITS)
    const perSecond = await capacity(trial, load.orders)
    const flood = await flooded(trial, perSecond)
    proxy.slow(0)
    load.orders.push(...flood.orders)
    load.acknowledged += flood.acknowledged
    load.wrong.push(...flood.wrong)
    if (flood.slowest > ANSWERED_WITHIN) {
      trial.violations.push(`a request was answered after ${Math.round(flood.slowest)} ms`)
    }
    await backInTime(trial, load, "the flood")
  })
