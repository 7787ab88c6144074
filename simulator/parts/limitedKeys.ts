import { Effect, Exit } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { authenticate } from "../../core/accounts/authenticate.ts"
import { changePlan } from "../../core/accounts/changePlan.ts"
import { createAccount } from "../../core/accounts/createAccount.ts"
import type { RestrictionsInput } from "../../core/accounts/KeyRestrictions.ts"
import { CurrentKeyLifetime } from "../../core/accounts/KeyRules.ts"
import { issueKey } from "../../core/keys/issueKey.ts"
import { revokeKey } from "../../core/keys/revokeKey.ts"
import { rollKey } from "../../core/keys/rollKey.ts"
import { isFailure } from "../../core/shared/Failure.ts"
import { DAY, fromIso, SECOND, toIso } from "../../core/shared/Timestamp.ts"
import type { Block } from "../auditor/invariants/addressBlocks.ts"
import { keyRoomRules } from "../auditor/invariants/keyRoom.ts"
import { type Lifetime, limitedKeyRules, type Limits } from "../auditor/invariants/limitedKeys.ts"
import { kept } from "../auditor/invariants/ownership.ts"
import type { Chance } from "../random/Chance.ts"
import { isOutOfReach } from "../world/processes/Process.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { drawBlock, writtenAs } from "./addresses.ts"

/** A key with the limits that it was given. */
interface Held {
  readonly text: string
  readonly caller: Caller
  readonly limits: Limits
}

const refusalOf = (exit: Exit.Exit<unknown, unknown>) => {
  if (Exit.isSuccess(exit)) return undefined
  const [failed] = exit.cause.reasons.flatMap((one) => ("error" in one ? [one.error] : []))
  if (!isFailure(failed)) return { code: "none", field: undefined }
  const { code, field } = failed
  return { code, field }
}

/** Draws some of a list, and now and then one that is not in it. */
const someOf = <A extends string>(
  all: ReadonlyArray<A>,
  other: A,
  chance: Chance,
): ReadonlyArray<A> => {
  const some = all.filter(() => chance.hits(0.6))
  const given = some.length === 0 ? all.slice(0, 1) : some
  return chance.hits(0.12) && !given.includes(other) ? [...given, other] : given
}

const ROUTES = ["read", "pay", "manage"] as const
const AGENTS = ["one", "two", "three"] as const

/** Draws limits: those of a first restricted key, or nearly within those of another. */
const drawLimits = (by: Limits | undefined, now: number, chance: Chance): Limits => {
  const { agents = AGENTS, max_amount, routes = ROUTES } = by?.restrictions ?? {}
  const blocks = chance.hits(0.7)
    ? Array.from({ length: chance.int(1, 2) }, () => {
        const [first, ...others] = by?.blocks ?? []
        return drawBlock(first && chance.pick([first, ...others]), chance)
      })
    : undefined
  const texts = new Set(blocks?.map((block) => writtenAs(block, chance)))
  const most = max_amount?.value ?? 5_000
  const currency = chance.hits(0.1) ? "EUR" : "USD"
  const days = chance.pick([-1, 1, 20, 29, 31, 60, 89, 91, 200])
  const expires_at = chance.hits(0.4) ? now + days * DAY : undefined
  const restrictions: RestrictionsInput = {
    ...(chance.hits(0.5) && { routes: someOf(routes, "refund", chance) }),
    ...(chance.hits(0.4) && { agents: someOf(agents, "four", chance) }),
    ...(texts.size > 0 && { addresses: [...texts] }),
    ...(chance.hits(0.5) && {
      max_amount: { currency, value: chance.pick([1, most - 1, most, most, most + 1]) },
    }),
    ...(chance.hits(0.3) && {
      budget: { amount: { currency: "USD", value: chance.int(1, 9) }, period: "weekly" as const },
    }),
  }
  return { restrictions, blocks: texts.size > 0 ? blocks : undefined, expires_at }
}

const issue = Effect.fnUntraced(function* (
  { auditor, stage }: Scene,
  by: Held,
  asked: Limits,
  lifetime: Lifetime,
) {
  const from = stage.now()
  const { expires_at, restrictions } = asked
  const input = {
    ...(Object.keys(restrictions).length > 0 && { restrictions }),
    ...(expires_at !== undefined && { expires_at: toIso(expires_at) }),
  }
  const verb = Effect.provideService(issueKey(by.caller, input), CurrentKeyLifetime, lifetime)
  const exit = yield* Effect.exit(stage.serve(verb))
  if (isOutOfReach(exit)) return undefined
  const made = Exit.isSuccess(exit) ? exit.value : undefined
  auditor.see("key_limited", by.caller.account.id, {
    by: by.limits,
    asked,
    lifetime,
    made: made && { id: made.id, restrictions: made.restrictions },
    refused: refusalOf(exit),
    from,
    to: stage.now(),
  })
  return made
})

/** Uses a key from addresses in its blocks and next to them. */
const use = Effect.fnUntraced(function* (
  { auditor, stage }: Scene,
  text: string,
  blocks: Limits["blocks"],
  chance: Chance,
) {
  for (let n = 0; n < 4; n += 1) {
    const [first, ...others] = blocks ?? []
    const near = drawBlock(first && chance.pick([first, ...others]), chance)
    const address: Block | undefined = chance.hits(0.05)
      ? undefined
      : { bits: near.bits, length: near.bits.length }
    const written = address && writtenAs(address, chance)
    const exit = yield* Effect.exit(stage.serve(authenticate(`Bearer ${text}`, written)))
    if (isOutOfReach(exit)) continue
    auditor.see("key_from", String(written), { blocks, address, refused: refusalOf(exit)?.code })
  }
})

