import { setTimeout as sleep } from "node:timers/promises"
import type { Service } from "../../bench/service.ts"
import { type Answer, isTemporary, type Request, said, send, succeed } from "../client.ts"
import type { Postgres } from "../Postgres.ts"
import { capture, order, simulated } from "../shop.ts"

/** The place of the races: two processes of the service on one database. */
export interface Arena {
  readonly server: Postgres
  readonly services: readonly [Service, Service]
  /** The number of simultaneous requests. */
  readonly parallel: number
  readonly endpoint: string
  readonly counts: { acknowledged: number; put_off: number }
}

/** A race that is opened, one round after another. */
export interface Race {
  /** Runs a round and returns its violations. */
  readonly round: (n: number) => Promise<ReadonlyArray<string>>
  /** Runs after all rounds and their delayed work, and returns violations. */
  readonly end?: () => Promise<ReadonlyArray<string>>
}

/** A race. `open` prepares it once. */
export interface Target {
  readonly name: string
  readonly open: (arena: Arena) => Promise<Race>
}

export type Caller = "seller" | "buyer"

/** Returns the process for the nth request. */
export const at = ({ services }: Arena, n: number): Service => services[n % 2] ?? services[0]

/** Sends the requests at the same time, to both processes, and returns the answers. */
export const meet = async (
  arena: Arena,
  ask: (n: number) => readonly [Caller, Request],
): Promise<ReadonlyArray<Answer>> => {
  const answers = await Promise.all(
    Array.from({ length: arena.parallel }, (_, n) => send(at(arena, n), ...ask(n))),
  )
  const made = answers.filter(({ status }) => status >= 200 && status < 300).length
  arena.counts.acknowledged += made
  arena.counts.put_off += answers.filter(isTemporary).length
  return answers
}

/** Counts equal answers. */
export const tally = (answers: ReadonlyArray<Answer>): { readonly [said: string]: number } => {
  const counts: { [said: string]: number } = {}
  for (const answer of answers) counts[said(answer)] = (counts[said(answer)] ?? 0) + 1
  return counts
}

/** Returns a sentence with what was found, unless the condition holds. */
export const unless = (is: boolean, what: string, shown: unknown): ReadonlyArray<string> =>
  is ? [] : [`${what}: ${JSON.stringify(shown)}`]

/** Makes a payment whose money is held, in one process. */
export const authorized = async (
  arena: Arena,
  shop: string,
  description: string,
  service: Service = arena.services[0],
) => {
  const created = await succeed(service, "seller", order(shop, description))
  const id = String(created.body["id"])
  await succeed(service, "seller", simulated(id, "pay"))
  return id
}

/** Makes a payment and captures it. */
export const captured = async (arena: Arena, shop: string, description: string) => {
  const id = await authorized(arena, shop, description)
  await succeed(arena.services[0], "seller", capture(id))
  return id
}

/** How often a channel did each action for a payment. */
export type Effects = { readonly [action: string]: number }

const listOf = (texts: ReadonlyArray<string>): string => texts.map((text) => `'${text}'`).join()

/** How long calls to channels may go on after all rounds, in milliseconds. */
const CALLS = 60_000

/**
 * Returns the channels' actions for each of these payments. Call it when no channel request is
 * running.
 */
export const effects = async (
  { server }: Arena,
  ids: ReadonlyArray<string>,
): Promise<ReadonlyMap<string, Effects>> => {
  const uuids = listOf(ids.map((id) => id.slice(3)))
  const limit = performance.now() + CALLS
  while (performance.now() < limit) {
    const [open] = await server.ask(
      `SELECT count(*)::int AS n FROM channel_requests
        WHERE payment_intent IN (${uuids}) AND status IN ('outstanding', 'unknown')`,
    )
    if (open?.["n"] === 0) break
    await sleep(100)
  }
  const rows = await server.ask(
    `SELECT d.id, e.value ->> 'action' AS action, count(*)::int AS n
      FROM documents d, json_each(d.body -> 'effects') e
      WHERE d.scope = 'sandbox_charge' AND d.id IN (${listOf(ids.map((id) => `wallet_b:${id}`))})
        AND e.value ->> 'refused' IS NULL GROUP BY 1, 2`,
  )
  const done = new Map<string, Effects>()
  for (const { action, id, n } of rows) {
    const payment = String(id).slice("wallet_b:".length)
    done.set(payment, { ...done.get(payment), [String(action)]: Number(n) })
  }
  return done
}

/** Applies `wrong` to the channels' actions for the payment of each round. */
export const inBooks = async (
  arena: Arena,
  ids: ReadonlyArray<string>,
  wrong: (done: Effects, round: number) => ReadonlyArray<string>,
): Promise<ReadonlyArray<string>> => {
  const done = await effects(arena, ids)
  return ids.flatMap((id, round) =>
    wrong(done.get(id) ?? {}, round).map((what) => `of round ${round}, ${what}`),
  )
}
