import { Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { authenticate } from "../../core/accounts/authenticate.ts"
import { createAccount } from "../../core/accounts/createAccount.ts"
import { agentRecordId } from "../../core/kyc/agents/Agent.ts"
import { getAgent } from "../../core/kyc/verifications/getAgent.ts"
import { Vault } from "../../core/ports/Vault.ts"
import { DAY } from "../../core/shared/Timestamp.ts"
import { createEndpoint } from "../../core/webhooks/endpoints/createEndpoint.ts"
import { codes, identities } from "../auditor/Identities.ts"
import { identityRules } from "../auditor/invariants/identity.ts"
import { atOnce } from "../world/atOnce.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { actsOf, climb, type Climber, payAtLimit, submit } from "./climb.ts"

const NAMES = ["", " of another", " of a third"] as const

/** Opens the account of climbers. */
export const settle = Effect.fnUntraced(function* (n: number) {
  const agent_id = `climber-${n}`
  const account = yield* createAccount({ name: agent_id, kind: "buyer", agent_id })
  const caller = yield* authenticate(`Bearer ${account.api_key.key}`)
  yield* createEndpoint(caller, {
    url: `https://steady.example/climber/${n}`,
    enabled_events: ["kyc.verified", "kyc.rejected", "kyc.expiring", "kyc.expired"],
  })
  return caller
})

/** Shows the auditor the level that an agent is told, while nothing else happens. */
const showStanding = Effect.fnUntraced(function* (scene: Scene, { caller, name }: Climber) {
  const at = scene.stage.now()
  const { level } = yield* Effect.orDie(getAgent(caller, name))
  const agent = agentRecordId(caller.account.id, name, (yield* Vault).sha256)
  scene.auditor.see("standing", agent, { agent, level, at })
})

/** When people come back: around the expiry of their levels, and in between. */
const RETURNS = [152, 30, 1, 100, 52, 31].map((days) => days * DAY)

/** Plays a year in which levels expire, with notices before, and are verified again. */
const growOld = Effect.fnUntraced(function* (scene: Scene, climber: Climber) {
  for (const wait of RETURNS) {
    yield* Effect.sleep(wait + climber.chance.int(0, 3_600_000))
    yield* showStanding(scene, climber)
    if (climber.chance.hits(0.2)) yield* payAtLimit(scene, climber)
    if (climber.chance.hits(0.3)) yield* submit(scene, climber, "enhanced")
  }
})

const live = Effect.fnUntraced(function* (scene: Scene, n: number) {
  const caller: Caller = yield* settle(n)
  const climbers = NAMES.map((more, k): Climber => ({
    caller,
    name: `climber-${n}${more}`,
    number: n * NAMES.length + k,
    chance: scene.stage.chance(`climber ${n}${more}`),
    rejected: [],
  }))
  yield* atOnce(climbers.map((climber) => climb(scene, climber)))
  for (const climber of climbers) scene.later.push(growOld(scene, climber))
}, Effect.orDie)

/** Agents that verify, spend up to their limits, and are erased. */
export const climbers: Part = {
  name: "climbers",
  heavy: 0.12,
  rules: identityRules,
  knowledge: [identities, codes],
  errands: (scene) => [live(scene, 0)],
  inspect: (scene) =>
    Effect.gen(function* () {
      const entries = yield* Effect.orDie(scene.store.readAudit({ after: 0, limit: 100_000 }))
      scene.auditor.see("audit", "the log", { entries, acts: actsOf(scene) })
    }),
}
