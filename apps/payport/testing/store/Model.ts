import type { Reply } from "../../../../core/idempotency/Reply.ts"
import type {
  Commit,
  ConflictReason,
  DueKind,
  Kind,
  Records,
  Write,
} from "../../../../core/ports/Store.ts"
import type { PaymentIntent } from "../../../../core/payments/PaymentIntent.ts"
import { isShared, takesPart, without } from "../../../../core/payments/Sides.ts"
import type { Timestamp } from "../../../../core/shared/Timestamp.ts"

interface Row {
  readonly kind: Kind
  readonly record: Records[Kind]
  readonly leased_until: Timestamp
}

interface Owned {
  readonly account_id: string
}

const NOT_LEASED = -1

/** A simple model of a store: lists that are searched from end to end. */
export class Model {
  rows: ReadonlyArray<Row> = []
  keys: ReadonlyArray<readonly [key: string, owner: string]> = []
  counters: ReadonlyArray<readonly [counter: string, value: number]> = []
  replies: ReadonlyArray<Reply> = []

  find(kind: Kind, id: string): Records[Kind] | undefined {
    return this.rows.find((row) => row.kind === kind && row.record.id === id)?.record
  }

  all<K extends Kind>(kind: K): ReadonlyArray<Records[K]> {
    return this.rows.flatMap((row) => (row.kind === kind ? [row.record as Records[K]] : []))
  }

  holder(key: string): string | undefined {
    return this.keys.find(([held]) => held === key)?.[1]
  }

  value(counter: string): number {
    return this.counters.find(([name]) => name === counter)?.[1] ?? 0
  }

  reply(accountId: string, key: string): Reply | undefined {
    return this.replies.find((reply) => reply.account_id === accountId && reply.key === key)
  }

  /** Stores the commit, or returns every kind of conflict that prevents it. */
  commit(commit: Commit): ReadonlySet<ConflictReason["type"]> {
    const writes: ReadonlyArray<Write> = [
      ...commit.writes,
      ...(commit.events ?? []).map((record) => ({ op: "insert", kind: "event", record }) as const),
    ]
    const obstacles = new Set<ConflictReason["type"]>()
    for (const { op, kind, record } of writes) {
      const expected = op === "insert" ? undefined : record.version
      if (this.find(kind, record.id)?.version !== expected) obstacles.add("stale_version")
      const others = this.all(kind).filter((other) => other.id !== record.id)
      const shared = others.some((other) =>
        names(kind, other).some((name) => names(kind, record).includes(name)),
      )
      if (op !== "remove" && shared) obstacles.add("key_taken")
    }
    for (const { kind, id, version } of commit.guards ?? []) {
      if (this.find(kind, id)?.version !== version) obstacles.add("stale_version")
    }
    const keys = this.#changedKeys(commit)
    if (keys === undefined) obstacles.add("key_taken")
    const counters = this.#changedCounters(commit)
    if (counters === undefined) obstacles.add("limit_reached")
    if (commit.reply !== undefined && !this.#accepts(commit.reply)) obstacles.add("reply_taken")
    if (obstacles.size > 0) return obstacles

    for (const { op, kind, record } of writes) {
      this.rows = this.rows.filter((row) => row.kind !== kind || row.record.id !== record.id)
      if (op === "remove") continue
      const version = op === "insert" ? 1 : record.version + 1
      this.rows = [...this.rows, { kind, record: { ...record, version }, leased_until: NOT_LEASED }]
    }
    this.keys = keys ?? this.keys
    this.counters = counters ?? this.counters
    const { reply } = commit
    if (reply !== undefined) {
      this.replies = [
        ...this.replies.filter((other) => this.reply(reply.account_id, reply.key) !== other),
        reply,
      ]
    }
    return obstacles
  }

  claim(kind: DueKind, now: Timestamp, limit: number, lease: number): ReadonlyArray<Records[Kind]> {
    const claimed = this.rows
      .filter((row) => row.kind === kind && row.leased_until <= now && dueTime(row) <= now)
      .toSorted((a, b) => dueTime(a) - dueTime(b))
      .slice(0, limit)
    const raised = claimed.map(({ record }) => ({ ...record, version: record.version + 1 }))
    this.rows = [
      ...this.rows.filter((row) => !claimed.includes(row)),
      ...raised.map((record) => ({ kind, record, leased_until: now + lease })),
    ]
    return raised
  }

  nextDueAt(): Timestamp | undefined {
    const next = Math.min(...this.rows.map(dueTime))
    return next === Infinity ? undefined : next
  }

  purge(now: Timestamp): number {
    const before = this.replies.length
    this.replies = this.replies.filter((reply) => reply.expires_at > now)
    return before - this.replies.length
  }

  erase(accountId: string): void {
    const isKept = (row: Row): boolean => {
      if (row.kind === "account" || row.kind === "api_key") return true
      if (row.kind !== "payment_intent") return (row.record as Owned).account_id !== accountId
      const intent = row.record as PaymentIntent
      return !takesPart(intent, accountId) || isShared(intent, accountId)
    }
    const erased = this.rows.flatMap((row) => (isKept(row) ? [] : [row.record.id]))
    this.rows = this.rows.filter(isKept).map((row) => {
      if (row.kind !== "payment_intent") return row
      const intent = row.record as PaymentIntent
      if (!takesPart(intent, accountId)) return row
      const record = { ...without(intent, accountId), version: intent.version + 1 }
      return { ...row, record, leased_until: NOT_LEASED }
    })
    this.keys = this.keys.filter(([, owner]) => !erased.includes(owner))
    this.replies = this.replies.filter((reply) => reply.account_id !== accountId)
  }

  #changedKeys(commit: Commit): Model["keys"] | undefined {
    let keys = this.keys
    for (const { op, key, owner } of commit.keys ?? []) {
      const holder = keys.find(([held]) => held === key)?.[1]
      if (op === "claim" && holder !== undefined && holder !== owner) return undefined
      if (holder === owner) keys = keys.filter(([held]) => held !== key)
      if (op === "claim") keys = [...keys, [key, owner]]
    }
    return keys
  }

