import { Effect } from "effect"
import { type ServiceListener, Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { toolsOf } from "./Tool.ts"

/** The most manifests whose tools are remembered to recognize changes of other fields. */
const MOST_KNOWN = 10_000

/** The window in milliseconds within which changes are notified once. */
const GATHERED_FOR = 50
const PAUSE = 1_000

/** A hash of a manifest's tools at a version. */
interface Known {
  readonly version: number
  readonly tools: string
}

/**
 * Tells whether the tools may have changed between two versions. After a skipped version they may
 * have changed and changed back, and a list in between may have shown others.
 */
const mayDiffer = (before: Known, now: Known): boolean =>
  before.tools !== now.tools || now.version > before.version + 1

/** Remembers the tools of manifests, and tells whether a manifest's tools have changed. */
const makeMemory = () => {
  const known = new Map<string, Known>()
  const changed = Effect.fnUntraced(function* (id: string) {
    const service = yield* (yield* Store).find("service", id)
    const tools = service === undefined ? [] : toolsOf(service)
    const hash = tools.length === 0 ? "" : (yield* Vault).sha256(JSON.stringify(tools))
    const now = { version: service?.version ?? Infinity, tools: hash }
    const before = known.get(id)
    known.delete(id)
    const [oldest] = known.size < MOST_KNOWN ? [] : known.keys()
    if (oldest !== undefined) known.delete(oldest)
    known.set(id, now)
    // An unknown manifest may have had tools before, unless it is a draft.
    return before === undefined ? service?.status !== "draft" : mayDiffer(before, now)
  })
  return { changed, forget: () => known.clear() }
}

/**
 * Calls `tell` soon after the list of tools has changed in any process, at most once a second.
 * Ignores changes of manifests that do not change their tools. Runs until it is interrupted.
 */
export const followToolChanges = Effect.fnUntraced(function* (tell: () => void) {
  const store = yield* Store
  const memory = makeMemory()
  let pending: Set<string> | "everything" = new Set()
  let wake = () => {}
  const listener: ServiceListener = (ids) => {
    if (ids === "everything" || pending === "everything") pending = "everything"
    else for (const id of ids) pending.add(id)
    wake()
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => store.watchServices(listener)),
    (stop) => Effect.sync(stop),
  )
  const news = Effect.callback<void>((resume) => {
    wake = () => resume(Effect.void)
    if (pending === "everything" || pending.size > 0) wake()
  })
  const look = Effect.gen(function* () {
    const ids = pending
    pending = new Set()
    if (ids === "everything") {
      memory.forget()
      return true
    }
    let any = false
    for (const id of ids) any = (yield* memory.changed(id)) || any
    return any
  })
  while (true) {
    yield* news
    yield* Effect.sleep(GATHERED_FOR)
    // A change that cannot be checked is notified: an unnecessary list is better than a missed
    // change.
    const changed = yield* Effect.catchCause(look, () => Effect.succeed(true))
    if (!changed) continue
    tell()
    yield* Effect.sleep(PAUSE)
  }
}, Effect.scoped)
