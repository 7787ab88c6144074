// Written independently of core/webhooks on purpose: see Model.ts.

import type { Write } from "../../core/ports/Store.ts"
import type { Timestamp } from "../../core/shared/Timestamp.ts"
import type { Endpoint } from "../../core/webhooks/endpoints/Endpoint.ts"
import { sealedText } from "../ports/simulatedVault.ts"

/** The time in which something was valid: from a time on, and before another. */
interface Span {
  readonly from: Timestamp
  until: Timestamp
}

/** Tolerance around a moment, in milliseconds: a decision from a little earlier still counts. */
const SLACK = 1_000

/** The auditor's knowledge about receivers: endpoints, their secrets, and their encryption keys. */
export class Receivers {
  readonly endpoints = new Map<string, Endpoint>()
  readonly #byUrl = new Map<string, string>()
  readonly #secrets = new Map<string, Map<string, Span>>()
  readonly #keys = new Map<string, Map<string, Span>>()

  at(url: string): Endpoint | undefined {
    return this.endpoints.get(this.#byUrl.get(url) ?? "")
  }

  apply(write: Write, at: Timestamp): void {
    if (write.kind === "account") {
      const { id, previous_webhook_secrets, webhook_secret } = write.record
      this.#sign(id, webhook_secret, previous_webhook_secrets, at)
    } else if (write.kind === "endpoint") {
      const { record } = write
      this.endpoints.set(record.id, record)
      this.#byUrl.set(record.url, record.id)
      this.#sign(record.id, record.secret, record.previous_secrets, at)
      const now = record.encryption === null ? [] : [record.encryption.id]
      this.#replace(this.#keys, record.id, new Map(now.map((id) => [id, Infinity])), at)
    } else if (write.kind === "webhook_key") {
      const { account_id, id } = write.record
      const keys = this.#keys.get(account_id) ?? new Map<string, Span>()
      this.#keys.set(account_id, keys)
      const known = keys.get(id) ?? { from: at, until: Infinity }
      if (write.op === "remove") known.until = at
      keys.set(id, known)
    }
  }

  /**
   * Returns the secrets of an account or endpoint that may sign now, and those that must; the
   * sender's clock may be `off`.
   */
  signing(owner: string, at: Timestamp, off: number) {
    return inForce(this.#secrets.get(owner), at, off)
  }

  /** Returns the keys of an owner that may encrypt a body now, and those of which one must. */
  hiding(owner: string, at: Timestamp) {
    return inForce(this.#keys.get(owner), at)
  }

  #sign(
    owner: string,
    current: string,
    previous: Endpoint["previous_secrets"],
    at: Timestamp,
  ): void {
    const now = new Map([[sealedText(current), Infinity]])
    for (const { expires_at, secret } of previous) now.set(sealedText(secret), expires_at)
    this.#replace(this.#secrets, owner, now, at)
  }

  #replace(
    all: Map<string, Map<string, Span>>,
    owner: string,
    now: ReadonlyMap<string, Timestamp>,
    at: Timestamp,
  ): void {
    const known = all.get(owner) ?? new Map<string, Span>()
    all.set(owner, known)
    for (const [name, span] of known) if (!now.has(name)) span.until = Math.min(span.until, at)
    for (const [name, until] of now) {
      const span = known.get(name)
      if (span === undefined) known.set(name, { from: at, until })
      else span.until = until
    }
  }
}

const inForce = (spans: ReadonlyMap<string, Span> | undefined, at: Timestamp, off = 0) => {
  const all = [...(spans ?? [])]
  return {
    may: all
      .filter(([, { from, until }]) => from <= at && until > at - SLACK - off)
      .map(([name]) => name),
    must: all
      .filter(([, { from, until }]) => from <= at - SLACK && until > at + off)
      .map(([name]) => name),
  }
}
