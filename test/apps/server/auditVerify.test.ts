import { Effect, Result } from "effect"
import { createHash } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { firstHole, parseHead, verifyAudit } from "../../../apps/server/auditVerify.ts"
import { type AuditEntry, auditView, chained, NO_ENTRY } from "../../../core/audit/AuditEntry.ts"
import { anAuditNote } from "../../support/records.ts"
import { temporaryFolder } from "./service.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

const log: Array<AuditEntry> = []
for (let n = 1; n <= 5; n += 1) {
  log.push(chained(anAuditNote({ n }), log.at(-1) ?? NO_ENTRY, sha256))
}
const head = (n: number) => ({ sequence: n, hash: log[n - 1]!.hash })

/** The log as somebody would write it anew who leaves out its third entry. */
const forged: Array<AuditEntry> = []
for (const note of log.filter(({ sequence }) => sequence !== 3)) {
  forged.push(chained(note, forged.at(-1) ?? NO_ENTRY, sha256))
}

describe("the first hole of a log", () => {
  test.each<[string, ReadonlyArray<AuditEntry>, ReadonlyArray<number>, number | undefined]>([
    ["that is whole", log, [], undefined],
    ["in any order, with heads that were noted", log.toReversed(), [2, 5], undefined],
    ["without its third entry", log.filter(({ sequence }) => sequence !== 3), [], 3],
    ["without its first", log.slice(1), [], 1],
    ["whose end was cut off, which only a head tells", log.slice(0, 3), [5], 4],
    ["that was written anew, which only a head tells", forged, [4], 4],
    ["with an entry twice", [...log, log[4]!], [], 6],
    ["with a changed entry", log.with(1, { ...log[1]!, target: "acct_other" }), [], 2],
    ["that is empty", [], [], undefined],
    ["of which nothing is left", [], [2], 1],
  ])("%s", (_, entries, noted, hole) => {
    expect(firstHole(entries, noted.map(head))).toBe(hole)
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

test("a copy of the log is proved as the interface shows it", async () => {
  const path = join(await temporaryFolder(), "audit.ndjson")
  const prove = async (text: string) => {
    await writeFile(path, text)
    const lines: Array<string> = []
    const print = (line: string) => Effect.sync(() => void lines.push(line))
    const result = await Effect.runPromise(Effect.result(verifyAudit(path, [head(5)], print)))
    return Result.isFailure(result) ? result.failure.message : lines.join()
  }
  const text = log.map((entry) => JSON.stringify(auditView(entry))).join("\n")
  expect(await prove(`${text}\n`)).toBe(`The audit log is whole: 5 entries, head 5:${log[4]!.hash}`)
  expect(await prove(text.replace("operator", "somebody"))).toContain("first hole is at sequence 1")
  expect(await prove(`${text}\nnothing`)).toContain("Line 6 of")
})
