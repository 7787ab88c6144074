import { Effect, Layer, Result } from "effect"
import { existsSync } from "node:fs"
import { appendFile, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import * as MemoryDocuments from "../../../adapters/memory/MemoryDocuments.ts"
import { appendHeads } from "../../../apps/server/keepHeads.ts"
import { NO_ENTRY } from "../../../core/audit/AuditEntry.ts"
import { signedHead } from "../../../core/audit/SignedHead.ts"
import { Documents } from "../../../core/ports/Documents.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"
import { auditor, T0 } from "../../support/records.ts"
import { callerOf, preparedFolder, start, startOn, stop, temporaryFolder } from "./service.ts"

const linesOf = async (path: string) => (await readFile(path, "utf8")).trimEnd().split("\n")

/** A file, and a database to whose heads days can be added. */
const headsOf = async () => {
  const path = join(await temporaryFolder(), "heads.ndjson")
  const documents = await Effect.runPromise(
    Effect.provide(Effect.service(Documents), MemoryDocuments.layer),
  )
  const store = (day: number) => {
    const body = signedHead(NO_ENTRY, T0 + day * DAY, auditor)
    const id = body.at.slice(0, 10)
    const document = { scope: "audit-heads", id, version: 0, body, due_at: null }
    return Effect.runPromise(documents.put(document))
  }
  const append = async () => {
    const kept = Effect.provide(appendHeads(path), Layer.succeed(Documents, documents))
    const result = await Effect.runPromise(Effect.result(kept))
    return Result.isFailure(result) ? result.failure.message : undefined
  }
  return { append, documents, path, store }
}

test("two processes with one file of heads add each head once", async () => {
  const { append, path, store } = await headsOf()
  for (let day = 0; day < 250; day += 1) await store(day)
  expect(await Promise.all([append(), append(), append()])).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  const lines = await linesOf(path)
  expect([lines.length, new Set(lines).size]).toEqual([250, 250])
})

test("heads are added after a process that has crashed while it added some", async () => {
  const { append, documents, path, store } = await headsOf()
  await store(0)
  const began = Date.now()
  const lease = { scope: "audit-heads-writer", id: "lease", version: 0, body: {} }
  await Effect.runPromise(documents.put({ ...lease, due_at: began + 1_500 }))
  expect(await append()).toBeUndefined()
  expect(Date.now() - began).toBeGreaterThanOrEqual(1_500)
  expect(await linesOf(path)).toHaveLength(1)
})

test("a process that waits for another one to add heads can be stopped", async () => {
  const { documents, path } = await headsOf()
  const lease = { scope: "audit-heads-writer", id: "lease", version: 0, body: {} }
  await Effect.runPromise(documents.put({ ...lease, due_at: Date.now() + 50_000 }))
  const waiting = Effect.provide(appendHeads(path), Layer.succeed(Documents, documents))
  const began = Date.now()
  await Effect.runPromise(Effect.ignore(Effect.timeout(waiting, "200 millis")))
  expect(Date.now() - began).toBeLessThan(5_000)
})

test("the file of heads gets those that it lacks, and says what is wrong with it", async () => {
  const { append, path, store } = await headsOf()
  for (let day = 0; day < 120; day += 1) await store(day)
  expect([await append(), await append()]).toEqual([undefined, undefined])
  await store(120)
  expect(await append()).toBeUndefined()
  const days = (await linesOf(path)).map((line) => (JSON.parse(line) as { at: string }).at)
  expect(days).toHaveLength(121)
  expect(new Set(days).size).toBe(121)
  // After a crash in the middle of a line, the next look writes that line again.
  const whole = await readFile(path, "utf8")
  await writeFile(path, whole.slice(0, -20))
  expect(await append()).toBeUndefined()
  expect(await readFile(path, "utf8")).toBe(whole)
  await appendFile(path, '{"sequence": 1}\n')
  expect(await append()).toContain("ends with a line that is not a head of the audit log")
})

test("no head is added to those of another database, or of a time before a restore", async () => {
  const { append, documents, path, store } = await headsOf()
  for (let day = 0; day < 3; day += 1) await store(day)
  expect(await append()).toBeUndefined()
  const whole = await readFile(path, "utf8")
  const other = await headsOf()
  await other.store(0)
  await writeFile(other.path, whole)
  expect(await other.append()).toContain(
    "ends with a head of 2026-01-03T00:00:00.000Z that this database does not have.",
  )
  expect(await readFile(other.path, "utf8")).toBe(whole)
  // The head of the restored day is another one as soon as that day is signed again.
  const [first = "", second = ""] = whole.split("\n")
  const head = signedHead({ sequence: 1, hash: "a".repeat(64) }, T0 + DAY, auditor)
  const again = { scope: "audit-heads", id: "2026-01-02", version: 1, body: head, due_at: null }
  await Effect.runPromise(documents.put(again))
  await writeFile(path, `${first}\n${second}\n`)
  expect(await append()).toContain("of 2026-01-02T00:00:00.000Z that this database does not have")
  await writeFile(path, `${first}\n`)
  expect(await append()).toBeUndefined()
  expect(await linesOf(path)).toHaveLength(3)
})

test("a service signs the day's head, and the command proves its log by it", async () => {
  const folder = await preparedFolder()
  const [heads, log] = [join(folder, "heads.ndjson"), join(folder, "audit.ndjson")]
  const admin = "operator-key-of-this-test"
  const environment = { PAYPORT_AUDIT_HEADS: heads, PAYPORT_ADMIN_KEY: admin }
  const service = await startOn(folder, environment)
  const operator = callerOf(service.url, admin)
  for (const plan of ["pro", "starter"]) {
    const { body } = await operator("GET", "/v1/accounts")
    const [account] = body["data"] as ReadonlyArray<{ readonly id: string }>
    expect((await operator("PATCH", `/v1/accounts/${account?.id}`, { plan })).status).toBe(200)
  }
  while (!existsSync(heads)) await new Promise((resolve) => setTimeout(resolve, 50))
  const shown = await operator("GET", "/v1/audit/heads")
  const [head] = shown.body["data"] as ReadonlyArray<{ readonly public_key: string }>
  expect(await linesOf(heads)).toEqual([JSON.stringify(head)])
  expect((await operator("GET", "/v1/audit/heads?after=yesterday")).status).toBe(400)
  const { body } = await operator("GET", "/v1/audit")
  const entries = body["data"] as ReadonlyArray<object>
  expect(entries).toHaveLength(2)
  expect(await stop(service)).toBe(0)

  const key = String(head?.public_key)
  const prove = async (copy: ReadonlyArray<object>) => {
    await writeFile(log, copy.map((entry) => JSON.stringify(entry)).join("\n"))
    const command = start({}, "audit", "verify", "--key", key, log, heads)
    return [await command.ended, command.stdout() + command.stderr()]
  }
  expect(await prove(entries)).toEqual([0, expect.stringContaining("is whole: 2 entries")])
  expect(await prove(entries.slice(0, 1))).toEqual([
    1,
    "payport cannot run: The audit log is not whole: its first hole is at sequence 1.\n",
  ])
}, 120_000)
