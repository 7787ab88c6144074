import { setTimeout as sleep } from "node:timers/promises"
import type { Service } from "../../bench/service.ts"
import { type Answer, isTemporary, type Request, said, send, succeed } from "../client.ts"
import type { Postgres } from "../Postgres.ts"
import { capture, order, simulated } from "../shop.ts"

/** Where races take place: two processes of the service on one database. */
export interface Arena {
  readonly server: Postgres
  readonly services: readonly [Service, Service]
  /** How many requests meet. */
  readonly parallel: number
  readonly endpoint: string
  readonly counts: { acknowledged: number; put_off: number }
}

/** A race that is opened, one round after another. */
export interface Race {
  /** What was wrong in a round. */
  readonly round: (n: number) => Promise<ReadonlyArray<string>>
  /** What shows to be wrong when all rounds are over, and all that they began. */
  readonly end?: () => Promise<ReadonlyArray<string>>
}

/** What is raced for: what it needs is opened once. */
export interface Target {
  readonly name: string
  readonly open: (arena: Arena) => Promise<Race>
}

export type Caller = "seller" | "buyer"

/** The process that the nth request goes to. */
export const at = ({ services }: Arena, n: number): Service => services[n % 2] ?? services[0]

/** As many requests as meet, at once, from both processes. */
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

/** How often each answer was given. */
export const tally = (answers: ReadonlyArray<Answer>): { readonly [said: string]: number } => {
  const counts: { [said: string]: number } = {}
  for (const answer of answers) counts[said(answer)] = (counts[said(answer)] ?? 0) + 1
  return counts
}

/** What is not as it has to be, as a sentence; nothing where it is. */
export const unless = (is: boolean, what: string, shown: unknown): ReadonlyArray<string> =>
  is ? [] : [`${what}: ${JSON.stringify(shown)}`]

/** A payment whose money is held, made and paid in one process. */
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

/** A payment whose money is taken. */
export const captured = async (arena: Arena, shop: string, description: string) => {
  const id = await authorized(arena, shop, description)
  await succeed(arena.services[0], "seller", capture(id))
  return id
}

/** What a channel did for a payment, by what it is. */
export type Effects = { readonly [action: string]: number }

const listOf = (texts: ReadonlyArray<string>): string => texts.map((text) => `'${text}'`).join()

/** How long calls to channels may go on after all rounds, in milliseconds. */
const CALLS = 60_000

/** What channels did for each of these payments; asked when no call for any is under way. */
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

/** Of the payments of all rounds, what `wrong` finds in what their channels did for each. */
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
