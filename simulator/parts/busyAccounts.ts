import { Clock, Effect, Exit } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { admitRequest, RequestLimits } from "../../core/billing/limitRequests.ts"
import type { RateClass } from "../../core/billing/RateWindow.ts"
import { MINUTE, SECOND, type Timestamp } from "../../core/shared/Timestamp.ts"
import { type Counted, rateRules } from "../auditor/invariants/rates.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { atOnce } from "../world/atOnce.ts"

/** The outcomes of a minute's requests so far. */
interface Window {
  readonly standard: Counted
  readonly reserve: Counted
  readonly processes: Set<unknown>
  lost: number
}

/** The outcomes of all requests so far, and the latest minute of each process. */
interface Counting {
  readonly windows: Map<Timestamp, Window>
  readonly latest: Map<unknown, Timestamp>
}

/** Called when a process starts a request, with the time by its clock. */
type Begun = (at: Timestamp, process: unknown) => void

/** Whether a process admits the request, and in which minute by its clock. */
const admitted = (caller: Caller, rate_class: RateClass, began: Begun) =>
  Effect.gen(function* () {
    const process = yield* RequestLimits
    began(yield* Clock.currentTimeMillis, process)
    const admission = yield* admitRequest(caller, rate_class)
    return { process, accepted: admission?.refusal === null }
  })

const minuteOf = (at: Timestamp): Timestamp => Math.floor(at / MINUTE) * MINUTE

/** Sends a request to one of the processes, and counts its outcome. */
const ask = Effect.fnUntraced(function* (
  { stage }: Scene,
  caller: Caller,
  rate_class: RateClass,
  { latest, windows }: Counting,
) {
  let begins = minuteOf(stage.now())
  const asked = admitted(caller, rate_class, (at, process) => {
    // A clock that is set back starts no earlier minute again.
    begins = Math.max(minuteOf(at), latest.get(process) ?? 0)
    latest.set(process, begins)
  })
  const exit = yield* Effect.exit(stage.serve(asked))
  const window = windows.get(begins) ?? {
    standard: { accepted: 0, refused: 0 },
    reserve: { accepted: 0, refused: 0 },
    processes: new Set(),
    lost: 0,
  }
  windows.set(begins, window)
  if (Exit.isFailure(exit)) {
    window.lost += 1
    return
  }
  window.processes.add(exit.value.process)
  window[rate_class][exit.value.accepted ? "accepted" : "refused"] += 1
})

/** Sends bursts of requests, more than a small plan allows, within a minute or across its end. */
const hurry = Effect.fnUntraced(function* (scene: Scene) {
  const { auditor, stage } = scene
  const chance = stage.chance("busy account")
  const { stranger } = scene.people
  const caller: Caller = { ...stranger, account: { ...stranger.account, plan: "starter" } }
  const counting: Counting = { windows: new Map(), latest: new Map() }
  yield* Effect.sleep(chance.wait(MINUTE))
  for (let left = 140; left > 0;) {
    const size = Math.min(left, chance.int(1, 25))
    left -= size
    const rate_class = chance.hits(0.35) ? "reserve" : "standard"
    const burst = Array.from({ length: size }, () => ask(scene, caller, rate_class, counting))
    yield* atOnce(burst)
    yield* Effect.sleep(chance.int(0, 2 * SECOND))
  }
  const { id: account, plan } = caller.account
  for (const [begins, { lost, processes, reserve, standard }] of counting.windows) {
    const counted = { standard, reserve, lost, processes: processes.size }
    auditor.see("window", account, { account, plan, begins, ...counted })
  }
})

/** An account that exceeds its plan's rate limit. */
export const busyAccounts: Part = {
  name: "busy accounts",
  heavy: 0.2,
  rules: rateRules,
  errands: (scene) => [hurry(scene)],
}
