import { Effect } from "effect"
import { type ServiceListener, Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { toolsOf } from "./Tool.ts"

/** Manifests whose tools are remembered, so that a change of something else is not told. */
const MOST_KNOWN = 10_000

/** Changes within so many milliseconds are notified once. */
const GATHERED_FOR = 50
const PAUSE = 1_000

/** What a manifest's tools were at one of its versions. */
interface Known {
  readonly version: number
  readonly tools: string
}

/**
 * Whether the tools may have changed from one version to another. Who listed them in between may
 * have seen others even where they are the same again.
 */
const mayDiffer = (before: Known, now: Known): boolean =>
  before.tools !== now.tools || now.version > before.version + 1

/** Remembers manifests' tools, and says whether a manifest's have changed. */
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
    // Of a manifest that is not known, a draft had no tools, and any other may have had some.
    return before === undefined ? service?.status !== "draft" : mayDiffer(before, now)
  })
  return { changed, forget: () => known.clear() }
}

/**
 * Calls `tell` soon after the list of tools has changed, in whichever process: at most once a
 * second, and not for changes of manifests that leave their tools as they are. Runs until it is
 * interrupted.
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
    // A change that cannot be checked is notified: one list too many is the smaller harm.
    const changed = yield* Effect.catchCause(look, () => Effect.succeed(true))
    if (!changed) continue
    tell()
    yield* Effect.sleep(PAUSE)
  }
}, Effect.scoped)
