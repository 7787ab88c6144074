import { Effect, Result } from "effect"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { makeVault } from "../../../adapters/crypto/Vault.ts"
import {
  type Evidence,
  firstHole,
  parseHead,
  verifyAudit,
} from "../../../apps/server/auditVerify.ts"
import { outputOf } from "../../../apps/server/Output.ts"
import {
  type AuditEntry,
  auditView,
  chained,
  type Chaining,
  NO_ENTRY,
} from "../../../core/audit/AuditEntry.ts"
import { signedHead } from "../../../core/audit/SignedHead.ts"
import { anAuditNote, auditor, T0 } from "../../support/records.ts"
import { temporaryFolder } from "./service.ts"

/** An attacker with the database, but without the key. */
const stranger = makeVault(new Uint8Array(32).fill(8))

/** A log of these acts, signed with that key. */
const written = (acts: ReadonlyArray<number>, by: Chaining = auditor) => {
  const entries: Array<AuditEntry> = []
  for (const n of acts) entries.push(chained(anAuditNote({ n }), entries.at(-1) ?? NO_ENTRY, by))
  return entries
}

const log = written([1, 2, 3, 4, 5])
const head = (n: number) => ({ sequence: n, hash: log[n - 1]!.hash })

/** The log rewritten without its third entry, and without the key. */
const forged = written([1, 2, 4, 5], { ...auditor, sign: (text) => stranger.sign(text) })

/** The same with the key, which only kept heads reveal. */
const forgedWithKey = written([1, 2, 4, 5])

/** The end rewritten with new hashes and the old signatures. */
const rehashed = written([1, 2, 4, 5]).map((entry, n) => ({
  ...entry,
  signature: log[n < 2 ? n : n + 1]!.signature,
}))

describe("the first hole of a log", () => {
  test.each<[string, ReadonlyArray<AuditEntry>, ReadonlyArray<number>, number | undefined]>([
    ["that is whole", log, [], undefined],
    ["in any order, with heads that were kept", log.toReversed(), [2, 5], undefined],
    ["without its third entry", log.filter(({ sequence }) => sequence !== 3), [], 3],
    ["without its first", log.slice(1), [], 1],
    ["whose end was cut off, which only a head tells", log.slice(0, 3), [5], 4],
    ["that was written anew without the key", forged, [], 1],
    [
      "whose tail was written anew without the key",
      [...log.slice(0, 2), ...forged.slice(2)],
      [],
      3,
    ],
    ["that was hashed anew with the signatures of before", rehashed, [], 3],
    ["that was written anew with the key, which only a head tells", forgedWithKey, [4], 4],
    ["with an entry twice", [...log, log[4]!], [], 6],
    ["with a changed entry", log.with(1, { ...log[1]!, target: "acct_other" }), [], 2],
    ["that is empty", [], [], undefined],
    ["of which nothing is left", [], [2], 1],
  ])("%s", (_, entries, kept, hole) => {
    expect(firstHole(entries, kept.map(head), auditor.isSigned)).toBe(hole)
  })
})

test.each([
  ["", undefined],
  ["12", undefined],
  [`12:${"a".repeat(63)}`, undefined],
  [`12:${"a".repeat(64)}`, { sequence: 12, hash: "a".repeat(64) }],
])("a head that was noted as %j", (text, expected) => {
  expect(parseHead(text)).toEqual(expected)
})

const prove = async (evidence: Evidence) => {
  const lines: Array<string> = []
  const output = outputOf(false, (line) => Effect.sync(() => void lines.push(line)))
  const result = await Effect.runPromise(Effect.result(verifyAudit(evidence, output)))
  return Result.isFailure(result) ? result.failure.message : lines.join("\n")
}

test("a program is told whether a copy is whole, and where its first hole is", async () => {
  const path = join(await temporaryFolder(), "audit.ndjson")
  const told: Array<string> = []
  const output = outputOf(true, (line) => Effect.sync(() => void told.push(line)))
  for (const entries of [log, log.slice(1)]) {
    await writeFile(path, linesOf(entries.map(auditView)))
    const proof = verifyAudit({ log: path, heads: [], key: undefined }, output)
    await Effect.runPromise(Effect.exit(proof))
  }
  expect(told.map((line) => JSON.parse(line) as unknown)).toEqual([
    { whole: true, entries: 5, head: `5:${log[4]!.hash}`, signed_by: null },
    { whole: false, hole: 1 },
  ])
})

const linesOf = (json: ReadonlyArray<object>) => json.map((one) => JSON.stringify(one)).join("\n")

test("a copy of the log is proved as the interface shows it", async () => {
  const path = join(await temporaryFolder(), "audit.ndjson")
  const text = linesOf(log.map(auditView))
  const said = async (copy: string, key?: string) => {
    await writeFile(path, copy)
    return prove({ log: path, heads: [`5:${log[4]!.hash}`], key })
  }
  const whole = `The audit log is whole: 5 entries, head 5:${log[4]!.hash}`
  expect(await said(`${text}\n`)).toBe(
    `${whole}\nNo signature was checked: give --key, or a file of signed heads.`,
  )
  expect(await said(text, auditor.signer())).toBe(
    `${whole}\nEvery entry is signed by ${auditor.signer()}`,
  )
  expect(await said(text, stranger.signer())).toContain(
    `entry at sequence 1 is not signed by ${stranger.signer()}`,
  )
  expect(await said(text, "none")).toContain("none is not a public key")
  expect(await said(text.replace("operator", "somebody"))).toContain("first hole is at sequence 1")
  expect(await said(`${text}\nnothing`)).toContain("Line 6 of")
})

test("a copy of the log is held to a file of signed heads", async () => {
  const folder = await temporaryFolder()
  const [path, heads] = [join(folder, "audit.ndjson"), join(folder, "heads.ndjson")]
  const daily = [head(2), head(5)].map((end, n) => signedHead(end, T0 + n, auditor))
  const said = async (entries: ReadonlyArray<AuditEntry>, kept: ReadonlyArray<object>) => {
    await writeFile(path, linesOf(entries.map(auditView)))
    await writeFile(heads, linesOf(kept))
    return prove({ log: path, heads: [heads], key: auditor.signer() })
  }
  expect(await said(log, daily)).toContain("is whole: 5 entries")
  expect(await said(log.slice(0, 3), daily)).toContain("first hole is at sequence 4")
  expect(await said(forgedWithKey, daily)).toContain("first hole is at sequence 5")
  expect(await said(log, [signedHead(head(2), T0, stranger)])).toMatch(
    /^The head of .* at sequence 2 is not signed by /,
  )
  expect(await said(log, [{ ...daily[0], sequence: 3 }])).toMatch(/is not signed by /)
  expect(await said(log, [{ sequence: 1 }])).toMatch(
    /^Line 1 of .* is not a valid head of the audit log/,
  )
})