const NOTHING: Limits = { restrictions: {}, blocks: undefined, expires_at: undefined }

const isoOf = (time: string | null): number | undefined =>
  time === null ? undefined : fromIso(time)

/** Returns the limits of a key that was issued by another. */
const within = (by: Limits, asked: Limits, expires_at: string | null): Limits => ({
  restrictions: { ...by.restrictions, ...asked.restrictions },
  blocks: asked.blocks ?? by.blocks,
  expires_at: isoOf(expires_at),
})

/** Replaces a key by itself. */
const roll = Effect.fnUntraced(function* (
  { auditor, stage }: Scene,
  { caller }: Held,
  ended: number | null,
  lifetime: Lifetime,
) {
  const old = caller.api_key_id
  const verb = rollKey(caller, old, { grace_period_seconds: 60 })
  const exit = yield* Effect.exit(
    stage.serve(Effect.provideService(verb, CurrentKeyLifetime, lifetime)),
  )
  if (Exit.isFailure(exit)) return
  auditor.see("key_replaced", old, { id: exit.value.id, old, ended, lifetime })
})

/** Moves an account to another plan as an operator, or one that does not exist. */
const move = Effect.fnUntraced(function* (
  { auditor, stage }: Scene,
  account: string,
  plan: "starter" | "pro",
  chance: Chance,
) {
  const isKnown = !chance.hits(0.2)
  const id = isKnown ? account : chance.pick([`acct_${account.slice(5, -1)}0`, "acct", ""])
  if (!isKnown && id === account) return
  const exit = yield* Effect.exit(stage.serve(changePlan(id, { plan })))
  if (isOutOfReach(exit)) return
  const answer = Exit.isSuccess(exit) ? exit.value : undefined
  const refused = refusalOf(exit)?.code
  auditor.see("plan_changed", id, { account: id, plan, answer, refused, isKnown })
})

/** The keys that the smallest plan has room for. */
const ROOM = 20

/** Issues keys until there is no room, and more after some have ended. */
const fill = Effect.fnUntraced(function* (scene: Scene, first: Held, chance: Chance) {
  const { stage } = scene
  const { caller } = first
  const made: Array<string> = []
  for (let n = 0; n < ROOM + 2; n += 1) {
    const exit = yield* Effect.exit(stage.serve(issueKey(caller, {})))
    if (Exit.isFailure(exit)) break
    made.push(exit.value.id)
  }
  const ended = made.filter(() => chance.hits(0.2)).toSorted(() => (chance.hits(0.5) ? 1 : -1))
  for (const id of ended) {
    yield* Effect.sleep(SECOND)
    yield* Effect.exit(stage.serve(revokeKey(caller, id)))
  }
  for (const _ of ended) yield* Effect.exit(stage.serve(issueKey(caller, {})))
  yield* move(scene, caller.account.id, "pro", chance)
  yield* move(scene, caller.account.id, "pro", chance)
  yield* Effect.exit(stage.serve(issueKey(caller, {})))
  yield* move(scene, caller.account.id, "starter", chance)
})

const run = Effect.fnUntraced(function* (scene: Scene) {
  const { stage } = scene
  const chance = stage.chance("limited keys")
  const lifetime: Lifetime = {
    usual: chance.pick([null, 30]),
    most: chance.pick([null, null, 90]),
  }
  const named = { name: "Holder of limited keys", kind: "buyer", agent_id: "limited-keys" } as const
  const { api_key } = yield* createAccount({ ...named, plan: "starter" }).pipe(
    Effect.provideService(CurrentKeyLifetime, lifetime),
  )
  const caller = yield* authenticate(`Bearer ${api_key.key}`)
  const first: Held = {
    text: api_key.key,
    caller,
    limits: { ...NOTHING, expires_at: isoOf(api_key.expires_at) },
  }
  const asked = drawLimits(undefined, stage.now(), chance)
  const made = yield* issue(scene, first, asked, lifetime)
  if (made !== undefined) {
    const limits = within(first.limits, asked, made.expires_at)
    const { restrictions } = made
    const held: Held = {
      text: made.key,
      limits,
      caller: { ...caller, api_key_id: made.id, ...(restrictions && { restrictions }) },
    }
    yield* use(scene, held.text, limits.blocks, chance)
    for (let n = 0; n < 4; n += 1) {
      yield* issue(scene, held, drawLimits(limits, stage.now(), chance), lifetime)
    }
    yield* Effect.sleep(chance.int(0, 3) * DAY)
    yield* roll(scene, held, limits.expires_at ?? null, lifetime)
  }
  yield* roll(scene, first, first.limits.expires_at ?? null, lifetime)
  if (chance.hits(0.5)) yield* fill(scene, first, chance)
}, Effect.orDie)

/** An account that issues limited keys, uses them from many addresses, and has too many. */
export const limitedKeys: Part = {
  name: "limited keys",
  heavy: 0.25,
  rules: { ...keyRoomRules, ...limitedKeyRules },
  knowledge: [kept],
  later: (scene) => [run(scene)],
}
