import { edges } from "../../../core/shared/Machine.ts"
import { DAY, HOUR, SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { table } from "../../../core/registry/ManifestMachine.ts"
import type { ServiceManifest } from "../../../core/registry/ServiceManifest.ts"
import type { Finding, Rule, Rulebook } from "../Observation.ts"
import type { Write } from "../../../core/ports/Store.ts"
import { knowledge } from "../Knowledge.ts"

/** A manifest as it was stored; undefined once it was removed. */
interface Stored {
  readonly record: ServiceManifest | undefined
  /** The model's step, and the time. */
  readonly step: number
  readonly at: Timestamp
}

/** A manifest, and its versions within some time; undefined for when it did not exist. */
interface Span {
  readonly id: string
  readonly records: ReadonlyArray<ServiceManifest | undefined>
}

/** The versions of every manifest, and which manifest is active under each name. */
class Registry {
  readonly #histories = new Map<string, Array<Stored>>()
  #step = 0
  readonly #active = new Map<string, string>()

  /** Returns each manifest, with its version at a step of the model and those since. */
  since(step: number): ReadonlyArray<Span> {
    return this.#spans((stored) => stored.step <= step)
  }

  /** Returns the same from a time on. */
  from(at: Timestamp): ReadonlyArray<Span> {
    return this.#spans((stored) => stored.at <= at)
  }

  /** Returns the manifest as it was stored last. */
  latest(id: string): ServiceManifest | undefined {
    return this.#histories.get(id)?.at(-1)?.record
  }

  /** Returns when a manifest was first stored in a status; never if it was not. */
  becameAt(id: string, status: ServiceManifest["status"]): Timestamp {
    const first = this.#histories.get(id)?.find(({ record }) => record?.status === status)
    return first?.at ?? Infinity
  }

  /** Returns the id of the active manifest with a name. */
  active(name: string): string | undefined {
    return this.#active.get(plain(name))
  }

  learn(write: Write, at: Timestamp): void {
    this.#step += 1
    if (write.kind !== "service") return
    const { op, record } = write
    const before = this.latest(record.id)
    if (before !== undefined && this.active(before.name) === record.id) {
      this.#active.delete(plain(before.name))
    }
    if (op !== "remove" && record.status === "active") {
      this.#active.set(plain(record.name), record.id)
    }
    const stored = { record: op === "remove" ? undefined : record, step: this.#step, at }
    const history = this.#histories.get(record.id)
    if (history === undefined) this.#histories.set(record.id, [stored])
    else history.push(stored)
  }

  #spans(isBefore: (stored: Stored) => boolean): ReadonlyArray<Span> {
    return [...this.#histories].map(([id, history]) => {
      const first = history.findLastIndex(isBefore)
      const there = history.slice(Math.max(first, 0)).map(({ record }) => record)
      return { id, records: first < 0 ? [undefined, ...there] : there }
    })
  }
}

/** Returns the part of a name that makes it unique: without case and spaces. */
const plain = (name: string): string =>
  name.normalize("NFC").trim().split(/\s+/).join(" ").toLowerCase()

/** The auditor's knowledge about manifests. */
export const registry = knowledge("registry", Registry, (known, write, at) =>
  known.learn(write, at),
)

type Summary = Pick<ServiceManifest, "id" | "name" | "description" | "status">

/** The parameters of a search, as far as the world uses them. */
interface Asked {
  readonly q?: string
  readonly channel?: string
  readonly status: ServiceManifest["status"]
}

declare module "../Observation.ts" {
  interface Observations {
    /** The result of a search. `since` is the model's step of the request. */
    readonly search: {
      readonly account: string
      readonly asked: Asked
      readonly since: number
      readonly found: ReadonlyArray<Summary>
      readonly total: number
      /** Whether it is one of several pages. */
      readonly paged: boolean
    }
    /** The names of all tools, listed page by page from the model's step `since` on. */
    readonly tools: { readonly names: ReadonlyArray<string>; readonly since: number }
    /** The tools that a client remembers at a time, while it receives changes. */
    readonly remembered: { readonly names: ReadonlyArray<string>; readonly at: Timestamp }
  }
}

type Record = ServiceManifest | undefined

const PRIVATE: ReadonlySet<string> = new Set(["draft", "paused", "deleted"])

/** Returns the words of a text, as searches compare them. */
export const wordsOf = (text: string): ReadonlyArray<string> =>
  text.toLowerCase().split(/[^a-z0-9]+/)

/** Whether a manifest matches a search of an account, by the words of the section. */
const answers = (account: string, { channel, q, status }: Asked) => {
  const asked = wordsOf(q ?? "").filter((word) => word !== "")
  return (record: Record): boolean => {
    if (record === undefined || record.status !== status) return false
    if (PRIVATE.has(status) && record.account_id !== account) return false
    if (channel !== undefined && !record.accepted_channels.includes(channel)) return false
    const words = [record.name, record.description, ...record.tags].flatMap(wordsOf)
    return asked.every((prefix) => words.some((word) => word.startsWith(prefix)))
  }
}

