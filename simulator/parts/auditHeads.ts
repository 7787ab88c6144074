import { Effect, Layer } from "effect"
import { layer as documentsInMemory } from "../../adapters/memory/MemoryDocuments.ts"
import { changePlan } from "../../core/accounts/changePlan.ts"
import { createAccount } from "../../core/accounts/createAccount.ts"
import { listHeads, publishHead } from "../../core/audit/publishHeads.ts"
import { Documents } from "../../core/ports/Documents.ts"
import { DAY, HOUR, MINUTE, utcDay } from "../../core/shared/Timestamp.ts"
import { auditHeadRules } from "../auditor/invariants/auditHeads.ts"
import type { Observations } from "../auditor/Observation.ts"
import type { Chance } from "../random/Chance.ts"
import { atOnce } from "../world/atOnce.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { asOperator } from "./climb.ts"

type Seen = Observations["heads_listed"]

/** How late documents are written at most, in milliseconds: others sign the same day meanwhile. */
const LATE = 30

const lateDocuments = (chance: Chance) =>
  Layer.effect(
    Documents,
    Effect.map(Documents, (documents) => ({
      ...documents,
      put: (document) => Effect.andThen(Effect.sleep(chance.int(0, LATE)), documents.put(document)),
    })),
  ).pipe(Layer.provide(documentsInMemory))

/** More acts than the operators of a world do. */
const EVERY = 100_000

const SIGNINGS = 6

/** Waits until a time that is not at the end of a day: also its first millisecond. */
const waitFor = Effect.fnUntraced(function* ({ stage }: Scene, chance: Chance) {
  const today = stage.now() - (stage.now() % DAY)
  const days = chance.pick([0, 0, 1, 1, 1, 2])
  const time = today + days * DAY + (days > 0 && chance.hits(0.3) ? 0 : chance.int(HOUR, 23 * HOUR))
  yield* Effect.sleep(Math.max(time - stage.now(), 0))
  const left = DAY - (stage.now() % DAY)
  if (left < MINUTE) yield* Effect.sleep(left)
})

/** Has the end of the log signed by several processes at once. */
const sign = Effect.fnUntraced(function* ({ stage, store }: Scene, chance: Chance) {
  const lengthOfLog = Effect.map(
    store.readAudit({ after: 0, limit: EVERY }),
    (entries) => entries.length,
  )
  const from = stage.now()
  const least = yield* lengthOfLog
  const told: Array<boolean> = []
  const note = (signed: boolean) => Effect.sync(() => void told.push(signed))
  const processes = Array.from({ length: chance.int(1, 3) }, () =>
    Effect.flatMap(publishHead(), note),
  )
  yield* atOnce(processes)
  const signing: Seen["signings"][number] = {
    day: utcDay(from),
    from,
    to: stage.now(),
    least,
    most: yield* lengthOfLog,
    told,
  }
  return signing
})

/** Lists heads: all, page by page, and those after some day. */
const list = Effect.fnUntraced(function* (days: ReadonlyArray<string>, chance: Chance) {
  const lists: Array<Seen["lists"][number]> = []
  const ask = Effect.fnUntraced(function* (after: string | undefined, limit: number) {
    const answer = yield* listHeads({ limit, ...(after !== undefined && { after }) })
    lists.push({ after, limit, answer })
  })
  const [first = "2000-01-01", ...others] = days
  yield* ask(undefined, days.length)
  yield* ask(undefined, chance.int(1, days.length + 1))
  yield* ask(chance.pick([first, ...others]), chance.int(1, days.length))
  return lists
})

const run = Effect.fnUntraced(function* (scene: Scene, chance: Chance) {
  const { auditor, store } = scene
  const named = { name: "Moved by operators", kind: "buyer", agent_id: "moved" } as const
  const { id } = yield* createAccount({ ...named, plan: "starter" })
  const signings: Array<Seen["signings"][number]> = []
  for (let n = 0; n < SIGNINGS; n += 1) {
    yield* waitFor(scene, chance)
    const plan = chance.pick(["starter", "pro"] as const)
    if (chance.hits(0.5)) yield* asOperator(scene, changePlan(id, { plan }))
    signings.push(yield* sign(scene, chance))
  }
  const lists = yield* list([...new Set(signings.map(({ day }) => day))], chance)
  const entries = yield* store.readAudit({ after: 0, limit: EVERY })
  auditor.see("heads_listed", "the end of the log", { signings, entries, lists })
})

/** Processes that sign the end of the operators' log once a day, and those who list these ends. */
export const auditHeads: Part = {
  name: "audit heads",
  heavy: 0.4,
  rules: auditHeadRules,
  later: (scene) => {
    const chance = scene.stage.chance("audit heads")
    return [Effect.orDie(Effect.provide(run(scene, chance), lateDocuments(chance)))]
  },
}
