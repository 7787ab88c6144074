import { describe, expect, test } from "vitest"
import {
  type AuditEntry,
  auditView,
  brokenAt,
  chained,
  contentOf,
  NO_ENTRY,
} from "../../../core/audit/AuditEntry.ts"
import { anAuditNote, auditor } from "../../support/records.ts"

const chainOf = (count: number): ReadonlyArray<AuditEntry> => {
  const entries: Array<AuditEntry> = []
  for (let n = 1; n <= count; n += 1) {
    entries.push(chained(anAuditNote({ n }), entries.at(-1) ?? NO_ENTRY, auditor))
  }
  return entries
}

const changes: { readonly [name: string]: (entry: AuditEntry) => AuditEntry } = {
  "another actor": (entry) => ({ ...entry, actor: "operator:else" }),
  "another action": (entry) => ({ ...entry, action: "appeal.upheld" }),
  "another target": (entry) => ({ ...entry, target: "acct_1" }),
  "another time": (entry) => ({ ...entry, at: entry.at + 1 }),
  "another request": (entry) => ({ ...entry, request_id: "req_0" }),
  "other details": (entry) => ({ ...entry, details: { from: "pro", to: "starter" } }),
  "more details": (entry) => ({ ...entry, details: { ...entry.details, more: null } }),
  "another id": (entry) => ({ ...entry, id: "aud_1" }),
  "another place": (entry) => ({ ...entry, sequence: entry.sequence + 1 }),
  "another hash": (entry) => ({ ...entry, hash: "f".repeat(64) }),
  "another signature": (entry) => ({ ...entry, signature: auditor.sign("else") }),
  "no signature": (entry) => ({ ...entry, signature: "" }),
  "another hash before it": (entry) => ({ ...entry, previous_hash: "f".repeat(64) }),
}

describe("the chain", () => {
  for (const [name, change] of Object.entries(changes)) {
    test(`is broken by ${name}`, () => {
      const entries = chainOf(5).map((entry) => (entry.sequence === 3 ? change(entry) : entry))
      expect(brokenAt(entries, NO_ENTRY, auditor)).toBe(3)
    })
  }

  test("is broken by an entry that is missing, swapped or forged with its own hash", () => {
    const entries = chainOf(5)
    const [one, two, three, four, five] = entries as [
      AuditEntry,
      AuditEntry,
      AuditEntry,
      AuditEntry,
      AuditEntry,
    ]
    expect(brokenAt([one, two, four, five], NO_ENTRY, auditor)).toBe(3)
    expect(brokenAt([one, three, two, four, five], NO_ENTRY, auditor)).toBe(2)
    const forged = chained({ ...three, actor: "operator:else" }, two, auditor)
    expect(brokenAt([one, two, forged, four, five], NO_ENTRY, auditor)).toBe(4)
    expect(brokenAt([two, three], NO_ENTRY, auditor)).toBe(1)
  })

  test("is whole as it was made, from any place on", () => {
    const entries = chainOf(5)
    expect(brokenAt(entries, NO_ENTRY, auditor)).toBeUndefined()
    expect(brokenAt(entries.slice(2), entries[1] ?? NO_ENTRY, auditor)).toBeUndefined()
    expect(brokenAt([], NO_ENTRY, auditor)).toBeUndefined()
  })
})

test("an entry is hashed as the interface's description says", () => {
  const entry = chained(anAuditNote(), NO_ENTRY, auditor)
  const { hash, previous_hash, sequence, signature, ...content } = auditView(entry)
  expect(contentOf(entry)).toBe(
    '{"action":"account.plan_changed","actor":"operator","at":"2026-01-01T00:00:00.001Z",' +
      '"details":{"from":"starter","to":"pro"},' +
      '"id":"aud_019b7726-0000-7000-8000-000000000001","request_id":"req_1",' +
      '"target":"acct_019b7726-0000-7000-8000-000000000001"}',
  )
  expect(JSON.parse(contentOf(entry))).toEqual(content)
  const text = [previous_hash, String(sequence), contentOf(entry)].join("\n")
  expect(auditor.sha256(text)).toBe(hash)
  expect(auditor.isSigned(`payport audit entry\n${hash}`, signature)).toBe(true)
})
