import { Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { authenticate } from "../../core/accounts/authenticate.ts"
import { createAccount } from "../../core/accounts/createAccount.ts"
import { issueKey } from "../../core/keys/issueKey.ts"
import { revokeKey } from "../../core/keys/revokeKey.ts"
import { rollKey } from "../../core/keys/rollKey.ts"
import { suspendAccount, suspendKey } from "../../core/keys/suspend.ts"
import { HOUR, MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import { type KeyAct, keyRingRules, keyRings } from "../auditor/invariants/keyRings.ts"
import type { Chance } from "../random/Chance.ts"
import type { Part, Scene, Services } from "../world/Stage.ts"

/** How many acts are played with the keys of the account. */
const ACTS = 14

/** The most keys of the account; its plan has room for more. */
const MOST_KEYS = 8

const ROUTE = "the keys of an account"

interface HeldKey {
  readonly id: string
  readonly text: string
}

interface Holder {
  readonly account: string
  readonly caller: Caller
  readonly first: HeldKey
}

const holders = new WeakMap<Scene["people"], Holder>()

const prepare = Effect.fnUntraced(function* ({ people }: Scene) {
  const view = yield* createAccount({
    name: "Holder of keys",
    kind: "seller",
    agent_id: "key-holder",
    plan: "enterprise",
  })
  const { id, key: text } = view.api_key
  const caller = yield* authenticate(`Bearer ${text}`)
  holders.set(people, { account: view.id, caller, first: { id, text } })
})

type Drawn = readonly [HeldKey, ...ReadonlyArray<HeldKey>]

/** What an operator has suspended and not resumed: the account, and keys in their order. */
interface Suspended {
  account: boolean
  keys: ReadonlyArray<string>
}

const drawAct = (chance: Chance, keys: Drawn, suspended: Suspended): KeyAct => {
  if (suspended.account && chance.hits(0.5)) return { type: "suspend_account", on: false }
  const [by, target] = [chance.pick(keys).id, chance.pick(keys).id]
  const cascade = chance.hits(0.4)
  const type = chance.weighted<KeyAct["type"]>([
    [keys.length < MOST_KEYS ? 5 : 0, "issue"],
    [keys.length < MOST_KEYS ? 3 : 0, "roll"],
    [2, "revoke"],
    [3, "suspend_key"],
    [0.7, "suspend_account"],
  ])
  switch (type) {
    case "roll":
      return { type, by, target, cascade, grace_seconds: chance.pick([0, 90, 86_400]) }
    case "revoke":
      return { type, by, target, cascade }
    case "suspend_key": {
      const [first, ...others] = suspended.keys
      if (chance.hits(0.6)) return { type, target, cascade, on: true }
      const resumed = first === undefined ? target : chance.pick([first, ...others])
      return { type, target: resumed, cascade, on: false }
    }
    case "suspend_account":
      return { type, on: !suspended.account }
    default:
      return { type: "issue", by, isRestricted: chance.hits(0.4) }
  }
}

/** Does it, as whoever a key has opened the account for. */
const done = (
  account: string,
  caller: Caller,
  act: KeyAct,
): Effect.Effect<{ readonly id: string; readonly key?: string }, unknown, Services> => {
  switch (act.type) {
    case "roll": {
      const { cascade, grace_seconds: grace_period_seconds, target } = act
      return rollKey(caller, target, { cascade, grace_period_seconds })
    }
    case "revoke":
      return revokeKey(caller, act.target, act.cascade ? { cascade: "true" } : {})
    case "suspend_key":
      return suspendKey(account, act.target, act.on, { cascade: act.cascade })
    case "suspend_account":
      return suspendAccount(account, act.on)
    default: {
      const isRestricted = act.type === "issue" && act.isRestricted
      return issueKey(caller, isRestricted ? { restrictions: { routes: ["read", "manage"] } } : {})
    }
  }
}

/** Nobody knows what became of a request without an answer. */
const UNANSWERED: ReadonlySet<string> = new Set([
  "CONNECTION_LOST",
  "OUTCOME_UNKNOWN",
  "TEMPORARILY_UNAVAILABLE",
])

/** Tries a key, and shows the auditor whether it opens. Returns undefined without an answer. */
const open = Effect.fnUntraced(function* (
  { auditor, client, stage }: Scene,
  { account, caller }: Holder,
  { id, text }: HeldKey,
) {
  const asked = stage.now()
  const verb = authenticate(`Bearer ${text}`)
  const { answer, error } = yield* client.call(caller, ROUTE, undefined, verb)
  if (error !== undefined && UNANSWERED.has(error)) return undefined
  auditor.see("key_opened", id, { account, key: id, refused: error, asked, at: stage.now() })
  return { opened: answer }
})

/** Acts with a key that opens the account, or as its operator. Returns undefined if unanswered. */
const act = Effect.fnUntraced(function* (
  scene: Scene,
  holder: Holder,
  wanted: KeyAct,
  keys: Drawn,
) {
  const { auditor, client, stage } = scene
  const { account } = holder
  let caller: Caller | undefined = holder.caller
  if ("by" in wanted) {
    const [first] = keys
    const tried = yield* open(scene, holder, keys.find(({ id }) => id === wanted.by) ?? first)
    if (tried === undefined) return undefined
    caller = tried.opened
  }
  if (caller === undefined) return { made: undefined }
  const asked = stage.now()
  const verb = done(account, caller, wanted)
  const { answer, error } = yield* client.call(holder.caller, ROUTE, undefined, verb)
  if (error !== undefined && UNANSWERED.has(error)) return undefined
  const { id = "", key: text } = answer ?? {}
  const made = text === undefined ? undefined : { id, text }
  const at = stage.now()
  const seen = { account, act: wanted, made: made?.id, refused: error, asked, at }
  auditor.see("key_act", account, seen)
  return { made, isDone: error === undefined }
})

/** Keeps what has been suspended in step with an act. */
const follow = (suspended: Suspended, wanted: KeyAct): void => {
  if (wanted.type === "suspend_account") suspended.account = wanted.on
  if (wanted.type !== "suspend_key") return
  const others = suspended.keys.filter((id) => id !== wanted.target)
  suspended.keys = wanted.on ? [...others, wanted.target] : others
}

const run = Effect.fnUntraced(function* (scene: Scene) {
  const { auditor, people, stage } = scene
  const holder = holders.get(people)
  if (holder === undefined) return
  const chance = stage.chance("key holder")
  const { account, first } = holder
  const [asked, at] = [stage.now(), stage.now()]
  const opening = { account, act: { type: "first" }, made: first.id, asked, at } as const
  auditor.see("key_act", account, { ...opening, refused: undefined })
  const keys: [HeldKey, ...Array<HeldKey>] = [first]
  const suspended: Suspended = { account: false, keys: [] }
  for (let n = 0; n < ACTS; n += 1) {
    yield* Effect.sleep(chance.hits(0.1) ? 25 * HOUR : chance.wait(MINUTE) + SECOND)
    const wanted = drawAct(chance, keys, suspended)
    const answer = yield* act(scene, holder, wanted, keys)
    if (answer === undefined) return
    if (answer.isDone === true) follow(suspended, wanted)
    if (answer.made !== undefined) keys.push(answer.made)
    const tried = yield* Effect.forEach(keys, (key) => open(scene, holder, key))
    if (tried.includes(undefined)) return
  }
})

/** An account that issues, rolls and revokes keys, and an operator who suspends some. */
export const keyHolders: Part = {
  name: "key holders",
  heavy: 0.12,
  large: 0.5,
  rules: keyRingRules,
  knowledge: [keyRings],
  prepare: (scene) => Effect.orDie(prepare(scene)),
  errands: (scene) => [run(scene)],
}