const isSame = (shown: Summary, record: Record): boolean =>
  record !== undefined &&
  shown.name === record.name &&
  shown.description === record.description &&
  shown.status === record.status

/** Checks that everything that existed throughout is found, and nothing that never existed. */
const searched: Rule<"search"> = ({ account, asked, found, paged, since, total }, model) => {
  const shown = new Map(found.map((one) => [one.id, one]))
  if (!paged && (shown.size !== found.length || total !== found.length)) {
    return `counts ${total} and shows ${shown.size} of ${found.length}`
  }
  const fits = answers(account, asked)
  for (const { id, records } of model.know(registry).since(since)) {
    const one = shown.get(id)
    if (one === undefined) {
      if (!paged && records.every(fits)) return `does not find ${id}, which is ${asked.status}`
    } else if (!records.some((record) => fits(record) && isSame(one, record))) {
      return `finds ${id}, which is not what it says`
    }
    shown.delete(id)
  }
  const [stranger] = shown.keys()
  return stranger === undefined ? undefined : `finds ${stranger}, which nobody has registered`
}

/** Returns the names of a manifest's tools, by the table of the section. */
const toolsOf = (record: Record): ReadonlyArray<string> =>
  record?.status !== "active"
    ? []
    : [
        ...(record.payment_methods.one_time === true ? [`${record.id}__pay_one_time`] : []),
        ...(record.payment_methods.cumulative === true ? [`${record.id}__pay_cumulative`] : []),
        ...(record.payment_methods.subscription === true ? [`${record.id}__pay_subscribe`] : []),
      ]

/** Checks for all tools that existed throughout, and for none that did not exist at all. */
const fitting = (names: ReadonlyArray<string>, spans: ReadonlyArray<Span>): Finding => {
  const listed = new Set(names)
  if (listed.size !== names.length) return "lists a tool twice"
  for (const { records } of spans) {
    const tools = records.map(toolsOf)
    const missing = tools[0]?.find(
      (name) => !listed.has(name) && tools.every((all) => all.includes(name)),
    )
    if (missing !== undefined) return `does not list ${missing}`
    for (const name of tools.flat()) listed.delete(name)
  }
  const [stranger] = listed
  return stranger === undefined ? undefined : `lists ${stranger}, which is no tool`
}

/** The delay until a client knows the current tools: it is notified within two seconds. */
const LAG = 8 * SECOND

const upToDate: Rule<"remembered"> = ({ at, names }, model) =>
  model.upsetUntil >= at - LAG ? undefined : fitting(names, model.know(registry).from(at - LAG))

const unique: Rule<"write"> = ({ write }, model) => {
  if (write.kind !== "service" || write.op === "remove") return undefined
  if (write.record.status !== "active") return undefined
  const holder = model.know(registry).active(write.record.name)
  return holder === undefined || holder === write.record.id
    ? undefined
    : `is active under the name of ${holder}`
}

const MOVES = new Set(edges(table).map(({ from, to }) => `${from} ${to}`))

/** How long a manifest stays deprecated at least, and deleted before it is removed. */
const GRACE = 30 * DAY

/** A process may pause before it stores its decision, and its clock may be wrong. */
const DECIDED = 2 * HOUR

/** Whether two versions differ in no more than when a worker looks after them. */
const differOnlyInDue = (before: ServiceManifest, after: ServiceManifest): boolean => {
  const { due_at, version } = before
  return JSON.stringify({ ...after, due_at, version }) === JSON.stringify(before)
}

const moved: Rule<"write"> = ({ at, write }, model) => {
  if (write.kind !== "service") return undefined
  const { op, record } = write
  const known = model.know(registry)
  const before = known.latest(record.id)
  if (op === "insert") return record.status === "draft" ? undefined : `begins ${record.status}`
  if (before === undefined) return "was never registered"
  if (op === "remove") {
    const gone = at - known.becameAt(record.id, "deleted")
    return gone + DECIDED >= GRACE ? undefined : `is forgotten ${gone} ms after it was deleted`
  }
  if (before.account_id !== record.account_id) return "belongs to another account"
  if (before.status === record.status) {
    const isKept = differOnlyInDue(before, record)
    return record.status === "deleted" && !isKept ? "was changed after it was deleted" : undefined
  }
  if (!MOVES.has(`${before.status} ${record.status}`)) {
    return `went from ${before.status} to ${record.status}`
  }
  const stood = at - known.becameAt(record.id, "deprecated")
  return record.status === "deleted" && stood + DECIDED < GRACE
    ? `is deleted ${stood} ms after it was deprecated`
    : undefined
}

/** The rules about sellers' services, and about who finds them. */
export const registryRules: Rulebook = {
  19: {
    search: searched,
    tools: ({ names, since }, model) => fitting(names, model.know(registry).since(since)),
    remembered: upToDate,
  },
  20: { write: unique },
  85: { write: moved },
}