  #changedCounters(commit: Commit): Model["counters"] | undefined {
    let counters = this.counters
    for (const { counter, add, limit } of commit.reservations ?? []) {
      const sum = (counters.find(([name]) => name === counter)?.[1] ?? 0) + add
      if (add > 0 && sum > limit) return undefined
      counters = [...counters.filter(([name]) => name !== counter), [counter, sum]]
    }
    return counters
  }

  #accepts(next: Reply): boolean {
    const stored = this.reply(next.account_id, next.key)
    if (stored === undefined || next.created_at >= stored.expires_at) return true
    if (stored.answer !== null) return false
    return next.holder === stored.holder
  }
}

/** The names that no other record of the kind may have. */
const names = (kind: Kind, record: Records[Kind]): ReadonlyArray<string> => {
  if (kind === "account") return [(record as Records["account"]).agent_id]
  if (kind === "api_key") return [(record as Records["api_key"]).hash]
  if (kind === "endpoint" || kind === "webhook_key") {
    const { account_id, place } = record as Records["endpoint" | "webhook_key"]
    return [`${account_id}: ${place}`]
  }
  if (kind === "listing") {
    const { account_id, key, place, service_id } = record as Records["listing"]
    return [`${account_id}: ${place}`, `${service_id}: ${key}`]
  }
  if (kind !== "service") return []
  const { account_id, name_key, status } = record as Records["service"]
  return [
    ...(status === "deleted" ? [] : [`${account_id}: ${name_key}`]),
    ...(status === "active" ? [name_key] : []),
  ]
}

/** Returns when a row is due; Infinity if never. */
const dueTime = ({ kind, record }: Row): number => {
  if (kind !== "payment_intent") {
    return (record as { readonly due_at?: Timestamp | null }).due_at ?? Infinity
  }
  const { status, expires_at } = record as Records["payment_intent"]
  return ["pending", "qr_generated", "scanning", "authorized"].includes(status)
    ? expires_at
    : Infinity
}
